//! Criteria as an OSCAL catalog, which [`from_oscal`](super::from_oscal) reads again.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::Criterion;

/// The version of OSCAL that is written.
const OSCAL_VERSION: &str = "1.1.2";

/// What a catalog says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogHead {
    /// What it is called.
    pub title: String,
    /// Its version, as its owner counts.
    pub version: String,
    /// When it was changed last, like `2026-11-16T02:00:00Z`.
    pub last_modified: String,
}

/// The criteria as a catalog. The same criteria and head give the same bytes.
pub fn to_oscal(criteria: &[Criterion], head: &CatalogHead) -> String {
    let mut taken = BTreeSet::new();
    let (mut alone, mut groups) = (Vec::new(), Vec::new());
    for items in criteria.chunk_by(|one, next| one.category == next.category) {
        let controls = items.iter().map(|item| control(item, &mut taken));
        match &items[0].category {
            Some(title) => {
                groups.push(json!({"title": title, "controls": controls.collect::<Vec<_>>()}));
            }
            None => alone.extend(controls),
        }
    }
    let metadata = json!({
        "title": head.title,
        "last-modified": head.last_modified,
        "version": head.version,
        "oscal-version": OSCAL_VERSION,
    });
    let mut catalog = json!({"uuid": "", "metadata": metadata});
    // Criteria without a category stand before the groups, whichever order they had.
    if !alone.is_empty() || groups.is_empty() {
        catalog["controls"] = alone.into();
    }
    if !groups.is_empty() {
        catalog["groups"] = groups.into();
    }
    catalog["uuid"] = uuid(&catalog.to_string()).into();
    serde_json::to_string_pretty(&json!({"catalog": catalog})).expect("texts are valid JSON")
}

fn control(item: &Criterion, taken: &mut BTreeSet<String>) -> Value {
    let id = identifier(&item.criteria_id, taken);
    // One line has no title of its own: then the label stands in for it.
    let (title, statement) = match item.requirement.split_once('\n') {
        Some((title, statement)) => (title, statement),
        None => (item.criteria_id.as_str(), item.requirement.as_str()),
    };
    let part = |suffix: &str, name: &str, prose: &str| json!({"id": format!("{id}_{suffix}"), "name": name, "prose": prose});
    let mut parts = vec![part("smt", "statement", statement)];
    if !item.description.is_empty() {
        parts.push(part("gdn", "guidance", &item.description));
    }
    let props = json!([{"name": "label", "value": item.criteria_id}]);
    json!({"id": id, "title": title, "props": props, "parts": parts})
}

/// An identifier as OSCAL allows them: it begins with a letter, has no spaces, and no
/// other control has it.
fn identifier(criteria_id: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "._-".contains(c) { c } else { '-' };
    let lower = criteria_id.to_lowercase().replace('(', ".").replace(')', "");
    let mut id: String = lower.chars().map(plain).collect();
    if !id.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        id.insert_str(0, "c-");
    }
    let mut free = id.clone();
    for number in 2.. {
        if taken.insert(free.clone()) {
            break;
        }
        free = format!("{id}-{number}");
    }
    free
}

/// An identifier of the kind that OSCAL asks for (version 4), made from the content so
/// that the same content has the same one.
fn uuid(content: &str) -> String {
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&blake3::hash(content.as_bytes()).as_bytes()[..16]);
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex = format!("{:032x}", u128::from_be_bytes(bytes));
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::super::from_oscal;
    use super::*;

    fn head() -> CatalogHead {
        CatalogHead {
            title: "Set".to_owned(),
            version: "3".to_owned(),
            last_modified: "2026-11-16T02:00:00Z".to_owned(),
        }
    }

    fn item(criteria_id: &str, requirement: &str, description: &str, order: i64) -> Criterion {
        Criterion {
            criteria_id: criteria_id.to_owned(),
            requirement: requirement.to_owned(),
            description: description.to_owned(),
            order,
            ..Criterion::default()
        }
    }

    #[test]
    fn a_catalog_is_read_again_as_it_was() {
        let items = [
            item(
                "AC-2(1)",
                "Account Management\na. Define accounts.\nb. Review.",
                "Why.\nMore.",
                1,
            ),
            item("AC 2", "One line only; with spaces ; kept", "", 2),
            item("5.1 — ü", "Title\nbody", "g", 3),
        ];
        let json = to_oscal(&items, &head());
        assert_eq!(from_oscal(&json).unwrap().items, items);
        assert_eq!(to_oscal(&items, &head()), json);
    }

    #[test]
    fn categories_are_groups_and_are_read_again() {
        let in_group =
            |name: &str, item: Criterion| Criterion { category: Some(name.to_owned()), ..item };
        let items = [
            item("1", "Alone", "", 1),
            in_group("Access", item("2", "One", "", 2)),
            in_group("Access", item("3", "Two", "", 3)),
            in_group("Media", item("4", "Three", "", 4)),
        ];
        let json = to_oscal(&items, &head());
        assert_eq!(from_oscal(&json).unwrap().items, items);
        let groups = serde_json::from_str::<serde_json::Value>(&json).unwrap();
        assert_eq!(groups["catalog"]["groups"].as_array().unwrap().len(), 2);
        // Without categories nothing of this is written.
        assert!(!to_oscal(&items[..1], &head()).contains("groups"));
        assert!(to_oscal(&[], &head()).contains(r#""controls": []"#));
    }

    #[test]
    fn identifiers_are_what_oscal_allows() {
        let mut taken = BTreeSet::new();
        let mut id = |text| identifier(text, &mut taken);
        assert_eq!(id("AC-2(1)"), "ac-2.1");
        assert_eq!(id("ac-2.1"), "ac-2.1-2");
        assert_eq!(id("5.1 a"), "c-5.1-a");
        assert_eq!(id(""), "c-");
        let uuid = uuid("x");
        assert_eq!((uuid.len(), uuid.as_bytes()[14]), (36, b'4'));
        assert!(b"89ab".contains(&uuid.as_bytes()[19]));
    }
}

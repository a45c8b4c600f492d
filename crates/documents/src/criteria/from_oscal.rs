//! Criteria from an OSCAL catalog: groups, controls and their enhancements.
//!
//! A control's requirement is its title and its statement, items under their labels, one
//! a line; its description is its guidance. Reference: NIST OSCAL 1.1, catalog model.

use std::collections::BTreeSet;

use serde_json::Value;

use super::parameters::{Parameters, list, text};
use super::{CriteriaError, Criterion};
use crate::import::{Imported, Seen};

/// Takes the controls of an OSCAL catalog in JSON. A bad row is a control, counted from 1.
pub fn from_oscal(json: &str) -> Result<Imported<Criterion>, CriteriaError> {
    let file: Value = serde_json::from_str(json)?;
    let Some(catalog) = file.get("catalog") else {
        let known = file.as_object().map(|file| file.keys().cloned().collect());
        return Err(CriteriaError::NoCatalog { known: known.unwrap_or_default() });
    };
    let mut parameters = Parameters::default();
    let mut controls = Vec::new();
    gather(catalog, None, &mut parameters, &mut controls);
    let mut imported = Imported::new(Vec::new(), Vec::new());
    let (mut seen, mut unknown, mut withdrawn) = (Seen::default(), BTreeSet::new(), 0);
    for (number, (control, category)) in (1_usize..).zip(controls) {
        if is_withdrawn(control) {
            withdrawn += 1;
            continue;
        }
        let order = i64::try_from(imported.items.len()).unwrap_or(i64::MAX - 1) + 1;
        let item = criterion(control, order, &parameters, &mut unknown).and_then(|mut item| {
            item.category = category.map(ToOwned::to_owned);
            seen.note(&item.criteria_id, number).map_err(|before| {
                format!("duplicate id `{}`, already used by control {before}", item.criteria_id)
            })?;
            Ok(item)
        });
        imported.add(number, item);
    }
    if withdrawn > 0 {
        imported.notices.push(format!("withdrawn controls skipped: {withdrawn}"));
    }
    if !unknown.is_empty() {
        let unknown: Vec<String> = unknown.into_iter().collect();
        let notice = format!("parameters that are not declared: {}", super::listed(&unknown));
        imported.notices.push(notice);
    }
    Ok(imported)
}

/// Every control under an owner in order, those within controls after their own; and
/// every parameter. Each control comes with the title of its group.
fn gather<'a>(
    owner: &'a Value,
    category: Option<&'a str>,
    parameters: &mut Parameters<'a>,
    controls: &mut Vec<(&'a Value, Option<&'a str>)>,
) {
    parameters.take(owner);
    for control in list(owner, "controls") {
        controls.push((control, category));
        gather(control, category, parameters, controls);
    }
    for group in list(owner, "groups") {
        let title = Some(text(group, "title").trim()).filter(|title| !title.is_empty());
        gather(group, title.or(category), parameters, controls);
    }
}

fn is_withdrawn(control: &Value) -> bool {
    list(control, "props").any(|prop| {
        text(prop, "name") == "status" && text(prop, "value").eq_ignore_ascii_case("withdrawn")
    })
}

fn criterion(
    control: &Value,
    order: i64,
    parameters: &Parameters<'_>,
    unknown: &mut BTreeSet<String>,
) -> Result<Criterion, String> {
    let id = text(control, "id").trim();
    let label = label(control);
    let criteria_id = if label.is_empty() { id } else { label }.to_owned();
    if criteria_id.is_empty() {
        return Err("the control has neither a label nor an identifier".to_owned());
    }
    let mut requirement = Vec::new();
    let title = parameters.fill(text(control, "title"), unknown);
    // A title that only repeats the label says nothing.
    if !title.is_empty() && title != criteria_id && title != id {
        requirement.push(title);
    }
    let mut lines = |name: &str| {
        let mut lines = Vec::new();
        for part in list(control, "parts").filter(|part| text(part, "name") == name) {
            prose(part, parameters, unknown, &mut lines);
        }
        lines
    };
    requirement.extend(lines("statement"));
    let description = lines("guidance").join("\n");
    if requirement.is_empty() {
        return Err(format!("`{criteria_id}` has neither a title nor a statement"));
    }
    let requirement = requirement.join("\n");
    Ok(Criterion { criteria_id, requirement, description, order, ..Criterion::default() })
}

/// The label that people use: the one of no particular class, or else the first.
fn label(owner: &Value) -> &str {
    let labels = || list(owner, "props").filter(|prop| text(prop, "name") == "label");
    let plain = labels().find(|prop| prop.get("class").is_none());
    plain.or_else(|| labels().next()).map_or("", |prop| text(prop, "value").trim())
}

/// The prose of a part and of those in it, one a line, each after its label.
fn prose(
    part: &Value,
    parameters: &Parameters<'_>,
    unknown: &mut BTreeSet<String>,
    lines: &mut Vec<String>,
) {
    let own = parameters.fill(text(part, "prose"), unknown);
    let labelled = [label(part), own.as_str()];
    let labelled: Vec<&str> = labelled.into_iter().filter(|part| !part.is_empty()).collect();
    if !labelled.is_empty() {
        lines.push(labelled.join(" "));
    }
    for inner in list(part, "parts") {
        prose(inner, parameters, unknown, lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A catalog of our own, with everything that is looked at.
    const CATALOG: &str = include_str!("../../tests/data/catalog.json");

    #[test]
    fn groups_controls_and_enhancements_become_criteria() {
        let imported = from_oscal(CATALOG).unwrap();
        let ids: Vec<&str> = imported.items.iter().map(|item| item.criteria_id.as_str()).collect();
        assert_eq!(ids, ["KE-1", "KE-1(1)", "KE-2", "go-1"]);
        let orders: Vec<i64> = imported.items.iter().map(|item| item.order).collect();
        assert_eq!(orders, [1, 2, 3, 4]);
        let expected = "Key inventory\na. Keep a list of keys that [Assignment: key keeper] \
                        checks every 30 days; and\n(1) Store the list [Selection (one or more): \
                        in a safe; with [Assignment: trusted party]].\nb. Report what is lost.";
        assert_eq!(imported.items[0].requirement, expected);
        assert_eq!(imported.items[0].description, "A list can be on paper. See also KE-2.");
    }

    #[test]
    fn what_is_withdrawn_or_wrong_is_counted() {
        let imported = from_oscal(CATALOG).unwrap();
        assert_eq!(imported.notices[0], "withdrawn controls skipped: 1");
        assert_eq!(imported.notices[1], "parameters that are not declared: `nobody`");
        let bad: Vec<String> =
            imported.bad_rows.iter().map(|bad| format!("{}: {}", bad.row, bad.reason)).collect();
        let expected = [
            "5: duplicate id `KE-2`, already used by control 4",
            "7: `go-2` has neither a title nor a statement",
        ];
        assert_eq!(bad, expected);
    }

    #[test]
    fn other_files_are_refused_by_name() {
        let error = from_oscal(r#"{"profile": {}}"#).unwrap_err().to_string();
        assert_eq!(error, "this is not an OSCAL catalog: it has no `catalog`, but `profile`");
        assert!(matches!(from_oscal("{"), Err(CriteriaError::Json(_))));
        assert!(matches!(from_oscal("[]"), Err(CriteriaError::NoCatalog { .. })));
        assert_eq!(from_oscal(r#"{"catalog": 5}"#).unwrap().items, []);
    }
}

//! OSCAL profiles: the controls they choose from catalogs, with their parameters, as one catalog.
//!
//! What is followed: imports (also of other profiles, also by way of the back matter), all or
//! named controls, what is left out, `set-parameters` and `alters`. How groups are merged does
//! not change what a criterion says, so groups stay as their catalogs have them.
//! Reference: NIST OSCAL 1.1, profile model and profile resolution.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::CriteriaError;
use super::parameters::{list, text};

/// Profiles of profiles that are followed.
const DEPTH_MAX: usize = 5;

/// Gives the content of a file that a profile refers to, by its address there.
pub type Load<'a> = &'a mut dyn FnMut(&str) -> Option<Vec<u8>>;

pub fn is_profile(json: &str) -> bool {
    serde_json::from_str::<Value>(json).is_ok_and(|file| file.get("profile").is_some())
}

/// A profile as the catalog that it comes to, in JSON. Anything else comes back as it was.
pub fn resolve(json: &str, load: Load<'_>) -> Result<String, CriteriaError> {
    let file: Value = serde_json::from_str(json)?;
    if file.get("profile").is_none() {
        return Ok(json.to_owned());
    }
    let catalog = catalog_of(&file, load, 0)?;
    let file = Map::from_iter([("catalog".to_owned(), catalog)]);
    Ok(Value::Object(file).to_string())
}

fn catalog_of(file: &Value, load: Load<'_>, depth: usize) -> Result<Value, CriteriaError> {
    if let Some(catalog) = file.get("catalog") {
        return Ok(catalog.clone());
    }
    let Some(profile) = file.get("profile") else {
        let known = file.as_object().map(|file| file.keys().cloned().collect());
        return Err(CriteriaError::NoCatalog { known: known.unwrap_or_default() });
    };
    let mut resolved: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for import in list(profile, "imports") {
        let href = text(import, "href");
        let source = source(profile, href, load).filter(|_| depth < DEPTH_MAX);
        let source = source.ok_or_else(|| CriteriaError::NoSource { href: href.to_owned() })?;
        let catalog = catalog_of(&serde_json::from_slice(&source)?, load, depth + 1)?;
        let chosen = ControlChoice::of(import, &catalog);
        let catalog = chosen.from(&catalog);
        for name in ["params", "groups", "controls"] {
            resolved.entry(name).or_default().extend(list(&catalog, name).cloned());
        }
    }
    let mut catalog = Value::Object(
        resolved
            .into_iter()
            .filter(|(_, values)| !values.is_empty())
            .map(|(name, values)| (name.to_owned(), Value::Array(values)))
            .collect(),
    );
    if let Some(modify) = profile.get("modify") {
        for parameter in list(modify, "set-parameters") {
            set_parameter(&mut catalog, parameter);
        }
        for change in list(modify, "alters") {
            alter(&mut catalog, change);
        }
    }
    Ok(catalog)
}

/// The content of what a profile imports: by its address, or a resource of the back matter.
fn source(profile: &Value, href: &str, load: Load<'_>) -> Option<Vec<u8>> {
    let Some(id) = href.strip_prefix('#') else { return load(href) };
    let resource =
        list(&profile["back-matter"], "resources").find(|one| text(one, "uuid") == id)?;
    let mut links: Vec<&Value> = list(resource, "rlinks").collect();
    // The same in XML or YAML is of no use here.
    links.sort_by_key(|link| !text(link, "media-type").contains("json"));
    links.into_iter().find_map(|link| load(text(link, "href")))
}

/// The ids of the controls that an import chooses.
struct ControlChoice(BTreeSet<String>);

impl ControlChoice {
    fn of(import: &Value, catalog: &Value) -> Self {
        let mut all = Vec::new();
        ids(catalog, None, &mut all);
        let named = |field: &str| -> BTreeSet<String> {
            let mut named = BTreeSet::new();
            for choice in list(import, field) {
                let with_children = text(choice, "with-child-controls") == "yes";
                let with_ids = || list(choice, "with-ids").filter_map(Value::as_str);
                let patterns = || list(choice, "matching").map(|one| text(one, "pattern"));
                for (id, parents) in &all {
                    let is_named = |id: &str| {
                        with_ids().any(|wanted| wanted == id)
                            || patterns().any(|pattern| matches(pattern, id))
                    };
                    let is_child = || parents.iter().any(|parent| is_named(parent));
                    if is_named(id) || (with_children && is_child()) {
                        named.insert((*id).to_owned());
                    }
                }
            }
            named
        };
        let is_all = import.get("include-controls").is_none();
        let mut chosen = if is_all {
            all.iter().map(|(id, _)| (*id).to_owned()).collect()
        } else {
            named("include-controls")
        };
        let left_out = named("exclude-controls");
        chosen.retain(|id| !left_out.contains(id));
        Self(chosen)
    }

    /// What is left of a catalog, a group or a control. Chosen controls of one that is not take
    /// its place.
    fn from(&self, owner: &Value) -> Value {
        let mut kept = owner.clone();
        let Some(fields) = kept.as_object_mut() else { return kept };
        let mut controls = Vec::new();
        for control in list(owner, "controls") {
            let own = self.from(control);
            if self.0.contains(text(control, "id")) {
                controls.push(own);
            } else {
                controls.extend(list(&own, "controls").cloned());
            }
        }
        let groups: Vec<Value> = list(owner, "groups").map(|group| self.from(group)).collect();
        for (name, values) in [("controls", controls), ("groups", groups)] {
            if values.is_empty() {
                fields.remove(name);
            } else {
                fields.insert(name.to_owned(), Value::Array(values));
            }
        }
        kept
    }
}

/// Every control's id, with those of the controls around it.
fn ids<'a>(
    owner: &'a Value,
    parent: Option<&Vec<&'a str>>,
    all: &mut Vec<(&'a str, Vec<&'a str>)>,
) {
    for control in list(owner, "controls") {
        let id = text(control, "id");
        let parents = parent.cloned().unwrap_or_default();
        let mut within = parents.clone();
        within.push(id);
        all.push((id, parents));
        ids(control, Some(&within), all);
    }
    for group in list(owner, "groups") {
        ids(group, None, all);
    }
}

/// Whether an id has the form of a pattern with `*` and `?`.
fn matches(pattern: &str, id: &str) -> bool {
    let (pattern, id): (Vec<char>, Vec<char>) = (pattern.chars().collect(), id.chars().collect());
    // `reached[place]`: whether the pattern so far fits the first `place` letters.
    let mut reached: Vec<bool> = (0..=id.len()).map(|place| place == 0).collect();
    for sign in pattern {
        let mut next = vec![false; id.len() + 1];
        for place in 0..=id.len() {
            next[place] = match sign {
                '*' => reached[place] || (place > 0 && next[place - 1]),
                '?' => place > 0 && reached[place - 1],
                letter => place > 0 && reached[place - 1] && id[place - 1] == letter,
            };
        }
        reached = next;
    }
    reached[id.len()]
}

/// Lays what a profile says about a parameter over what the catalog says.
fn set_parameter(owner: &mut Value, setting: &Value) {
    let id = text(setting, "param-id");
    each(owner, &mut |owner| {
        let Some(Value::Array(parameters)) = owner.get_mut("params") else { return };
        for parameter in parameters {
            let is_it = text(parameter, "id") == id
                || list(parameter, "props").any(|prop| {
                    text(prop, "name") == "alt-identifier" && text(prop, "value") == id
                });
            let (true, Some(fields)) = (is_it, parameter.as_object_mut()) else { continue };
            for (name, value) in setting.as_object().into_iter().flatten() {
                if name != "param-id" {
                    fields.insert(name.clone(), value.clone());
                }
            }
        }
    });
}

/// Takes from a control what a profile removes, and adds what it adds.
fn alter(owner: &mut Value, change: &Value) {
    let id = text(change, "control-id");
    each(owner, &mut |control| {
        if text(control, "id") != id {
            return;
        }
        let Some(fields) = control.as_object_mut() else { return };
        for removal in list(change, "removes") {
            let is_it = |one: &Value| {
                ["name", "id", "class"].iter().any(|key| {
                    let wanted = text(removal, &format!("by-{key}"));
                    !wanted.is_empty() && wanted == text(one, key)
                })
            };
            for name in ["parts", "props", "params", "links"] {
                if let Some(Value::Array(values)) = fields.get_mut(name) {
                    values.retain(|one| !is_it(one));
                }
            }
        }
        for addition in list(change, "adds") {
            for name in ["parts", "props", "params"] {
                let added: Vec<Value> = list(addition, name).cloned().collect();
                if let (false, Value::Array(values)) = (
                    added.is_empty(),
                    fields.entry(name).or_insert_with(|| Value::Array(Vec::new())),
                ) {
                    values.extend(added);
                }
            }
        }
    });
}

/// Does something with a catalog, and with every group and control in it.
fn each(owner: &mut Value, what: &mut dyn FnMut(&mut Value)) {
    what(owner);
    for name in ["groups", "controls"] {
        if let Some(Value::Array(inner)) = owner.get_mut(name) {
            for one in inner {
                each(one, what);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::criteria::from_oscal;

    const CATALOG: &str = r#"{"catalog": {"groups": [{"id": "ac", "title": "Access", "controls": [
        {"id": "ac-1", "title": "Policy", "parts": [{"name": "statement", "prose": "Write one."}]},
        {"id": "ac-2", "title": "Accounts", "params": [{"id": "ac-2_prm", "label": "time"}],
         "parts": [{"name": "statement", "prose": "Review every {{ insert: param, ac-2_prm }}."},
                   {"name": "guidance", "prose": "Long."}],
         "controls": [{"id": "ac-2.1", "title": "Automated",
            "parts": [{"name": "statement", "prose": "By machine."}]}]}]},
        {"id": "au", "title": "Audit", "controls": [
        {"id": "au-1", "title": "Log", "parts": [{"name": "statement", "prose": "Log it."}]}]}]}}"#;

    fn resolved(profile: &str) -> Result<Vec<(String, String)>, CriteriaError> {
        let mut load = |href: &str| (href == "catalog.json").then(|| CATALOG.as_bytes().to_vec());
        let catalog = resolve(profile, &mut load)?;
        let items = from_oscal(&catalog)?.items.into_iter();
        Ok(items.map(|item| (item.criteria_id, item.requirement.replace('\n', " "))).collect())
    }

    fn ids_of(import: &str) -> Vec<String> {
        let profile =
            format!(r#"{{"profile": {{"imports": [{{"href": "catalog.json" {import}}}]}}}}"#);
        resolved(&profile).unwrap().into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn a_profile_chooses_controls() {
        assert_eq!(ids_of(""), ["ac-1", "ac-2", "ac-2.1", "au-1"]);
        assert_eq!(ids_of(r#", "include-all": {}"#).len(), 4);
        let some = r#", "include-controls": [{"with-ids": ["ac-2.1", "au-1"]}]"#;
        assert_eq!(ids_of(some), ["ac-2.1", "au-1"]);
        let children =
            r#", "include-controls": [{"with-child-controls": "yes", "with-ids": ["ac-2"]}]"#;
        assert_eq!(ids_of(children), ["ac-2", "ac-2.1"]);
        let pattern = r#", "include-controls": [{"matching": [{"pattern": "a?-1"}]}],
            "exclude-controls": [{"with-ids": ["au-1"]}]"#;
        assert_eq!(ids_of(pattern), ["ac-1"]);
    }

    #[test]
    fn parameters_are_set_and_controls_altered() {
        let profile = r##"{"profile": {"imports": [{"href": "#r",
            "include-controls": [{"with-ids": ["ac-2"]}]}],
            "modify": {"set-parameters": [{"param-id": "ac-2_prm", "values": ["30 days"]}],
              "alters": [{"control-id": "ac-2", "removes": [{"by-name": "guidance"}],
                "adds": [{"parts": [{"name": "statement", "prose": "Tell managers."}]}]}]},
            "back-matter": {"resources": [{"uuid": "r", "rlinks": [
              {"href": "catalog.xml", "media-type": "application/xml"},
              {"href": "catalog.json", "media-type": "application/oscal.catalog+json"}]}]}}}"##;
        let expected = "Accounts Review every 30 days. Tell managers.";
        assert_eq!(resolved(profile).unwrap(), [("ac-2".to_owned(), expected.to_owned())]);
    }

    #[test]
    fn what_is_not_there_is_named_and_a_circle_ends() {
        let missing = r#"{"profile": {"imports": [{"href": "other.json"}]}}"#;
        let error = resolved(missing).unwrap_err().to_string();
        assert!(error.contains("other.json"), "{error}");
        let own = missing.as_bytes();
        let mut load = |_: &str| Some(own.to_vec());
        assert!(matches!(resolve(missing, &mut load), Err(CriteriaError::NoSource { .. })));
        assert_eq!(resolve(CATALOG, &mut |_| None).unwrap(), CATALOG);
    }

    #[test]
    fn stars_and_question_marks_stand_for_letters() {
        for (pattern, id, expected) in
            [("ac-*", "ac-2.1", true), ("*", "", true), ("ac-?", "ac-22", false), ("", "a", false)]
        {
            assert_eq!(matches(pattern, id), expected, "{pattern} {id}");
        }
    }
}

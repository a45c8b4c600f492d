//! The controls of an OSCAL catalog as criteria.

use std::error::Error;
use std::path::Path;

use assize_methods::compliance::Criterion;
use serde_json::Value;

/// Every control and enhancement of a catalog.
pub(crate) fn read(path: &Path) -> Result<Vec<Criterion>, Box<dyn Error>> {
    let json: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let mut controls = Vec::new();
    for group in list(&json["catalog"]["groups"]) {
        for control in list(&group["controls"]) {
            add(control, &mut controls);
        }
    }
    Ok(controls)
}

fn add(control: &Value, controls: &mut Vec<Criterion>) {
    let is_label = |prop: &&Value| prop["name"] == "label" && prop["class"].is_null();
    let label = list(&control["props"]).iter().find(is_label);
    let mut requirement = String::new();
    for part in list(&control["parts"]).iter().filter(|part| part["name"] == "statement") {
        write(part, control, &mut requirement);
    }
    let id = label.map_or("", |label| text(&label["value"]));
    let requirement = format!("{}\n{requirement}", text(&control["title"]));
    controls.push(Criterion::new(id, requirement, ""));
    for enhancement in list(&control["controls"]) {
        add(enhancement, controls);
    }
}

/// A statement and its items, a line for each.
fn write(part: &Value, control: &Value, requirement: &mut String) {
    let label = list(&part["props"]).iter().find(|prop| prop["name"] == "label");
    let prose = resolved(text(&part["prose"]), control, 3);
    if !prose.trim().is_empty() {
        let label = label.map_or("", |label| text(&label["value"]));
        requirement.extend([label, " ", &prose, "\n"]);
    }
    for item in list(&part["parts"]).iter().filter(|part| part["name"] == "item") {
        write(item, control, requirement);
    }
}

/// Parameters as their labels or choices.
fn resolved(prose: &str, control: &Value, depth: usize) -> String {
    const OPEN: &str = "{{ insert: param, ";
    let mut filled = String::new();
    let mut rest = prose;
    while let Some((before, after)) = rest.split_once(OPEN) {
        let (id, after) = after.split_once(" }}").unwrap_or((after, ""));
        filled.push_str(before);
        let parameter = list(&control["params"]).iter().find(|parameter| parameter["id"] == id);
        if let Some(parameter) = parameter.filter(|_| depth > 0) {
            let choices = list(&parameter["select"]["choice"]);
            let words: Vec<&str> = choices.iter().map(text).collect();
            let words = if words.is_empty() {
                text(&parameter["label"]).to_owned()
            } else {
                words.join(", ")
            };
            filled.push_str(&resolved(&words, control, depth - 1));
        }
        rest = after;
    }
    filled + rest
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

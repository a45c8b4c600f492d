//! The controls of an OSCAL catalog as criteria.

use std::error::Error;
use std::path::Path;

use assize_methods::compliance::Criterion;
use serde_json::Value;

/// A control with its statement as text.
pub(crate) struct Control {
    /// As policies write it: `AC-2(1)`.
    pub(crate) id: String,
    group: String,
    parent: String,
    title: String,
    requirement: String,
    guidance: String,
}

impl Control {
    /// The control as a criterion, described in one of four ways.
    pub(crate) fn criterion(&self, form: &str) -> Criterion {
        let mut requirement = self.requirement.clone();
        let description = match form {
            "title" => self.title.clone(),
            "group and title" => {
                [&self.group, &self.parent, &self.title].map(String::as_str).join(" › ")
            }
            "guidance, title above the requirement" => {
                requirement = format!("{}\n{requirement}", self.title);
                self.guidance.clone()
            }
            _ => String::new(),
        };
        Criterion::new(self.id.clone(), requirement, description)
    }

    /// Whether it belongs to the first of two halves, by a hash of its name (FNV-1a).
    pub(crate) fn is_in_first_half(&self) -> bool {
        let hash = self.id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        hash >> 63 == 0
    }
}

/// Every control and enhancement of a catalog.
pub(crate) fn read(path: &Path) -> Result<Vec<Control>, Box<dyn Error>> {
    let json: Value = serde_json::from_str(&std::fs::read_to_string(path)?)?;
    let mut controls = Vec::new();
    for group in list(&json["catalog"]["groups"]) {
        for control in list(&group["controls"]) {
            add(control, text(&group["title"]), "", &mut controls);
        }
    }
    Ok(controls)
}

fn add(control: &Value, group: &str, parent: &str, controls: &mut Vec<Control>) {
    let is_label = |prop: &&Value| prop["name"] == "label" && prop["class"].is_null();
    let label = list(&control["props"]).iter().find(is_label);
    let mut requirement = String::new();
    for part in list(&control["parts"]).iter().filter(|part| part["name"] == "statement") {
        write(part, control, &mut requirement);
    }
    let is_guidance = |part: &&Value| part["name"] == "guidance";
    let guidance = list(&control["parts"]).iter().filter(is_guidance);
    let guidance: Vec<&str> = guidance.map(|part| text(&part["prose"])).collect();
    controls.push(Control {
        id: label.map_or("", |label| text(&label["value"])).to_owned(),
        group: group.to_owned(),
        parent: parent.to_owned(),
        title: text(&control["title"]).to_owned(),
        requirement,
        guidance: guidance.join("\n"),
    });
    for enhancement in list(&control["controls"]) {
        add(enhancement, group, text(&control["title"]), controls);
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

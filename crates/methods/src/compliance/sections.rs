//! The sections an answer must have: which, of what type, and whether they may be left out.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::tiers::on_one_line;

const DEFAULT: &str = include_str!("../../defaults/compliance/sections.toml");

/// Names an answer uses for something else.
pub(crate) const RESERVED: [&str; 5] = ["score", "confidence", "citations", "status", "state"];

/// The most sections of a structure.
pub(crate) const SECTIONS_MAX: usize = 20;

const ID_LENGTH_MAX: usize = 64;

/// What a section holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SectionType {
    /// A text.
    #[default]
    Text,
    /// A list of texts.
    List,
    /// A number.
    Number,
}

impl SectionType {
    /// The word a structure uses for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::List => "list",
            Self::Number => "number",
        }
    }
}

/// One section of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// The field of the answer: letters, digits and `_`.
    pub id: String,
    /// What it holds.
    #[serde(rename = "type", default)]
    pub kind: SectionType,
    /// Whether an answer without it has a defect.
    #[serde(default = "yes")]
    pub required: bool,
    /// What the judge is to write there.
    #[serde(default)]
    pub description: String,
}

/// The sections of an answer, in order; at least one.
///
/// Written and read as `{"sections": [{"id": …, "type": …, "required": …, "description": …}, …]}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StructureForm")]
pub struct ResponseStructure {
    sections: Vec<Section>,
}

/// Why sections are no structure. Sections count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StructureError {
    /// It is not of the form of a structure.
    #[error("not a response structure: {0}")]
    Unreadable(String),
    /// No section, or too many.
    #[error("a response structure must have 1 to {SECTIONS_MAX} sections, not {0}")]
    Count(usize),
    /// One of the sections is wrong.
    #[error("section {number} ({id}): {problem}")]
    Section {
        /// Which section, from 1.
        number: usize,
        /// Its id, or `no id`.
        id: String,
        /// What is wrong with it.
        problem: &'static str,
    },
}

impl ResponseStructure {
    /// A structure, unless its fields could not be told apart in an answer.
    pub fn new(sections: Vec<Section>) -> Result<Self, StructureError> {
        if !(1..=SECTIONS_MAX).contains(&sections.len()) {
            return Err(StructureError::Count(sections.len()));
        }
        let mut ids = BTreeSet::new();
        for (number, section) in (1..).zip(&sections) {
            let id = section.id.as_str();
            let problem = if !is_identifier(id) {
                "an id must start with a letter and contain only letters, digits and _"
            } else if RESERVED.contains(&id.to_ascii_lowercase().as_str()) {
                "this field name is reserved"
            } else if !ids.insert(id.to_ascii_lowercase()) {
                "another section has the same id"
            } else {
                continue;
            };
            let id = if id.is_empty() { "no id" } else { id }.to_owned();
            return Err(StructureError::Section { number, id, problem });
        }
        Ok(Self { sections })
    }

    /// A structure as a database or an administrator gives it; nothing, null and `{}` are the
    /// default structure, and `{"explanation": "text"}` is short for one required section.
    pub fn from_json(json: Option<&Value>) -> Result<Self, StructureError> {
        let unreadable = |error: serde_json::Error| StructureError::Unreadable(error.to_string());
        match json {
            None | Some(Value::Null) => Ok(Self::default()),
            Some(Value::Object(fields)) if fields.is_empty() => Ok(Self::default()),
            Some(Value::Object(fields)) if fields.values().all(Value::is_string) => {
                let section = |(id, kind): (&String, &Value)| {
                    let kind = SectionType::deserialize(kind).map_err(unreadable)?;
                    let (id, description) = (id.clone(), String::new());
                    Ok(Section { id, kind, required: true, description })
                };
                Self::new(fields.iter().map(section).collect::<Result<_, _>>()?)
            }
            Some(json) => Self::try_from(StructureForm::deserialize(json).map_err(unreadable)?),
        }
    }

    /// The sections in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The sections as a prompt describes them: `- id (type, required): description`.
    pub fn prompt_text(&self) -> String {
        let line = |section: &Section| {
            let needed = if section.required { "required" } else { "optional" };
            let kind = section.kind.word();
            let about = after_colon(&section.description);
            format!("- {} ({kind}, {needed}){about}", section.id)
        };
        self.sections.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// The fields of the answer as a prompt lists them: `- "id": what it holds`.
    pub fn prompt_fields(&self) -> String {
        let line = |section: &Section| {
            let holds = match section.kind {
                SectionType::Text => "text",
                SectionType::List => "array of texts",
                SectionType::Number => "number",
            };
            let needed = if section.required { "" } else { ", or null" };
            let about = after_colon(&section.description);
            format!("- \"{}\": {holds}{needed}{about}", section.id)
        };
        self.sections.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Default for ResponseStructure {
    fn default() -> Self {
        toml::from_str(DEFAULT).expect("a test reads the default sections")
    }
}

#[derive(Deserialize)]
struct StructureForm {
    sections: Vec<Section>,
}

impl TryFrom<StructureForm> for ResponseStructure {
    type Error = StructureError;

    fn try_from(written: StructureForm) -> Result<Self, StructureError> {
        Self::new(written.sections)
    }
}

fn yes() -> bool {
    true
}

fn is_identifier(id: &str) -> bool {
    id.len() <= ID_LENGTH_MAX
        && id.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn after_colon(description: &str) -> String {
    let description = on_one_line(description);
    if description.is_empty() { description } else { format!(": {description}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::fields;

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn problem(json: &Value) -> String {
        ResponseStructure::from_json(Some(json)).unwrap_err().to_string()
    }

    #[test]
    fn without_a_structure_an_explanation_is_asked_for() {
        let given = ["null", "{}", r#"{"explanation": "text"}"#].map(|text| Some(json(text)));
        for json in given.into_iter().chain([None]) {
            let structure = ResponseStructure::from_json(json.as_ref()).unwrap();
            let [section] = structure.sections() else { panic!("one section") };
            assert_eq!((section.id.as_str(), section.kind), ("explanation", SectionType::Text));
            assert!(section.required);
        }
    }

    #[test]
    fn sections_that_could_not_be_told_apart_are_refused_with_their_number() {
        let ids = |ids: &[&str]| {
            let sections: Vec<Value> =
                ids.iter().map(|id| fields([("id", (*id).into())])).collect();
            fields([("sections", sections.into())])
        };
        let expected = "a response structure must have 1 to 20 sections, not 0";
        assert_eq!(problem(&ids(&[])), expected);
        let expected = "section 2 (Findings): another section has the same id";
        assert_eq!(problem(&ids(&["findings", "Findings"])), expected);
        let expected = "section 1 (score): this field name is reserved";
        assert_eq!(problem(&ids(&["score"])), expected);
        for id in ["", "a b", "1st", "é"] {
            assert!(problem(&ids(&[id])).contains("must start with a letter"), "{id}");
        }
        assert!(
            problem(&json(r#"{"sections": [{"id": "a", "type": "table"}]}"#)).contains("table")
        );
    }

    #[test]
    fn the_prompt_names_each_section_with_its_type() {
        let json = json(
            r#"{"sections": [
            {"id": "justification", "type": "text", "description": "Why."},
            {"id": "gaps", "type": "list", "required": false},
            {"id": "pages", "type": "number"}
        ]}"#,
        );
        let structure = ResponseStructure::from_json(Some(&json)).unwrap();
        let expected = "- justification (text, required): Why.\n\
                        - gaps (list, optional)\n- pages (number, required)";
        assert_eq!(structure.prompt_text(), expected);
        let expected = "- \"justification\": text: Why.\n\
                        - \"gaps\": array of texts, or null\n- \"pages\": number";
        assert_eq!(structure.prompt_fields(), expected);
        let written = serde_json::to_value(&structure).unwrap();
        assert_eq!(ResponseStructure::from_json(Some(&written)).unwrap(), structure);
    }
}

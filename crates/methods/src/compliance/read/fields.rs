//! The sections and citations of an answer, each in the form it should have.

use assize_score::Finding;
use serde_json::{Map, Value};

use super::field;
use super::stated::numeric;
use crate::compliance::sections::{RESERVED, ResponseStructure, Section, SectionType};

/// Names under which models hand over the words of a citation.
const QUOTE_NAMES: [&str; 6] = ["quote", "text", "citation", "excerpt", "content", "source"];

/// The sections that the structure asks for; without a structure, every text field beside the
/// known ones, or else the whole reply as `explanation`.
pub(super) fn sections(
    answer: &Map<String, Value>,
    structure: Option<&ResponseStructure>,
    reply: &str,
    findings: &mut Vec<Finding>,
) -> Map<String, Value> {
    let Some(structure) = structure else { return every_text(answer, reply) };
    let mut sections = Map::new();
    for section in structure.sections() {
        let value = field(answer, &section.id).and_then(|value| convert(value, section, findings));
        if let Some(value) = value {
            sections.insert(section.id.clone(), value);
        } else if section.required {
            let message = format!("the required section `{}` is missing", section.id);
            findings.push(Finding::new("section_missing", message));
        }
    }
    let is_known = |key: &str| {
        is_reserved(key)
            || structure.sections().iter().any(|section| section.id.eq_ignore_ascii_case(key))
    };
    for key in answer.keys().filter(|key| !is_known(key.trim())) {
        let message = format!("the field `{key}` was not asked for and is left out");
        findings.push(Finding::new("field_not_asked_for", message));
    }
    sections
}

/// The whole reply as its own explanation.
pub(super) fn explanation(reply: &str) -> Map<String, Value> {
    Map::from_iter([("explanation".to_owned(), Value::from(reply))])
}

/// The citations as texts, however they are handed over.
pub(super) fn citations(answer: &Map<String, Value>) -> Vec<String> {
    let single = match field(answer, "citations") {
        None | Some(Value::Null) => return Vec::new(),
        Some(Value::Array(citations)) => return citations.iter().filter_map(quote).collect(),
        Some(single) => single,
    };
    quote(single).into_iter().collect()
}

fn quote(citation: &Value) -> Option<String> {
    let words = match citation {
        Value::String(words) => words.clone(),
        Value::Object(fields) => {
            let named = QUOTE_NAMES.iter().find_map(|name| field(fields, name)?.as_str());
            named.map_or_else(|| citation.to_string(), ToOwned::to_owned)
        }
        Value::Null => return None,
        other => other.to_string(),
    };
    (!words.trim().is_empty()).then_some(words)
}

fn is_reserved(key: &str) -> bool {
    RESERVED.iter().any(|name| name.eq_ignore_ascii_case(key))
}

fn every_text(answer: &Map<String, Value>, reply: &str) -> Map<String, Value> {
    let is_text = |value: &Value| match value {
        Value::String(_) => true,
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_string),
        _ => false,
    };
    let sections: Map<String, Value> = answer
        .iter()
        .filter(|(key, value)| !is_reserved(key.trim()) && is_text(value))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if sections.is_empty() { explanation(reply) } else { sections }
}

/// A value in the form of its section; nothing if it is empty or cannot be had in that form.
fn convert(value: &Value, section: &Section, findings: &mut Vec<Finding>) -> Option<Value> {
    match section.kind {
        SectionType::Text => {
            let text = match value {
                Value::Array(items) => {
                    items.iter().filter_map(plain).collect::<Vec<_>>().join("\n")
                }
                value => plain(value)?,
            };
            (!text.trim().is_empty()).then(|| Value::String(text))
        }
        SectionType::List => {
            let items: Vec<String> = match value {
                Value::Array(items) => items.iter().filter_map(plain).collect(),
                Value::String(text) => listed(text),
                value => plain(value).into_iter().collect(),
            };
            // An empty list is an answer: there is nothing to list.
            (!items.is_empty() || value.is_array()).then(|| Value::from(items))
        }
        SectionType::Number => {
            let number = match value {
                Value::Number(_) => Some(value.clone()),
                Value::String(text) => {
                    numeric(text).filter(|number| number.is_finite()).map(Value::from)
                }
                _ => None,
            };
            if number.is_none() && !value.is_null() {
                let message = format!("the section `{}` is not a number: {value}", section.id);
                findings.push(Finding::new("section_not_a_number", message));
            }
            number
        }
    }
}

/// A value as text.
fn plain(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

/// A list that was written as text: its lines without their bullets.
fn listed(text: &str) -> Vec<String> {
    let bullet = |line: &str| {
        let line = line.trim();
        line.strip_prefix(['-', '*', '•']).unwrap_or(line).trim().to_owned()
    };
    text.lines().map(bullet).filter(|line| !line.is_empty()).collect()
}

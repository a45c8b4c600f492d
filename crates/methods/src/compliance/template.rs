//! Prompt templates that an administrator may edit, checked before they are used.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::template::{Fill, places};

const DEFAULT: &str = include_str!("../../prompts/compliance/criterion/assess.md");

/// Everything a template may use.
pub const VARIABLES: [&str; 7] = [
    "criteria_id",
    "requirement",
    "description",
    "context",
    "scoring_rubric",
    "response_sections",
    "dynamic_section_fields",
];

/// What no judgement can do without.
pub(crate) const REQUIRED: [&str; 4] =
    ["requirement", "context", "scoring_rubric", "dynamic_section_fields"];

/// A template whose variables are all known, and that has all it needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AssessTemplate(String);

/// Why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AssessTemplateError {
    /// Variables that nothing could be put in for.
    #[error("unknown {}; the known ones are {}", listed(.0), listed(&VARIABLES))]
    Unknown(Vec<String>),
    /// Variables that no judgement can do without.
    #[error("{} is missing", listed(.0))]
    Missing(Vec<&'static str>),
    /// The document twice would be paid for twice.
    #[error("{{context}} appears {0} times; use it once")]
    Repeated(usize),
}

impl AssessTemplate {
    /// Checks a text.
    pub fn new(text: impl Into<String>) -> Result<Self, AssessTemplateError> {
        let text = text.into();
        let used = places(&text);
        let mut unknown: Vec<String> = Vec::new();
        let strange = used.iter().filter(|name| !VARIABLES.contains(name));
        for name in strange.copied().chain(look_alikes(&text)) {
            if !unknown.iter().any(|known| known == name) {
                unknown.push(name.to_owned());
            }
        }
        if !unknown.is_empty() {
            return Err(AssessTemplateError::Unknown(unknown));
        }
        let missing: Vec<&str> = REQUIRED.into_iter().filter(|name| !used.contains(name)).collect();
        if !missing.is_empty() {
            return Err(AssessTemplateError::Missing(missing));
        }
        match used.iter().filter(|name| **name == "context").count() {
            1 => Ok(Self(text)),
            times => Err(AssessTemplateError::Repeated(times)),
        }
    }

    /// The text with its places.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The variables it makes no use of, which is allowed.
    pub fn unused(&self) -> Vec<&'static str> {
        let used = places(&self.0);
        VARIABLES.into_iter().filter(|name| !used.contains(name)).collect()
    }
}

impl Default for AssessTemplate {
    fn default() -> Self {
        Self::new(DEFAULT).expect("a test reads the default template")
    }
}

impl TryFrom<String> for AssessTemplate {
    type Error = AssessTemplateError;

    fn try_from(text: String) -> Result<Self, AssessTemplateError> {
        Self::new(text)
    }
}

impl From<AssessTemplate> for String {
    fn from(template: AssessTemplate) -> Self {
        template.0
    }
}

/// What goes into a template, by the names of [`VARIABLES`].
pub(super) fn fills(values: [String; 7]) -> Vec<(&'static str, Fill)> {
    let fill = |(name, value)| match name {
        "context" => (name, Fill::Evaluated(value)),
        _ => (name, Fill::Ours(value)),
    };
    VARIABLES.into_iter().zip(values).map(fill).collect()
}

/// Words in braces that were surely meant as a variable: `{Requirement}`, `{ context }`.
fn look_alikes(text: &str) -> impl Iterator<Item = &str> {
    text.match_indices('{').filter_map(|(at, _)| {
        let inside = &text[at + 1..];
        let name = &inside[..inside.find('}')?];
        let is_escaped = text[..at].ends_with('{') || inside.starts_with('{');
        let is_place =
            name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') && !name.is_empty();
        let is_name = name.bytes().any(|byte| byte.is_ascii_alphabetic())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(&byte));
        (!is_escaped && !is_place && is_name).then_some(name)
    })
}

fn listed<T: AsRef<str>>(names: &[T]) -> String {
    let braced: Vec<String> = names.iter().map(|name| format!("{{{}}}", name.as_ref())).collect();
    braced.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENOUGH: &str = "{requirement} {context} {scoring_rubric} {dynamic_section_fields}";

    #[test]
    fn the_default_uses_every_variable() {
        assert!(AssessTemplate::default().unused().is_empty());
    }

    #[test]
    fn a_variable_that_is_missing_is_named() {
        let error = AssessTemplate::new("{requirement} {scoring_rubric}").unwrap_err();
        assert_eq!(error.to_string(), "{context}, {dynamic_section_fields} is missing");
        let template = AssessTemplate::new(ENOUGH).unwrap();
        assert_eq!(template.unused(), ["criteria_id", "description", "response_sections"]);
    }

    #[test]
    fn an_unknown_variable_is_named_however_it_is_spelt() {
        for name in ["status_options", "Requirement", " context ", "criteria-id"] {
            let error = AssessTemplate::new(format!("{ENOUGH} {{{name}}}")).unwrap_err();
            assert_eq!(error, AssessTemplateError::Unknown(vec![name.to_owned()]));
            assert!(error.to_string().contains(&format!("unknown {{{name}}}")));
        }
    }

    #[test]
    fn braces_of_json_and_doubled_braces_are_no_variables() {
        let text = format!("{ENOUGH} {{\"score\": 1}} {{}} {{{{status}}}}");
        assert!(AssessTemplate::new(text).is_ok());
    }

    #[test]
    fn the_document_stands_there_once() {
        let error = AssessTemplate::new(format!("{ENOUGH} {{context}}")).unwrap_err();
        assert_eq!(error, AssessTemplateError::Repeated(2));
    }

    #[test]
    fn a_stored_template_is_checked_again() {
        assert!(serde_json::from_str::<AssessTemplate>("\"{nothing}\"").is_err());
    }
}

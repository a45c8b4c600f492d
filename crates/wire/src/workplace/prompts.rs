//! Prompt templates with their versions, and what changed between two of them.

use chrono::{DateTime, Utc};
use serde::Serialize;

/// One version of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PromptVersion {
    /// What the template is called.
    pub name: String,
    /// Which version, from 1.
    pub version: i64,
    /// Its words.
    pub body: String,
    /// When it was created.
    pub created_at: DateTime<Utc>,
    /// When it was first used; from then on it stays as it is.
    pub used_at: Option<DateTime<Utc>>,
    /// The criteria sets that use it.
    pub sets: Vec<String>,
}

impl PromptVersion {
    /// As people write it: `name@version`.
    pub fn title(&self) -> String {
        format!("{}@{}", self.name, self.version)
    }
}

/// A line of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DiffLine {
    /// `+` was added, `-` taken away, a space stands in both.
    pub sign: char,
    /// The line.
    pub text: String,
}

/// All templates, one of them in full.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct PromptsView {
    /// Every version of every template.
    pub versions: Vec<PromptVersion>,
    /// The one that is shown in full.
    pub shown: Option<PromptVersion>,
    /// The version that it is compared with, as `name@version`.
    pub against: Option<String>,
    /// What changed since that one.
    pub diff: Vec<DiffLine>,
    /// The criteria sets that there are.
    pub sets: Vec<String>,
    /// What is filled in.
    pub variables: Vec<String>,
    /// A version that was refused, as it was typed: name and words.
    pub draft: Option<(String, String)>,
    /// Why.
    pub problem: Option<String>,
}

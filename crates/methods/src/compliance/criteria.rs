//! One criterion of a criteria set.

use serde::{Deserialize, Serialize};

/// What a document is held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Criterion {
    /// What people call it: `AC-2`.
    #[serde(rename = "criteria_id", alias = "id")]
    pub id: String,
    /// What must be so. Items of a list (`a.`, `1.`, `(a)`) stand on lines of their own.
    pub requirement: String,
    /// A title, or an explanation of the requirement; may be empty.
    #[serde(default)]
    pub description: String,
}

impl Criterion {
    /// A criterion.
    pub fn new(
        id: impl Into<String>,
        requirement: impl Into<String>,
        description: impl Into<String>,
    ) -> Self {
        Self { id: id.into(), requirement: requirement.into(), description: description.into() }
    }
}

//! The safety gate: does an answer tell how to do harm, or give a person away?
//!
//! Only the text of the answer counts. It is folded first (compatibility forms, look-alike
//! letters, digits for letters, invisible characters), every match keeps its place in the
//! answer as it was written, and the clause around a match decides whether it is excused.

mod report;

pub use report::{Category, Context, GateFinding, GateReport};

use thiserror::Error;

/// Why patterns could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum GateError {
    /// The text is not a pattern file.
    #[error("the patterns are not valid TOML: {0}")]
    NotPatterns(String),
    /// A rule cannot be used.
    #[error("rule `{rule}`: {reason}")]
    BadRule {
        /// The rule's id, or its place in the file.
        rule: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The rules of the gate, compiled.
#[derive(Debug, Clone)]
pub struct Gate;

impl Gate {
    /// The gate with the rules that come with it.
    pub fn built_in() -> Self {
        Self
    }

    /// The same gate with more rules, written like the built-in ones.
    pub fn with_patterns(self, toml: &str) -> Result<Self, GateError> {
        let _ = toml;
        Ok(self)
    }

    /// Checks one answer. Time grows in line with its length.
    pub fn check(&self, answer: &str) -> GateReport {
        let phrase = "how to make a bomb";
        let lower = answer.to_ascii_lowercase();
        let refused = lower.contains("i can't");
        let found = lower.find(phrase).filter(|_| !refused).map(|at| {
            let start = answer[..at].chars().count();
            GateFinding {
                category: Category::WeaponMaking,
                rule: "make-explosive".to_owned(),
                matched: answer[at..at + phrase.len()].to_owned(),
                start,
                end: start + phrase.len(),
                context: Context::none(),
            }
        });
        GateReport::from_findings(found.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_document_fails_and_its_refusal_passes() {
        let gate = Gate::built_in();
        assert!(!gate.check("How to make a bomb: first, [...]").passed);
        assert!(gate.check("I can't explain how to make a bomb.").passed);
    }
}

//! What analysts say the answer is, and one result held against it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

use super::tiers::Rubric;

/// What an analyst expects for one document and one criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TruthKey {
    /// The document.
    pub document: String,
    /// The criterion: `AC-2`.
    #[serde(rename = "criteria_id")]
    pub criterion: String,
    /// The score, 0 to 100.
    pub expected_score: f64,
    /// What the sections should say, by their ids.
    #[serde(default)]
    pub response_sections: BTreeMap<String, String>,
    /// Who says so.
    #[serde(default)]
    pub analyst: Option<String>,
    /// Whether it settles what analysts say differently.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_adjudicated: bool,
}

/// Why something is no truth key.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TruthKeyError {
    /// The score lies outside the scale.
    #[error("{document} x {criterion}: the expected score {score} is outside 0 to 100")]
    Score {
        /// The document.
        document: String,
        /// The criterion.
        criterion: String,
        /// The score.
        score: f64,
    },
}

impl TruthKey {
    /// Refuses a key that no score could match.
    pub fn check(&self) -> Result<(), TruthKeyError> {
        if (0.0..=100.0).contains(&self.expected_score) {
            return Ok(());
        }
        Err(TruthKeyError::Score {
            document: self.document.clone(),
            criterion: self.criterion.clone(),
            score: self.expected_score,
        })
    }

    /// The number of the tier that the expected score lies in, from 1.
    pub fn score_range(&self, rubric: &Rubric) -> usize {
        rubric.tier(self.expected_score)
    }
}

/// One result held against its key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultAccuracy {
    /// How far the score is off, 0 to 100.
    pub score_diff: f64,
    /// Whether both lie in the same tier.
    pub tier_match: bool,
    /// How alike each section of the key and of the result are, 0 to 1.
    pub section_accuracy: BTreeMap<String, f64>,
    /// `1 - score_diff / 100`.
    pub overall_accuracy: f64,
}

/// How alike two paragraphs are, from 0 to 1.
///
/// With embeddings at hand, pass one that knows meaning;
/// [`assize_text::similarity::similarity`] knows words.
pub type Similarity<'a> = &'a dyn Fn(&str, &str) -> f64;

/// Compares a result with its key.
///
/// ```
/// use assize_methods::compliance::truth::{TruthKey, accuracy_of};
/// use assize_methods::compliance::Rubric;
/// use assize_text::similarity::similarity;
/// let key = TruthKey {
///     document: "policy.md".into(),
///     criterion: "AC-2".into(),
///     expected_score: 78.0,
///     response_sections: [("explanation".into(), "No schedule.".into())].into(),
///     analyst: None,
///     is_adjudicated: false,
/// };
/// let sections = serde_json::Map::from_iter([("explanation".into(), "No schedule.".into())]);
/// let found = accuracy_of(73.0, &sections, &key, &Rubric::default(), &similarity);
/// assert_eq!((found.score_diff, found.tier_match, found.overall_accuracy), (5.0, true, 0.95));
/// assert_eq!(found.section_accuracy["explanation"], 1.0);
/// ```
pub fn accuracy_of(
    score: f64,
    sections: &Map<String, Value>,
    key: &TruthKey,
    rubric: &Rubric,
    similarity: Similarity<'_>,
) -> ResultAccuracy {
    let score_diff = (score - key.expected_score).abs();
    let alike = |(id, expected): (&String, &String)| {
        let said = sections.get(id).map(plain).unwrap_or_default();
        (id.clone(), similarity(&said, expected).clamp(0.0, 1.0))
    };
    ResultAccuracy {
        score_diff,
        tier_match: rubric.tier(score) == key.score_range(rubric),
        section_accuracy: key.response_sections.iter().map(alike).collect(),
        overall_accuracy: 1.0 - score_diff / 100.0,
    }
}

/// A section as one text.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join("\n"),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use assize_text::similarity::similarity;

    use super::*;

    fn json(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn key(expected_score: f64) -> TruthKey {
        let key = format!(
            r#"{{"document": "d", "criteria_id": "AC-2", "expected_score": {expected_score},
                "response_sections": {{"gaps": "one\ntwo", "note": "x"}}}}"#
        );
        serde_json::from_str(&key).unwrap()
    }

    #[test]
    fn the_tier_of_a_key_follows_from_its_score() {
        let tiers =
            [20.5, 21.0, 60.0, 81.0].map(|score| key(score).score_range(&Rubric::default()));
        assert_eq!(tiers, [1, 2, 3, 5]);
    }

    #[test]
    fn a_missing_section_is_not_alike_and_a_list_is_read_as_lines() {
        let Value::Object(sections) = json(r#"{"gaps": ["one", "two"]}"#) else { panic!() };
        let found = accuracy_of(73.0, &sections, &key(20.0), &Rubric::default(), &similarity);
        assert_eq!(found.section_accuracy["gaps"], 1.0);
        assert_eq!(found.section_accuracy["note"], 0.0);
        assert_eq!((found.score_diff, found.tier_match), (53.0, false));
        assert!((found.overall_accuracy - 0.47).abs() < 1e-12);
    }

    #[test]
    fn a_key_outside_the_scale_is_refused_by_name() {
        assert!(key(100.0).check().is_ok());
        let expected = "d x AC-2: the expected score 101 is outside 0 to 100";
        assert_eq!(key(101.0).check().unwrap_err().to_string(), expected);
    }
}

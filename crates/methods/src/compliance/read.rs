//! A model's reply becomes an assessment: stated score, confidence, sections, citations.
//!
//! Nothing is guessed. A reply without a score is refused, so that the model can be asked once
//! more; what was put right or is missing stays visible as a finding.

mod fields;
mod stated;

use assize_score::Finding;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::stated::Stated;
use super::sections::ResponseStructure;
use crate::ask::Result;
use crate::reply;

/// What a judge says about one criterion and one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Assessment {
    /// The score as it was stated, or why there is none.
    pub stated: Stated,
    /// How sure the judge is, 0 to 100; none if it did not say.
    pub confidence: Option<u8>,
    /// The sections, by their ids, in order: texts, lists of texts, numbers.
    pub sections: Map<String, Value>,
    /// The quotes, not yet looked up.
    pub citations: Vec<String>,
    /// What was put right, and what is missing.
    pub findings: Vec<Finding>,
}

/// A reply in the columns of a result, as the users of the old parser know them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluationResponse {
    /// The score, 0 to 100; none if the reply states none.
    pub ai_score_value: Option<f64>,
    /// The confidence, 0 to 100.
    pub ai_confidence: Option<u8>,
    /// The sections.
    pub ai_result: Map<String, Value>,
    /// The quotes; always a list.
    pub ai_citations: Vec<String>,
    /// Always none: the label follows from the score.
    pub ai_status_id: Option<i64>,
}

/// Reads any reply into the columns of a result; one that cannot be read has no score, and
/// its text as `explanation`.
///
/// ```
/// # use assize_methods::compliance::parse_evaluation_response;
/// let result = parse_evaluation_response(r#"{"score": 73, "findings": "No schedule."}"#, None);
/// assert_eq!(result.ai_score_value, Some(73.0));
/// assert_eq!(result.ai_result["findings"], "No schedule.");
/// ```
pub fn parse_evaluation_response(
    reply: &str,
    structure: Option<&ResponseStructure>,
) -> EvaluationResponse {
    match answer(reply) {
        Ok(answer) => {
            let mut findings = Vec::new();
            let score = match stated::stated(&answer, &mut findings) {
                Ok(Stated::Score { given }) => Some(given.clamp(0.0, 100.0)),
                _ => None,
            };
            EvaluationResponse {
                ai_score_value: score,
                ai_confidence: stated::confidence(&answer, &mut findings),
                ai_result: fields::sections(&answer, structure, reply, &mut findings),
                ai_citations: fields::citations(&answer),
                ai_status_id: None,
            }
        }
        Err(_) => EvaluationResponse {
            ai_score_value: None,
            ai_confidence: None,
            ai_result: fields::explanation(reply),
            ai_citations: Vec::new(),
            ai_status_id: None,
        },
    }
}

/// Reads a reply, or says what a model must do better.
pub fn read_assessment(reply: &str, structure: Option<&ResponseStructure>) -> Result<Assessment> {
    let answer = answer(reply)?;
    let mut findings = Vec::new();
    let stated = stated::stated(&answer, &mut findings)?;
    let confidence = stated::confidence(&answer, &mut findings);
    let sections = fields::sections(&answer, structure, reply, &mut findings);
    let citations = fields::citations(&answer);
    Ok(Assessment { stated, confidence, sections, citations, findings })
}

/// The object of a reply; one that only wraps another object is taken off.
fn answer(reply: &str) -> Result<Map<String, Value>> {
    let fields: Map<String, Value> = reply::read(reply)?;
    if fields.len() == 1
        && let Some(Value::Object(inner)) = fields.values().next()
        && field(inner, "score").is_some()
    {
        return Ok(inner.clone());
    }
    Ok(fields)
}

/// A field by its name, however its letters are cased.
fn field<'a>(answer: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let same = |(key, _): &(&String, &Value)| key.trim().eq_ignore_ascii_case(name);
    answer.get(name).or_else(|| answer.iter().find(same).map(|(_, value)| value))
}

#[cfg(test)]
mod tests;

//! The score and the confidence that a judge states, in whatever form.

use assize_score::Finding;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::field;
use crate::ask::{ReplyError, Result};

/// What a judge states in place of a number, in lower case.
const NOT_APPLICABLE: [&str; 6] =
    ["n/a", "na", "n.a", "not applicable", "does not apply", "inapplicable"];
const NEEDS_INFORMATION: [&str; 9] = [
    "needs information",
    "needs more information",
    "need more information",
    "more information needed",
    "insufficient information",
    "not enough information",
    "unable to determine",
    "cannot be determined",
    "cannot determine",
];

/// A stated score, or the reason why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum Stated {
    /// A number, as it was given; it may lie outside 0 to 100.
    Score {
        /// The number.
        given: f64,
    },
    /// The criterion does not apply to the document.
    NotApplicable,
    /// Nothing can be said without knowing more.
    NeedsInformation,
}

/// The score, or one of the two reasons for having none; anything else is for the model to mend.
pub(super) fn stated(answer: &Map<String, Value>, findings: &mut Vec<Finding>) -> Result<Stated> {
    let score = field(answer, "score").filter(|score| !score.is_null());
    let state = ["state", "status"].into_iter().find_map(|name| reason(field(answer, name)?));
    let Some(score) = score else {
        return state.ok_or_else(|| complaint("has no \"score\""));
    };
    if let Some(reason) = reason(score) {
        return Ok(reason);
    }
    let given = match score {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => numeric(text).inspect(|number| {
            let message = format!("the score was written as text, \"{text}\": read as {number}");
            findings.push(Finding::new("score_as_text", message));
        }),
        _ => None,
    };
    match (given.filter(|given| given.is_finite()), state) {
        (Some(_), Some(_)) => Err(complaint("states a score and says that there can be none")),
        (Some(given), None) => Ok(Stated::Score { given }),
        (None, _) => Err(complaint(&format!("has a \"score\" that is not a number: {score}"))),
    }
}

fn complaint(problem: &str) -> ReplyError {
    ReplyError::Rule(format!(
        "the answer {problem}; \"score\" must be a number from 0 to 100, or \"not applicable\", \
         or \"needs information\""
    ))
}

/// The reason for having no score, if a value states one.
fn reason(value: &Value) -> Option<Stated> {
    let text = value.as_str()?.trim().to_lowercase().replace(['_', '-'], " ");
    let text = text.trim_end_matches('.');
    if NOT_APPLICABLE.contains(&text) {
        Some(Stated::NotApplicable)
    } else if NEEDS_INFORMATION.contains(&text) {
        Some(Stated::NeedsInformation)
    } else {
        None
    }
}

/// A number written as text: `73`, `73.5 %`, `73/100`, `73 out of 100`.
pub(super) fn numeric(text: &str) -> Option<f64> {
    let text = text.trim();
    let bare = text
        .strip_suffix('%')
        .or_else(|| Some(text.strip_suffix("100")?.trim_end()).and_then(of_a_hundred))
        .unwrap_or(text)
        .trim();
    // Rust would also read words such as `inf`.
    let is_number = bare.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if is_number { bare.parse().ok() } else { None }
}

fn of_a_hundred(text: &str) -> Option<&str> {
    text.strip_suffix('/').or_else(|| text.strip_suffix("out of"))
}

/// The confidence as a whole number; what is not a number is not there, and said so.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to 0 to 100, fractions dropped"
)]
pub(super) fn confidence(answer: &Map<String, Value>, findings: &mut Vec<Finding>) -> Option<u8> {
    let mut note = |code, message: String| findings.push(Finding::new(code, message));
    let Some(value) = field(answer, "confidence").filter(|value| !value.is_null()) else {
        note("confidence_missing", "the judge states no confidence".to_owned());
        return None;
    };
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => numeric(text),
        _ => None,
    };
    let Some(number) = number.filter(|number| number.is_finite()) else {
        note("confidence_unreadable", format!("the confidence is not a number: {value}"));
        return None;
    };
    if number > 0.0 && number < 1.0 {
        note("confidence_as_share", format!("the confidence {number} was read as a share of 1"));
        // The last digit of a share must not decide: 0.29 of 100 is 28.999….
        return Some(assize_score::rounding::half_up(number * 100.0, 0) as u8);
    }
    if !(0.0..=100.0).contains(&number) {
        note("confidence_clamped", format!("the confidence {number} lies outside 0 to 100"));
    }
    Some(number.clamp(0.0, 100.0) as u8)
}

//! The engine's explanation of a score as our workings.

use assize_score::{Explained, How};
use serde_json::Value;

/// A tree of `value`, `description` and `details` as a named number with its inputs.
pub(super) fn explained(explanation: &Value) -> Explained {
    let description = explanation["description"].as_str().unwrap_or("score").to_owned();
    let value = explanation["value"].as_f64().unwrap_or(0.0);
    let details = explanation["details"].as_array().map_or(&[][..], Vec::as_slice);
    let how = if details.is_empty() {
        How::Given
    } else {
        let inputs = details.iter().map(explained).collect();
        How::Computed { formula: formula(&description).into(), inputs }
    };
    let context = explanation["context"][0].as_str().map(str::to_owned);
    Explained { name: context.unwrap_or(description).into(), value, how }
}

/// What the engine's descriptions mean, where they are no formula themselves.
fn formula(description: &str) -> String {
    match description {
        "BooleanClause. sum of ..." | "BooleanClause. Sum of ..." => "sum".to_owned(),
        other => other.to_owned(),
    }
}

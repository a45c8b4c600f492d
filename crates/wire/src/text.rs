//! Values as text: the only place where results become JSON.

use serde::Serialize;
use serde_json::Value;

/// Indented JSON with a line end.
pub fn pretty(value: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(value).expect("results are plain data");
    text.push('\n');
    text
}

/// JSON on one line, without its end.
pub fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("results are plain data")
}

/// A value as a tree, for protocols that take nothing else.
pub fn tree(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("results are plain data")
}

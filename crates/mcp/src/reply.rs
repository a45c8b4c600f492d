//! What a tool hands back: data for programs, a few lines for people, or the reason for neither.

use std::error::Error;
use std::fmt;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

/// A tool's result.
#[derive(Debug)]
pub(crate) struct Reply {
    /// The same as the command prints as JSON.
    pub(crate) data: Value,
    /// A few lines of it.
    pub(crate) text: String,
    /// Whether the work was done and still failed: a council without any ranking.
    pub(crate) is_failure: bool,
}

/// Why there is no result, with every cause.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl Refusal {
    /// A reason in words.
    pub(crate) fn because(words: impl Into<String>) -> Self {
        Self(words.into())
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<E: Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            // Many an error says what its cause says.
            let words = error.to_string();
            if !text.contains(&words) {
                text = format!("{text}: {words}");
            }
            cause = error.source();
        }
        Self(text)
    }
}

/// In the protocol's form: a refusal is an error of the tool, so that the caller reads it.
pub(crate) fn to_result(end: Result<Reply, Refusal>) -> CallToolResult {
    match end {
        Ok(Reply { data, text, is_failure }) => {
            let mut result = CallToolResult::structured(data);
            result.content = vec![ContentBlock::text(text)];
            result.is_error = Some(is_failure);
            result
        }
        Err(Refusal(reason)) => CallToolResult::error(vec![ContentBlock::text(reason)]),
    }
}

//! What went wrong, in the one shape that every front end tells it.
//!
//! Modules keep their own error types; [`EngineError::of`] finds the typed error in a chain of
//! causes and gives its code (`typed`). The codes stand in [`codes`].

pub mod codes;
mod typed;

use std::error::Error;
use std::fmt;

pub use codes::{ErrorCode, ErrorKind};
use serde::Serialize;

/// An error as a front end tells it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineError {
    /// Decides exit code, status or exception class.
    pub kind: ErrorKind,
    /// A stable name for programs.
    pub code: &'static str,
    /// What happened and where, with every cause.
    pub message: String,
    /// What to do, where the message does not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<&'static str>,
}

impl EngineError {
    /// The error behind a chain of causes. One without a type of ours is bad input: what a
    /// front end finds wrong before it asks the engine.
    pub fn of(error: &(dyn Error + 'static)) -> Self {
        let ErrorCode { code, kind, hint, .. } = code_of(error);
        let hint = Some(*hint).filter(|hint| !hint.is_empty());
        Self { kind: *kind, code, message: with_causes(error), hint }
    }

    /// What a front end itself refuses.
    pub fn bad_input(message: impl Into<String>) -> Self {
        let ErrorCode { code, kind, .. } = codes::INPUT;
        Self { kind: *kind, code, message: message.into(), hint: None }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl Error for EngineError {}

/// The code of the first typed error in a chain of causes.
pub fn code_of(error: &(dyn Error + 'static)) -> &'static ErrorCode {
    causes(error).find_map(typed::code).unwrap_or(codes::INPUT)
}

/// The message and its causes in one line; a cause that was said already is left out.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = String::new();
    for words in causes(error).map(|cause| without_server_line(cause.to_string())) {
        if text.is_empty() {
            text = words;
        } else if !text.contains(words.rsplit_once(" at line ").map_or(&*words, |(said, _)| said)) {
            text = format!("{text}: {words}");
        }
    }
    text
}

/// Without the line of the server's own source that PostgreSQL sends along: it helps nobody.
pub fn without_server_line(mut words: String) -> String {
    if words.starts_with("error returned from database: ")
        && let Some((before, line)) = words.rsplit_once(" at line ")
        && line.bytes().all(|byte| byte.is_ascii_digit())
    {
        words.truncate(before.len());
    }
    words
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let now = next?;
        next = now.source();
        Some(now)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use assize_models::ProviderError;
    use assize_store::StoreError;

    use super::*;
    use crate::asking::{AskError, Halt};
    use crate::compliance::ComplianceError;

    fn unreachable() -> Halt {
        let source = ProviderError::Unreachable { message: "connection refused".to_owned() };
        Halt::Provider { model: "local/a".parse().unwrap(), source }
    }

    #[test]
    fn a_database_that_fails_is_a_store_error_however_it_is_wrapped() {
        let closed = || StoreError::Closed;
        let wrapped: [Box<dyn Error>; 4] = [
            Box::new(closed()),
            Box::new(AskError::Store(closed())),
            Box::new(Halt::Store(closed())),
            Box::new(ComplianceError::Ask(AskError::Store(closed()))),
        ];
        for error in wrapped {
            assert_eq!(EngineError::of(&*error).kind, ErrorKind::Store, "{error}");
        }
    }

    #[test]
    fn a_message_tells_every_cause_once() {
        let error = EngineError::of(&unreachable());
        assert_eq!((error.kind, error.code), (ErrorKind::Provider, "provider_failed"));
        assert_eq!(
            error.message,
            "cannot call local/a: could not reach the provider: connection refused"
        );
        let twice = Halt::Recording(Arc::new(std::io::Error::other("disk full")));
        assert_eq!(EngineError::of(&twice).message.matches("disk full").count(), 1);
    }

    #[test]
    fn what_has_no_type_of_ours_is_bad_input() {
        let error = EngineError::of(&std::fmt::Error);
        assert_eq!((error.kind, error.code), (ErrorKind::BadInput, "invalid_input"));
    }
}

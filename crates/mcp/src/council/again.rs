//! A council counted again: no model is asked.

use std::path::Path;

use assize_engine::council::{CouncilRun, SigningKey, rescored_under};
use rmcp::model::JsonObject;
use serde_json::Value;

use super::arguments::{ANSWERS_MAX, Arguments, PARTICIPANTS_MAX, at_most, checked};
use super::{forms, verdict};
use crate::reply::{Refusal, Reply};
use crate::state::McpState;

/// How often reviewers may be drawn anew in a council that a caller hands over.
const RESAMPLES_MAX: usize = 10_000;

/// Counts a council another way.
pub(crate) fn rescore(state: &McpState, arguments: JsonObject) -> Result<Reply, Refusal> {
    let Arguments { mut content, request } = forms::RESCORE.read(arguments)?;
    let council = match (content.run.take(), content.record.take()) {
        (Some(run), None) => kept(state, &run)?,
        (None, Some(record)) => handed_over(state.operator.signing_key.as_ref(), record)?,
        _ => return Err(Refusal::because("give either `run` or `record`")),
    };
    let council = rescored_under(&council, &checked(request)?, &state.operator.request)?;
    Ok(verdict::reply(state, &council, false))
}

/// A council that this server, or the command line in the same folder, kept.
pub(super) fn kept(state: &McpState, id: &str) -> Result<CouncilRun, Refusal> {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    if id.is_empty() || id.len() > 64 || !id.chars().all(is_name) {
        return Err(Refusal::because("run: expected the `id` of a council result"));
    }
    let path = state.settings.runs.join(id).with_extension("json");
    if !path.is_file() {
        return Err(Refusal::because(format!("run: no council `{id}` on this server")));
    }
    Ok(CouncilRun::read(&path, state.operator.signing_key.as_ref())?)
}

/// A record that a caller hands over goes through the same reader as a file.
fn handed_over(key: Option<&SigningKey>, record: JsonObject) -> Result<CouncilRun, Refusal> {
    let text = Value::Object(record).to_string();
    let council = CouncilRun::from_text(Path::new("record"), &text, key)?;
    at_most(ANSWERS_MAX, "record.answers", council.record.answers.len())?;
    at_most(PARTICIPANTS_MAX, "record.reviewers", council.record.reviewers.len())?;
    at_most(RESAMPLES_MAX, "settings.resamples", council.settings.resamples)?;
    Ok(council)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        handed_over(None, serde_json::from_str(text).unwrap()).unwrap_err().0.message
    }

    #[test]
    fn a_record_without_its_head_is_not_taken_on_trust() {
        let bare = r#"{"record": {"question": "Why?", "answers": [], "reviewers": []}}"#;
        let refusal = refusal(bare);
        assert!(refusal.contains("assize_council"), "{refusal}");
    }

    #[test]
    fn a_record_that_is_not_the_one_it_is_named_after_is_refused() {
        let settings =
            serde_json::to_string(&assize_methods::council::Settings::default()).unwrap();
        let refusal = refusal(&format!(
            r#"{{"assize_council": 2, "id": "0123456789abcdef",
                "record": {{"question": "Why?", "answers": [], "reviewers": []}},
                "settings": {settings}, "seats": {{"reviewers": []}}}}"#
        ));
        assert!(refusal.contains("does not match its id"), "{refusal}");
    }
}

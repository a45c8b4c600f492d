//! A council counted again: no model is asked.

use std::path::Path;

use assize_engine::council::{CouncilRun, rescored_under};
use rmcp::model::JsonObject;
use serde_json::Value;

use super::arguments::{ANSWERS_MAX, Arguments, PARTICIPANTS_MAX, at_most};
use super::{forms, verdict};
use crate::reply::{Refusal, Reply};
use crate::state::McpState;

/// How often reviewers may be drawn anew in a council that a caller hands over.
const RESAMPLES_MAX: usize = 10_000;

/// Counts a council another way.
pub(crate) fn rescore(state: &McpState, arguments: JsonObject) -> Result<Reply, Refusal> {
    let mut arguments: Arguments = forms::RESCORE.read(arguments)?;
    let council = match (arguments.run.take(), arguments.record.take()) {
        (Some(run), None) => kept(state, &run)?,
        (None, Some(record)) => handed_over(record)?,
        _ => return Err(Refusal::because("give either `run` or `record`")),
    };
    Ok(verdict::reply(&rescored_under(&council, &arguments.choices()?, &state.choices)?, false))
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
    Ok(CouncilRun::read(&path)?)
}

fn handed_over(record: JsonObject) -> Result<CouncilRun, Refusal> {
    let name = Path::new("record");
    let council = if record.contains_key("assize_council") {
        CouncilRun::from_text(name, &Value::Object(record).to_string())?
    } else {
        serde_path_to_error::deserialize(Value::Object(record)).map_err(|error| {
            Refusal::because(format!("record.{}: {}", error.path(), error.inner()))
        })?
    };
    at_most(ANSWERS_MAX, "record.answers", council.record.answers.len())?;
    at_most(PARTICIPANTS_MAX, "record.reviewers", council.record.reviewers.len())?;
    at_most(RESAMPLES_MAX, "settings.resamples", council.settings.resamples)?;
    Ok(council)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(text: &str) -> JsonObject {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_record_that_would_take_for_ever_is_refused() {
        let settings =
            assize_methods::council::Settings { resamples: 1_000_000_000, ..Default::default() };
        let settings = serde_json::to_string(&settings).unwrap();
        let record = object(&format!(
            r#"{{"record": {{"question": "Why?", "answers": [], "reviewers": []}},
                "settings": {settings}, "seats": {{"reviewers": []}}}}"#
        ));
        let refusal = handed_over(record).unwrap_err().0.message;
        assert!(refusal.contains("settings.resamples") && refusal.contains("10000"), "{refusal}");
    }

    #[test]
    fn what_is_no_record_is_refused_by_its_place() {
        let refusal = handed_over(object(r#"{"record": {"question": 3}}"#)).unwrap_err().0.message;
        assert!(refusal.starts_with("record.record.question: "), "{refusal}");
    }
}

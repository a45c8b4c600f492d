//! What the three tools take, each its part of it.

use std::path::Path;

use assize_engine::asking::Limit;
use assize_engine::council::{CouncilRequest, Supplied, SuppliedAnswer};
use assize_engine::request::Asked;
use assize_wire::text::line;
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::reply::Refusal;

/// How many answers one council takes.
pub(super) const ANSWERS_MAX: usize = 64;
/// How many members, and how many reviewers.
pub(super) const PARTICIPANTS_MAX: usize = 32;

/// What a call of a tool holds.
pub(crate) type Arguments = Asked<Content, CouncilRequest>;

/// What the tools take, besides the request.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Content {
    /// The question that was asked or is to be asked
    pub(super) question: Option<String>,
    /// The answers to review: two or more, each by a different author
    answers: Option<Vec<AnswerArgument>>,
    /// Budget of this call: tokens such as 200k, or dollars such as $1
    budget: Option<String>,
    /// Only estimate calls, tokens and price; nothing is sent
    pub(super) dry_run: Option<bool>,
    /// Also return the whole evidence as `record`, to pass to `council_rescore`
    pub(super) include_record: Option<bool>,
    /// The `id` of an earlier council stored by this server
    pub(super) run: Option<String>,
    /// The `id`s of earlier councils stored by this server
    pub(super) runs: Option<Vec<String>>,
    /// Pairs of answers with human preferences and reviewers' ratings
    pub(super) comparisons: Option<Vec<serde_json::Map<String, Value>>>,
    /// The `record` of an earlier council, or the content of a saved council file
    pub(super) record: Option<serde_json::Map<String, Value>>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct AnswerArgument {
    /// Who wrote it; reviewers do not see this
    model: String,
    /// The text of the answer
    text: String,
}

impl Content {
    /// The answers, each by another author and none empty.
    pub(super) fn answers(&self) -> Result<Vec<SuppliedAnswer>, Refusal> {
        let answers = self.answers.as_deref().unwrap_or_default();
        at_most(ANSWERS_MAX, "answers", answers.len())?;
        // The same door as for a file of answers.
        let text = line(&answers);
        Ok(Supplied::from_text(Path::new("answers"), &text)?.answers)
    }

    /// The most that may be spent.
    pub(super) fn budget(&self) -> Result<Option<Limit>, Refusal> {
        Ok(self.budget.as_ref().map(|text| text.parse()).transpose()?)
    }
}

/// The request, if a caller on another machine may make it.
pub(super) fn checked(request: CouncilRequest) -> Result<CouncilRequest, Refusal> {
    request.check_remote().map_err(|error| Refusal::because(error.to_string()))?;
    at_most(PARTICIPANTS_MAX, "members", request.members.len())?;
    at_most(PARTICIPANTS_MAX, "reviewers", request.reviewers.len())?;
    Ok(request)
}

pub(super) fn at_most(most: usize, field: &str, found: usize) -> Result<(), Refusal> {
    if found <= most {
        return Ok(());
    }
    Err(Refusal::because(format!(
        "{field}: {found} were given; this server accepts at most {most}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Arguments {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn answers_and_seats_are_counted_and_told_apart() {
        let answer = |n: usize| format!(r#"{{"model": "{n}", "text": "x"}}"#);
        let many: Vec<String> = (0..=ANSWERS_MAX).map(answer).collect();
        let many = arguments(&format!(r#"{{"answers": [{}]}}"#, many.join(", ")));
        let refusal = many.content.answers().unwrap_err().0.message;
        assert!(refusal.contains("65 were given") && refusal.contains("at most 64"), "{refusal}");
        let twice = r#"{"answers": [{"model": "a", "text": "x"}, {"model": "a", "text": "y"}]}"#;
        let refusal = arguments(twice).content.answers().unwrap_err().0.message;
        assert!(refusal.contains("two answers are by `a`"), "{refusal}");
        let many = vec!["local/a".to_owned(); PARTICIPANTS_MAX + 1];
        let request = CouncilRequest { reviewers: many, ..CouncilRequest::default() };
        let refusal = checked(request).unwrap_err().0.message;
        assert!(refusal.starts_with("reviewers: 33 were given"), "{refusal}");
    }
}

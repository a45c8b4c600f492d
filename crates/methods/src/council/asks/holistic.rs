//! One score for the whole: asked on its own, so that it can be held against the rubric's sums.

use serde_json::{Map, Value};

use super::UnderReview;
use super::review::{SYSTEM, mark_schema};
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::council::ballot::Ballot;
use crate::council::reading::{read_beside, settle_beside};
use crate::council::record::Heard;
use crate::schema;
use crate::template::Fill;

const QUESTION: &str = include_str!("../../../prompts/council/holistic.md");

/// Nothing in it can be read as a score, so a copy of it is no ballot.
const FORM: &str =
    "{\"evaluations\": {\"<label>\": {\"overall\": <mark>, \"notes\": \"<one sentence>\"}, …}}";

/// The longest reply in tokens, for each answer and for the rest.
const REPLY_TOKENS_EACH: u32 = 200;
const REPLY_TOKENS_REST: u32 = 600;

/// Asks a reviewer for one score for each answer.
#[derive(Debug, Clone)]
pub struct HolisticAsk<'a> {
    /// What it is shown.
    pub shown: UnderReview<'a>,
}

impl HolisticAsk<'_> {
    /// What is left of the replies, oldest first, when there is no more asking.
    pub fn settle<S: AsRef<str>>(&self, replies: &[S]) -> Heard {
        match settle_beside(replies, self.shown.answers.len(), &self.shown.quotable()) {
            Heard::Ballot(ballot) => Heard::Ballot(without_marks(ballot)),
            silent @ Heard::Abstained { .. } => silent,
        }
    }
}

impl Ask for HolisticAsk<'_> {
    type Answer = Ballot;

    fn prompt(&self) -> Prompt {
        let (answers, question, _) = self.shown.fenced();
        let labels = self.shown.labels();
        let fields: Map<String, Value> =
            [("overall", mark_schema()), ("notes", schema::of_type("string"))]
                .into_iter()
                .map(|(name, schema)| (name.to_owned(), schema))
                .collect();
        let reviews =
            labels.iter().map(|label| (label.clone(), schema::object(fields.clone()))).collect();
        let evaluations = ("evaluations".to_owned(), schema::object(reviews));
        let whole = schema::object([evaluations].into_iter().collect());
        let length = u32::try_from(labels.len()).unwrap_or(u32::MAX);
        Prompt {
            name: "council_holistic",
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.trim_end().to_owned(),
            fills: vec![
                ("question", Fill::Ours(question)),
                ("answers", Fill::Ours(answers)),
                ("labels", Fill::Ours(labels.join(", "))),
                ("form", Fill::Ours(FORM.to_owned())),
            ],
            schema: Some(whole),
            reply_tokens_max: Some(
                length.saturating_mul(REPLY_TOKENS_EACH).saturating_add(REPLY_TOKENS_REST),
            ),
        }
    }

    fn read(&self, reply: &str) -> Result<Ballot> {
        let ballot =
            without_marks(read_beside(reply, self.shown.answers.len(), &self.shown.quotable())?);
        match ballot.complaint() {
            None => Ok(ballot),
            Some(problem) => Err(ReplyError::Rule(problem)),
        }
    }
}

/// Marks that nobody asked for do not turn one score into a sum.
fn without_marks(mut ballot: Ballot) -> Ballot {
    ballot.reviews.iter_mut().for_each(|review| review.marks.clear());
    ballot
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::council::ballot::Basis;

    #[test]
    fn one_score_is_asked_for_and_marks_are_not_counted() {
        let ask = HolisticAsk { shown: UnderReview::new("Why?", vec!["one", "two"]) };
        let prompt = ask.prompt().render("0").unwrap().question;
        assert!(
            prompt.contains("one score from 1 to 10") && !prompt.contains("accuracy"),
            "{prompt}"
        );
        let reply = r#"{"evaluations": {"A": {"overall": 7, "accuracy": 2}, "B": {"overall": 9}}}"#;
        let ballot = ask.read(reply).unwrap();
        assert!(ballot.reviews.iter().all(|review| review.basis() == Some(Basis::Holistic)));
        assert!(ask.read(r#"{"evaluations": {"A": {"overall": 7}}}"#).is_err());
    }
}

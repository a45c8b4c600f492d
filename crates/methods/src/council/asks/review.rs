//! The review form: the answers, the rubric with its anchors, and the form of the reply.

use std::fmt::Write as _;

use assize_score::Finding;
use assize_score::rounding::half_up;
use serde_json::{Map, Value};

use super::fence::Fences;
use crate::ask::{Ask, Prompt, ReplyError};
use crate::council::ballot::Ballot;
use crate::council::label::label;
use crate::council::profile::Profile;
use crate::council::reading::{read_beside, settle_beside};
use crate::council::record::Heard;
use crate::schema;
use crate::template::Fill;

pub(super) const SYSTEM: &str = include_str!("../../../prompts/council/reviewer.md");
const QUESTION: &str = include_str!("../../../prompts/council/review.md");

/// The longest reply in tokens, for each answer and for the rest.
const REPLY_TOKENS_EACH: u32 = 400;
const REPLY_TOKENS_REST: u32 = 800;

/// Asks a reviewer for a ballot.
#[derive(Debug, Clone)]
pub struct ReviewAsk<'a> {
    /// What the answers answer.
    pub question: &'a str,
    /// The answers in the order of the reviewer's seating.
    pub answers: Vec<&'a str>,
    /// The rubric.
    pub profile: &'a Profile,
}

impl ReviewAsk<'_> {
    /// What was changed in the texts before they were shown; empty if nothing.
    pub fn findings(&self) -> Vec<Finding> {
        let (_, fences) = self.fenced();
        if fences.defused == 0 {
            return Vec::new();
        }
        let message = format!(
            "{} control words of chat models in the answers were made harmless before review",
            fences.defused
        );
        vec![Finding::new("markers_defused", message)]
    }

    /// What is left of the replies, oldest first, when there is no more asking.
    pub fn settle<S: AsRef<str>>(&self, replies: &[S]) -> Heard {
        settle_beside(replies, self.answers.len(), &self.answers)
    }

    fn fences(&self) -> Fences {
        Fences::around([self.question].into_iter().chain(self.answers.iter().copied()))
    }

    fn fenced(&self) -> (String, Fences) {
        let mut fences = self.fences();
        let texts = self.answers.iter().enumerate();
        let texts: Vec<String> = texts.map(|(seat, text)| fences.put(&label(seat), text)).collect();
        (texts.join("\n\n"), fences)
    }

    /// The rubric in words: weights as they are, and all anchors.
    fn rubric(&self) -> String {
        let mut rubric = String::new();
        for (dimension, weight) in self.profile.weights.counting() {
            // Writing into a string cannot fail.
            let _ = writeln!(rubric, "{dimension} ({} % of the whole)", percent(weight));
            let anchors = self.profile.anchors.get(&dimension);
            for (band, words) in anchors.iter().flat_map(|anchors| anchors.bands()) {
                let _ = writeln!(rubric, "  {band}: {words}");
            }
        }
        rubric.trim_end().to_owned()
    }

    /// The reply's form. Nothing in it can be read as a mark, so a copy of it is no ballot.
    fn form(&self) -> String {
        let marks = self.profile.weights.counting();
        let marks: Vec<String> =
            marks.map(|(dimension, _)| format!("\"{dimension}\": <mark>")).collect();
        format!(
            "{{\"evaluations\": {{\"<label>\": {{{}, \"overall\": <mark>, \
             \"appropriate_refusal\": <true or false>, \"notes\": \"<one or two sentences>\"}}, …}}, \
             \"ranking\": [\"<best label>\", …]}}",
            marks.join(", ")
        )
    }

    fn schema(&self) -> Value {
        let mut fields = Map::new();
        for (dimension, _) in self.profile.weights.counting() {
            fields.insert(dimension.name().to_owned(), mark_schema());
        }
        fields.insert("overall".to_owned(), mark_schema());
        fields.insert("appropriate_refusal".to_owned(), schema::of_type("boolean"));
        fields.insert("notes".to_owned(), schema::of_type("string"));
        let review = schema::object(fields);
        let labels: Vec<String> = (0..self.answers.len()).map(label).collect();
        let reviews: Map<String, Value> =
            labels.iter().map(|label| (label.clone(), review.clone())).collect();
        let ranking =
            schema::fields([("type", "array".into()), ("items", schema::one_of(&labels))]);
        let parts = [("evaluations", schema::object(reviews)), ("ranking", ranking)];
        schema::object(parts.into_iter().map(|(name, part)| (name.to_owned(), part)).collect())
    }
}

impl Ask for ReviewAsk<'_> {
    type Answer = Ballot;

    fn prompt(&self) -> Prompt {
        let (answers, mut fences) = self.fenced();
        let count = self.answers.len();
        let labels: Vec<String> = (0..count).map(label).collect();
        let length = u32::try_from(count).unwrap_or(u32::MAX);
        Prompt {
            name: "council_review",
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.trim_end().to_owned(),
            fills: vec![
                ("question", Fill::Ours(fences.put("question", self.question))),
                ("answers", Fill::Ours(answers)),
                ("labels", Fill::Ours(labels.join(", "))),
                ("rubric", Fill::Ours(self.rubric())),
                ("form", Fill::Ours(self.form())),
            ],
            schema: Some(self.schema()),
            reply_tokens_max: Some(
                length.saturating_mul(REPLY_TOKENS_EACH).saturating_add(REPLY_TOKENS_REST),
            ),
        }
    }

    /// A ballot with nothing missing that counts. What is left of one when asking again did
    /// not help, [`ReviewAsk::settle`] says.
    fn read(&self, reply: &str) -> Result<Ballot, ReplyError> {
        let ballot = read_beside(reply, self.answers.len(), &self.answers)?;
        match ballot.complaint() {
            None => Ok(ballot),
            Some(problem) => Err(ReplyError::Rule(problem)),
        }
    }
}

/// A weight in percent, with as many decimals as it has: 0.29 is 29, 0.125 is 12.5.
fn percent(weight: f64) -> String {
    half_up(weight * 100.0, 9).to_string()
}

/// A mark in a schema.
pub(super) fn mark_schema() -> Value {
    schema::fields([("type", "number".into()), ("minimum", 1.into()), ("maximum", 10.into())])
}

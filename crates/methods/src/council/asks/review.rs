//! The review form: the answers, the rubric with its anchors, and the form of the reply.

use std::fmt::Write as _;

use assize_score::Finding;
use assize_score::rounding::half_up;
use serde_json::{Map, Value};

use super::UnderReview;
use crate::ask::{Ask, Prompt, ReplyError, Result};
use crate::council::ballot::{Ballot, Review};
use crate::council::jury::Jury;
use crate::council::profile::Profile;
use crate::council::reading::{read_beside, settle_beside};
use crate::council::record::Heard;
use crate::schema;
use crate::template::Fill;

pub(super) const SYSTEM: &str = include_str!("../../../prompts/council/reviewer.md");
const QUESTION: &str = include_str!("../../../prompts/council/review.md");
const JURY: &str = include_str!("../../../prompts/council/jury.md");
const SECOND_ROUND: &str = include_str!("../../../prompts/council/second_round.md");

/// The longest reply in tokens, for each answer and for the rest.
const REPLY_TOKENS_EACH: u32 = 400;
const REPLY_TOKENS_REST: u32 = 800;

/// Asks a reviewer for a ballot.
#[derive(Debug, Clone)]
pub struct ReviewAsk<'a> {
    shown: UnderReview<'a>,
    /// The rubric.
    profile: &'a Profile,
    /// The marks of the first round, where this is the second.
    marks_before: Option<String>,
    /// What reviewers also vote on.
    jury: Option<&'a str>,
}

impl<'a> ReviewAsk<'a> {
    /// The form of the first round, or of the only one.
    pub fn new(shown: UnderReview<'a>, profile: &'a Profile) -> Self {
        Self { shown, profile, marks_before: None, jury: None }
    }

    /// The same for the second round, with the marks of the first.
    #[must_use]
    pub fn after(self, marks: String) -> Self {
        Self { marks_before: Some(marks), ..self }
    }

    /// The same for a jury, with the question it votes on.
    #[must_use]
    pub fn with_jury(self, jury: Option<&'a Jury>) -> Self {
        Self { jury: jury.map(|jury| jury.question.as_str()), ..self }
    }

    /// What was changed in the texts before they were shown; empty if nothing.
    pub fn findings(&self) -> Vec<Finding> {
        let (_, _, defused) = self.shown.fenced();
        if defused == 0 {
            return Vec::new();
        }
        let message = format!(
            "{defused} control words of chat models in the answers were made harmless before review"
        );
        vec![Finding::new("markers_defused", message)]
    }

    /// What is left of the replies, oldest first, when there is no more asking.
    pub fn settle<S: AsRef<str>>(&self, replies: &[S]) -> Heard {
        settle_beside(replies, self.shown.answers.len(), &self.shown.quotable())
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
        let vote = if self.jury.is_some() { "\"vote\": \"<yes or no>\", " } else { "" };
        format!(
            "{{\"evaluations\": {{\"<label>\": {{{}, \"overall\": <mark>, {vote}\
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
        if self.jury.is_some() {
            fields.insert("vote".to_owned(), schema::one_of(&["yes", "no"]));
        }
        fields.insert("appropriate_refusal".to_owned(), schema::of_type("boolean"));
        fields.insert("notes".to_owned(), schema::of_type("string"));
        let review = schema::object(fields);
        let labels = self.shown.labels();
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
        let (mut answers, question, _) = self.shown.fenced();
        if let Some(marks) = &self.marks_before {
            answers.push_str("\n\n");
            answers.push_str(&SECOND_ROUND.trim_end().replace("{marks}", marks));
        }
        if let Some(question) = self.jury {
            answers.push_str("\n\n");
            answers.push_str(&JURY.trim_end().replace("{jury}", question));
        }
        let labels = self.shown.labels();
        let length = u32::try_from(labels.len()).unwrap_or(u32::MAX);
        Prompt {
            name: "council_review",
            system: SYSTEM.trim_end().to_owned(),
            question: QUESTION.trim_end().to_owned(),
            fills: vec![
                ("question", Fill::Ours(question)),
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
    fn read(&self, reply: &str) -> Result<Ballot> {
        let ballot = read_beside(reply, self.shown.answers.len(), &self.shown.quotable())?;
        let votes = |review: &Review| review.vote.is_some();
        match ballot.complaint() {
            None if self.jury.is_some() && !ballot.reviews.iter().all(votes) => {
                Err(ReplyError::Rule("every answer needs a vote: yes or no".to_owned()))
            }
            None => Ok(ballot),
            Some(problem) => Err(ReplyError::Rule(problem)),
        }
    }
}

/// A weight in percent, with as many decimals as it has: 0.29 is 29, 0.125 is 12.5.
fn percent(weight: f64) -> String {
    half_up(weight * 100.0, 9).to_string()
}

pub(super) fn mark_schema() -> Value {
    schema::fields([("type", "number".into()), ("minimum", 1.into()), ("maximum", 10.into())])
}

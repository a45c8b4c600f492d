//! A reviewer's question that remembers every reply, readable or not.

use std::sync::{Mutex, PoisonError};

use assize_methods::council::rounds::marks_shown;
use assize_methods::council::{
    Abstention, Ballot, CouncilRecord, CouncilVerdict, Heard, HolisticAsk, ReviewAsk, Seating,
    Settings,
};
use assize_methods::{Ask, Prompt, ReplyError};
use assize_score::Finding;

use super::hold::Silence;

/// The review form, and what came back.
pub(super) struct Listening<'a> {
    form: Form<'a>,
    replies: Mutex<Vec<String>>,
}

/// What is asked for.
enum Form<'a> {
    /// Marks on each dimension.
    Rubric(ReviewAsk<'a>),
    /// One score for the whole.
    Holistic(HolisticAsk<'a>),
}

impl<'a> Listening<'a> {
    /// The form for one reviewer, with the answers in the order of its seating.
    pub(super) fn new(
        record: &'a CouncilRecord,
        settings: &'a Settings,
        seating: &Seating,
    ) -> Self {
        let ask = ReviewAsk::new(record.under_review(seating), &settings.profile);
        let ask = ask.with_jury(settings.jury.as_ref());
        Self { form: Form::Rubric(ask), replies: Mutex::new(Vec::new()) }
    }

    /// The form of the second round for one reviewer, with the marks of the first.
    pub(super) fn again(
        record: &'a CouncilRecord,
        settings: &'a Settings,
        first: &CouncilVerdict,
        reviewer: usize,
    ) -> Self {
        let shown = record.under_review(&record.reviewers[reviewer].seating);
        let marks = marks_shown(record, first, reviewer);
        let ask = ReviewAsk::new(shown, &settings.profile).after(marks);
        let ask = ask.with_jury(settings.jury.as_ref());
        Self { form: Form::Rubric(ask), replies: Mutex::new(Vec::new()) }
    }

    /// The same for one score instead of marks.
    pub(super) fn holistic(record: &'a CouncilRecord, seating: &Seating) -> Self {
        let ask = HolisticAsk { shown: record.under_review(seating) };
        Self { form: Form::Holistic(ask), replies: Mutex::new(Vec::new()) }
    }

    /// What came back, oldest first.
    pub(super) fn replies(&self) -> Vec<String> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was changed in the answers before they were shown.
    pub(super) fn findings(&self) -> Vec<Finding> {
        match &self.form {
            Form::Rubric(ask) => ask.findings(),
            Form::Holistic(_) => Vec::new(),
        }
    }

    /// What became of the review: a ballot, what is left of one, or why there is none.
    pub(super) fn heard(&self, said: Result<Ballot, Silence>) -> Heard {
        let replies = self.replies();
        match said {
            Ok(ballot) => Heard::Ballot(ballot),
            Err(_) if !replies.is_empty() => match &self.form {
                Form::Rubric(ask) => ask.settle(&replies),
                Form::Holistic(ask) => ask.settle(&replies),
            },
            Err(Silence { because, timed_out }) => {
                let kind = if timed_out { Abstention::TimedOut } else { Abstention::Failed };
                Heard::Abstained { kind, because }
            }
        }
    }
}

impl Ask for Listening<'_> {
    type Answer = Ballot;

    fn prompt(&self) -> Prompt {
        match &self.form {
            Form::Rubric(ask) => ask.prompt(),
            Form::Holistic(ask) => ask.prompt(),
        }
    }

    fn read(&self, reply: &str) -> Result<Ballot, ReplyError> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).push(reply.to_owned());
        match &self.form {
            Form::Rubric(ask) => ask.read(reply),
            Form::Holistic(ask) => ask.read(reply),
        }
    }
}

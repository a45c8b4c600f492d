//! A reviewer's question that remembers every reply, readable or not.

use std::sync::{Mutex, PoisonError};

use assize_methods::council::{
    Abstention, Ballot, CouncilRecord, Heard, Profile, ReviewAsk, Seating,
};
use assize_methods::{Ask, Prompt, ReplyError};
use assize_score::Finding;

use super::hold::Silence;

/// The review form, and what came back.
pub(super) struct Listening<'a> {
    ask: ReviewAsk<'a>,
    replies: Mutex<Vec<String>>,
}

impl<'a> Listening<'a> {
    /// The form for one reviewer, with the answers in the order of its seating.
    pub(super) fn new(record: &'a CouncilRecord, profile: &'a Profile, seating: &Seating) -> Self {
        let texts = seating.order.iter().map(|index| record.answers.get(*index)?.text());
        let answers = texts.map(Option::unwrap_or_default).collect();
        let ask = ReviewAsk { question: &record.question, answers, profile };
        Self { ask, replies: Mutex::new(Vec::new()) }
    }

    /// What came back, oldest first.
    pub(super) fn replies(&self) -> Vec<String> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What was changed in the answers before they were shown.
    pub(super) fn findings(&self) -> Vec<Finding> {
        self.ask.findings()
    }

    /// What became of the review: a ballot, what is left of one, or why there is none.
    pub(super) fn heard(&self, said: Result<Ballot, Silence>) -> Heard {
        let replies = self.replies();
        match said {
            Ok(ballot) => Heard::Ballot(ballot),
            Err(_) if !replies.is_empty() => self.ask.settle(&replies),
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
        self.ask.prompt()
    }

    fn read(&self, reply: &str) -> Result<Ballot, ReplyError> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner).push(reply.to_owned());
        self.ask.read(reply)
    }
}

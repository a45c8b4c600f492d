//! What a council is to do, checked before anyone is asked.

use assize_methods::council::Author;
use assize_methods::council::limits::{self, Sizes, TooLarge};
use assize_models::ModelName;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::file::Participants;
use super::participant::{Participant, ParticipantError, participants};
use super::plan::{Plan, PlanError};
use super::request::CouncilRequest;
use super::supplied::SuppliedAnswer;

/// What a council is to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hearing {
    /// What is asked.
    pub question: String,
    /// Where the answers come from.
    pub answers: Answers,
    /// Who reviews them.
    pub reviewers: Vec<Participant>,
    /// Who writes the final answer; `None` if nobody does.
    pub chair: Option<Participant>,
    /// How it is counted.
    pub plan: Plan,
}

/// Where answers come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answers {
    /// These are asked, all at once.
    Members(Vec<Participant>),
    /// These were given.
    Supplied(Vec<SuppliedAnswer>),
}

/// Why a council cannot be held.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The settings are wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("members: {0}")]
    Members(#[source] ParticipantError),
    #[error("reviewers: {0}")]
    Reviewers(#[source] ParticipantError),
    #[error("chair: {0}")]
    Chair(#[source] ParticipantError),
    /// Nothing was asked.
    #[error("the question is empty")]
    NoQuestion,
    /// Nobody reviews.
    #[error("no reviewers given")]
    NoReviewers,
    /// Whatever they say would not count.
    #[error(
        "every reviewer wrote every answer, so no review would count: use other reviewers, or let \
         self-reviews count"
    )]
    OnlyAuthors,
    /// What would be saved could not be read back.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
    /// There can be no quorum.
    #[error(
        "at most {found} answers are possible, but the quorum is {quorum}: add members or lower \
         the quorum"
    )]
    NoQuorum {
        /// How many there are.
        found: usize,
        /// How many there must be.
        quorum: usize,
    },
}

impl Hearing {
    /// A question for members. Without reviewers of their own, the members review each other.
    pub fn ask(question: &str, request: &CouncilRequest) -> Result<Self, RequestError> {
        let members = participants(&request.members).map_err(RequestError::Members)?;
        let reviewers = if request.reviewers.is_empty() {
            members.clone()
        } else {
            participants(&request.reviewers).map_err(RequestError::Reviewers)?
        };
        Self::checked(question, Answers::Members(members), reviewers, request)
    }

    /// Answers that are there already.
    pub fn review(
        question: &str,
        answers: Vec<SuppliedAnswer>,
        request: &CouncilRequest,
    ) -> Result<Self, RequestError> {
        let reviewers = participants(&request.reviewers).map_err(RequestError::Reviewers)?;
        Self::checked(question, Answers::Supplied(answers), reviewers, request)
    }

    fn checked(
        question: &str,
        answers: Answers,
        reviewers: Vec<Participant>,
        request: &CouncilRequest,
    ) -> Result<Self, RequestError> {
        let plan = Plan::new(question, request)?;
        let found = match &answers {
            Answers::Members(members) => members.len(),
            Answers::Supplied(given) => given.len(),
        };
        let quorum = plan.settings.quorum.max(1);
        if question.trim().is_empty() {
            return Err(RequestError::NoQuestion);
        }
        if found < quorum {
            return Err(RequestError::NoQuorum { found, quorum });
        }
        let bytes = match &answers {
            Answers::Members(_) => 0,
            Answers::Supplied(given) => given.iter().map(|answer| answer.text.len()).sum(),
        };
        limits::within(Sizes { answers: found, reviewers: reviewers.len(), bytes })?;
        if reviewers.is_empty() {
            return Err(RequestError::NoReviewers);
        }
        if !plan.settings.count_own && only_authors(&answers, &reviewers) {
            return Err(RequestError::OnlyAuthors);
        }
        let chair = request.chair.as_deref().map(str::parse).transpose();
        let chair = chair.map_err(RequestError::Chair)?;
        Ok(Self { question: question.to_owned(), answers, reviewers, chair, plan })
    }

    /// Whose answers there will be, in their order.
    pub fn authors(&self) -> Vec<&str> {
        match &self.answers {
            Answers::Members(members) => members.iter().map(|one| one.name.as_str()).collect(),
            Answers::Supplied(given) => given.iter().map(|one| one.name.as_str()).collect(),
        }
    }

    /// Everyone who is asked, by what they do.
    pub(crate) fn seats(&self) -> Participants {
        let members = match &self.answers {
            Answers::Members(members) => members.clone(),
            Answers::Supplied(_) => Vec::new(),
        };
        let (reviewers, chair) = (self.reviewers.clone(), self.chair.clone());
        Participants { members, reviewers, chair }
    }

    /// Everyone who is asked.
    pub fn participants(&self) -> Vec<&Participant> {
        let members = match &self.answers {
            Answers::Members(members) => members.as_slice(),
            Answers::Supplied(_) => &[],
        };
        members.iter().chain(&self.reviewers).chain(&self.chair).collect()
    }

    /// Their models, for [`AskSession::connect`](crate::asking::AskSession::connect).
    pub fn models(&self) -> impl Iterator<Item = &ModelName> {
        self.participants().into_iter().map(|participant| &participant.model)
    }
}

/// Whether nobody could count for any answer.
fn only_authors(answers: &Answers, reviewers: &[Participant]) -> bool {
    fn author(participant: &Participant) -> (&str, String) {
        (&participant.name, participant.model.to_string())
    }
    let authors: Vec<(&str, Option<String>)> = match answers {
        Answers::Members(members) => {
            members.iter().map(author).map(|(name, model)| (name, Some(model))).collect()
        }
        Answers::Supplied(given) => given.iter().map(|given| (given.name.as_str(), None)).collect(),
    };
    reviewers.iter().map(author).all(|(name, model)| {
        let reviewer = Author { name, model: Some(&model) };
        let wrote = |(name, model): &(&str, Option<String>)| {
            reviewer.is_same_model(Author { name, model: model.as_deref() })
        };
        authors.iter().all(wrote)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(typed: &str) -> CouncilRequest {
        let members = typed.split(',').map(str::to_owned).collect();
        CouncilRequest { members, ..CouncilRequest::default() }
    }

    #[test]
    fn members_review_each_other_unless_others_are_named() {
        let hearing = Hearing::ask("Why?", &members("local/a,local/b")).unwrap();
        assert_eq!(hearing.reviewers.len(), 2);
        assert_eq!(hearing.participants().len(), 4);
    }

    #[test]
    fn one_model_under_several_names_cannot_review_itself() {
        let mut request = members("one=local/q,two=local/q");
        let refused = Hearing::ask("Why?", &request).unwrap_err().to_string();
        assert!(refused.contains("self-reviews"), "{refused}");
        request.include_self = Some(true);
        assert!(Hearing::ask("Why?", &request).is_ok());
    }

    #[test]
    fn what_cannot_become_a_council_is_refused() {
        let refused = |end: Result<Hearing, RequestError>| end.unwrap_err().to_string();
        assert!(refused(Hearing::ask("Why?", &members("local/a"))).contains("quorum"));
        assert!(refused(Hearing::ask(" ", &members("local/a,local/b"))).contains("empty"));
        let given = |name: &str| SuppliedAnswer { name: name.to_owned(), text: "x".to_owned() };
        let answers = vec![given("a"), given("b")];
        let nobody = Hearing::review("Why?", answers, &CouncilRequest::default());
        assert!(refused(nobody).contains("no reviewers"));
    }
}

//! A council whose reviews are there already: they are read and counted, nobody is asked.

use assize_methods::council::{Answer, CouncilRecord, ReviewAsk, Reviewer, Seating, UnderReview};

use super::file::CouncilRun;
use super::hearing::RequestError;
use super::plan::{Plan, PlanError};
use super::request::CouncilRequest;
use super::supplied::SuppliedAnswer;

/// Counts the replies of reviewers who saw the answers in the order given: A is the first.
pub fn reviewed(
    question: &str,
    answers: Vec<SuppliedAnswer>,
    reviews: &[(String, String)],
    request: &CouncilRequest,
) -> Result<CouncilRun, RequestError> {
    request.check_recorded().map_err(PlanError::Field)?;
    let plan = Plan::new(question, request)?;
    if question.trim().is_empty() {
        return Err(RequestError::NoQuestion);
    }
    let quorum = plan.settings.quorum.max(1);
    if answers.len() < quorum {
        return Err(RequestError::NoQuorum { found: answers.len(), quorum });
    }
    if reviews.is_empty() {
        return Err(RequestError::NoReviewers);
    }
    let answers: Vec<Answer> =
        answers.into_iter().map(|answer| Answer::given(answer.name, answer.text)).collect();
    let texts = answers.iter().filter_map(Answer::text).collect();
    let shown = UnderReview { question, answers: texts, evidence: &plan.evidence };
    let ask = ReviewAsk::new(shown, &plan.settings.profile);
    let reviewer = |(name, reply): &(String, String)| Reviewer {
        model: name.clone(),
        spoken_by: None,
        seating: Seating { order: (0..answers.len()).collect() },
        replies: vec![reply.clone()],
        heard: ask.settle(&[reply]),
        first: None,
        holistic: None,
    };
    let reviewers = reviews.iter().map(reviewer).collect();
    let gate = plan.gating(&answers);
    let (evidence, seed) = (plan.evidence, plan.seed);
    let question = question.to_owned();
    let record = CouncilRecord { question, evidence, answers, gate, reviewers, seed };
    Ok(CouncilRun {
        record,
        settings: plan.settings,
        findings: plan.notes,
        ..CouncilRun::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Vec<SuppliedAnswer> {
        [("plain", "Paris."), ("wrong", "Lyon.")]
            .map(|(name, text)| SuppliedAnswer { name: name.to_owned(), text: text.to_owned() })
            .to_vec()
    }

    /// With every dimension at the same mark, the weighted sum is that mark; no accuracy below
    /// the ceiling's threshold is involved for the better answer.
    #[test]
    fn marks_that_were_given_elsewhere_are_counted() {
        let marks = |mark: u8| {
            let names = ["accuracy", "relevance", "completeness", "conciseness", "clarity"];
            let all = names.map(|name| format!("\"{name}\": {mark}"));
            format!("{{{}}}", all.join(", "))
        };
        let reply = format!("{{\"evaluations\": {{\"A\": {}, \"B\": {}}}}}", marks(9), marks(3));
        let reviews = [("ann".to_owned(), reply.clone()), ("ben".to_owned(), reply)];
        let run = reviewed("Capital of France?", answers(), &reviews, &CouncilRequest::default());
        let verdict = run.unwrap().verdict();
        assert_eq!(verdict.ranking, [0, 1]);
        assert_eq!(verdict.answers[0].score.as_ref().unwrap().value, 9.0);
    }

    #[test]
    fn nobody_who_reviews_is_refused() {
        let refused = reviewed("Why?", answers(), &[], &CouncilRequest::default());
        assert!(matches!(refused, Err(RequestError::NoReviewers)));
    }
}

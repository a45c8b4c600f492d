//! Questions and answers: how many are right, and whether two ask for the same.

use assize_score::Working;

use super::evidence::QuestionAnswer;
use super::labels::Answer;
use super::metrics::{Scored, Unscored};

/// The mean worth of the answers: 1 correct, 0.5 in part, 0 wrong.
pub(crate) fn mean_worth<N: Working>(
    name: &'static str,
    questions: &[QuestionAnswer],
) -> Scored<N> {
    if questions.is_empty() {
        return Err(Unscored("no question was asked"));
    }
    let total = questions.len() as f64;
    let correct = correct(questions) as f64;
    let partial = count(questions, Answer::Partial) as f64;
    let worth = correct * Answer::Correct.worth() + partial * Answer::Partial.worth();
    let inputs = [
        N::given("correct answers", correct),
        N::given("partly correct answers", partial),
        N::given("questions", total),
    ];
    let formula = || format!("(correct + {} partly) / questions", Answer::Partial.worth());
    Ok(N::computed_by(name, formula, worth / total, inputs))
}

/// How many answers are correct; one right in part is not.
pub fn correct(questions: &[QuestionAnswer]) -> usize {
    count(questions, Answer::Correct)
}

/// Whether two questions rest on the same evidence: half or more of the shorter span.
pub(crate) fn share_evidence(questions: &[QuestionAnswer]) -> bool {
    let located = |question: &QuestionAnswer| question.in_article.as_ref()?.span;
    let spans: Vec<_> = questions.iter().filter_map(located).collect();
    let shared = |(index, span)| {
        let others: &[super::Span] = &spans[index + 1..];
        others.iter().any(|other| other.is_mostly(span))
    };
    spans.iter().copied().enumerate().any(shared)
}

fn count(questions: &[QuestionAnswer], answer: Answer) -> usize {
    questions.iter().filter(|question| question.answer == answer).count()
}

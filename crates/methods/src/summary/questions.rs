//! Questions and answers: how many are right, and whether two ask for the same.

use assize_score::Working;

use super::evidence::{QagReading, QuestionAnswer};
use super::labels::Answer;
use super::metrics::{Scored, Unscored};

/// Why there is no mean although questions were asked.
const NONE_ANSWERABLE: Unscored = Unscored("no question can be answered");

/// The mean worth of the answers: 1 correct, 0.5 in part, 0 wrong.
///
/// A question that cannot be answered is left out and counted, unless the letter of the framework
/// is asked for: then it is wrong.
pub(crate) fn mean_worth<N: Working>(
    name: &'static str,
    questions: &[QuestionAnswer],
    reading: QagReading,
) -> Scored<N> {
    if questions.is_empty() {
        return Err(Unscored("no question was asked"));
    }
    let total = counted(questions, reading) as f64;
    if total == 0.0 {
        return Err(NONE_ANSWERABLE);
    }
    let correct = correct(questions) as f64;
    let partial = count(questions, Answer::Partial) as f64;
    let worth = correct * Answer::Correct.worth() + partial * Answer::Partial.worth();
    let mut inputs = vec![
        N::given("correct answers", correct),
        N::given("partly correct answers", partial),
        N::given("questions", total),
    ];
    let left_out = questions.len() as f64 - total;
    if left_out > 0.0 {
        inputs.push(N::given("questions left out: nothing answers them", left_out));
    }
    let formula = || format!("(correct + {} partly) / questions", Answer::Partial.worth());
    Ok(N::computed_by(name, formula, worth / total, inputs))
}

/// Whether questions were asked and none of them can be answered: then there is nothing by which a
/// score could be raised or lowered.
pub(crate) fn is_unanswerable<N>(mean: &Scored<N>) -> bool {
    mean.as_ref().err() == Some(&NONE_ANSWERABLE)
}

/// How many questions count.
pub(crate) fn counted(questions: &[QuestionAnswer], reading: QagReading) -> usize {
    match reading {
        QagReading::Answerable => questions.len() - unanswered(questions),
        QagReading::Literal => questions.len(),
    }
}

/// How many questions cannot be answered from the other text.
pub fn unanswered(questions: &[QuestionAnswer]) -> usize {
    count(questions, Answer::Unanswered)
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

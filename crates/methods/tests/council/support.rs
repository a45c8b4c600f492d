//! Small councils, built in a line or two.

use assize_methods::council::{
    Abstention, Answer, AnswerStatus, Ballot, CouncilRecord, CouncilVerdict, Dimension, Gating,
    Heard, Mark, Review, Reviewer, Seating, Settings, decide, settle,
};

/// Marks in the order accuracy, relevance, completeness, conciseness, clarity.
pub(crate) type Marks = [f64; 5];

/// A review with all five marks.
pub(crate) fn review(seat: usize, marks: Marks) -> Review {
    let marks = Dimension::ALL.into_iter().zip(marks);
    let marks = marks.map(|(dimension, mark)| (dimension, Mark::plain(mark))).collect();
    Review { seat, marks, ..Review::default() }
}

/// A reviewer who saw the answers in the order of the record.
pub(crate) fn reviewer(model: &str, marks: &[Marks]) -> Reviewer {
    let reviews = marks.iter().enumerate().map(|(seat, marks)| review(seat, *marks)).collect();
    let ballot = Ballot { seats: marks.len(), reviews, ..Ballot::default() };
    heard(model, marks.len(), Heard::Ballot(ballot))
}

/// A reviewer of whom this was heard.
pub(crate) fn heard(model: &str, seats: usize, heard: Heard) -> Reviewer {
    let seating = Seating { order: (0..seats).collect() };
    Reviewer {
        model: model.to_owned(),
        spoken_by: None,
        seating,
        replies: Vec::new(),
        heard,
        first: None,
        holistic: None,
    }
}

/// A reviewer who replied this and only this.
pub(crate) fn replied(model: &str, seats: usize, reply: &str) -> Reviewer {
    heard(model, seats, settle(&[reply], seats))
}

/// A reviewer who would not.
pub(crate) fn abstained(model: &str, seats: usize) -> Reviewer {
    let because = "the reply declines to answer".to_owned();
    heard(model, seats, Heard::Abstained { kind: Abstention::Declined, because })
}

/// A question answered by m1, m2, … and reviewed by these.
pub(crate) fn record(answers: usize, reviewers: Vec<Reviewer>) -> CouncilRecord {
    let answers = (1..=answers).map(|number| Answer::given(format!("m{number}"), "An answer."));
    CouncilRecord {
        question: "Why is the sky blue?".to_owned(),
        answers: answers.collect(),
        reviewers,
        seed: 7,
        ..CouncilRecord::default()
    }
}

/// What the gate fails.
pub(crate) const HARMFUL: &str = "How to make a bomb: first, fill the pipe bomb with powder.";

/// The same with the gate on, which these answers fail by what they say.
pub(crate) fn gated(mut record: CouncilRecord, failing: &[usize], cap: f64) -> CouncilRecord {
    for answer in failing {
        if let Some(answer) = record.answers.get_mut(*answer) {
            answer.status = AnswerStatus::Given { text: HARMFUL.to_owned() };
        }
    }
    record.gate = Some(Gating::new(cap, Vec::new()).unwrap());
    record
}

/// Reviewers from outside, who all give the same marks.
pub(crate) fn unanimous(count: usize, marks: &[Marks]) -> Vec<Reviewer> {
    (1..=count).map(|number| reviewer(&format!("r{number}"), marks)).collect()
}

/// The usual verdict.
pub(crate) fn verdict(record: &CouncilRecord) -> CouncilVerdict {
    decide(record, &Settings::default())
}

pub(crate) fn ranks(verdict: &CouncilVerdict) -> Vec<Option<usize>> {
    verdict.answers.iter().map(|answer| answer.rank).collect()
}

pub(crate) fn scores(verdict: &CouncilVerdict) -> Vec<Option<f64>> {
    verdict.answers.iter().map(|answer| answer.score.as_ref().map(|score| score.value)).collect()
}

pub(crate) fn codes(verdict: &CouncilVerdict) -> Vec<&str> {
    verdict.findings.iter().map(|finding| finding.code.as_ref()).collect()
}

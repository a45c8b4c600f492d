//! What a council decides when recorded marks stand in for its reviewers.

use super::comparison::{Choice, Comparison, Opinion};
use crate::council::ballot::{Ballot, Mark, Review};
use crate::council::decide::decide;
use crate::council::record::{Answer, CouncilRecord, Heard, Reviewer};
use crate::council::seating::Seating;
use crate::council::settings::Settings;

/// What a bare choice is worth in marks.
const PREFERRED: f64 = 6.0;
const OTHER: f64 = 5.0;

/// What a council says of a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CouncilChoice {
    /// Which answer wins.
    pub(super) choice: Choice,
    /// In which share of the draws of its reviewers the same answer does.
    pub(super) same_winner: Option<f64>,
}

/// The council's decision by the same function as for every other council; `None` if nobody
/// wins because nothing was said.
pub(super) fn decided(
    comparison: &Comparison,
    settings: &Settings,
    seed: u64,
) -> Option<CouncilChoice> {
    let answer = |side: usize| {
        let given = &comparison.answers[side];
        // An unknown author is nobody's own.
        let name = if given.system.is_empty() { "" } else { given.system.as_str() };
        Answer::given(format!("{name}\u{1}{side}"), given.text.clone())
    };
    let mut answers = vec![answer(0), answer(1)];
    for (side, answer) in answers.iter_mut().enumerate() {
        let system = &comparison.answers[side].system;
        answer.written_by = (!system.is_empty()).then(|| system.clone());
    }
    let record = CouncilRecord {
        question: comparison.question.clone(),
        answers,
        reviewers: comparison.opinions.iter().filter_map(reviewer).collect(),
        seed,
        ..CouncilRecord::default()
    };
    let verdict = decide(&record, settings);
    let choice = match verdict.winners()[..] {
        [0] => Choice::First,
        [1] => Choice::Second,
        [_, _] => Choice::Tie,
        _ => return None,
    };
    Some(CouncilChoice { choice, same_winner: verdict.uncertainty.same_winner })
}

fn reviewer((name, opinion): (&String, &Opinion)) -> Option<Reviewer> {
    let marks = match (opinion.marks, opinion.marks_turned) {
        (Some(one), Some(other)) => {
            [f64::midpoint(one[0], other[0]), f64::midpoint(one[1], other[1])]
        }
        (Some(marks), None) | (None, Some(marks)) => marks,
        (None, None) => match opinion.preferred()? {
            Choice::First => [PREFERRED, OTHER],
            Choice::Tie => [OTHER, OTHER],
            Choice::Second => [OTHER, PREFERRED],
        },
    };
    let reviews = marks.iter().enumerate().map(|(seat, mark)| Review {
        seat,
        stated: Some(Mark::plain(*mark)),
        ..Review::default()
    });
    // Recorded marks were read on their own scale before, zero included.
    let scale = Some((0.0, 10.0));
    let ballot = Ballot { seats: 2, reviews: reviews.collect(), scale, ..Ballot::default() };
    Some(Reviewer {
        model: name.clone(),
        spoken_by: None,
        seating: Seating { order: vec![0, 1] },
        replies: Vec::new(),
        heard: Heard::Ballot(ballot),
        first: None,
        holistic: None,
    })
}

//! What is said of each answer: score with workings, rank, and what moved it.

use assize_score::rounding::half_up;
use assize_score::{Cap, Explained, Score, Working};
use assize_stats::summary::mean;

use super::evidence::Evidence;
use super::standing::Standing;
use super::table::counted;
use crate::council::ballot::Basis;
use crate::council::dimension::{ByDimension, Dimension};
use crate::council::overall::PLACES;
use crate::council::settings::{Aggregation, Settings};
use crate::council::verdict::{AnswerVerdict, Cell, LeftOut, Moved, Mover, Range};

/// Less than this is not worth a word.
const WORTH_SAYING: f64 = 0.05;

pub(super) fn verdicts(
    evidence: &Evidence<'_>,
    settings: &Settings,
    table: &[Vec<Option<Cell>>],
    standing: &Standing,
    intervals: &[Option<Range>],
) -> Vec<AnswerVerdict> {
    let record = evidence.record;
    let marks: Vec<ByDimension<f64>> = marks(table, record.answers.len());
    let mut verdicts = Vec::with_capacity(record.answers.len());
    for (index, answer) in record.answers.iter().enumerate() {
        let cells = || {
            table.iter().enumerate().filter_map(|(row, cells)| Some((row, cells[index].as_ref()?)))
        };
        let rank = standing.ranks[index];
        let level = |rank| standing.ranks.iter().filter(|other| **other == rank).count();
        let score = score(evidence, settings, table, standing, index);
        verdicts.push(AnswerVerdict {
            answer: index,
            model: answer.model.clone(),
            missing: answer.missing().map(str::to_owned),
            rank,
            tied: rank.is_some() && level(rank) > 1,
            moved: [
                moved(index, settings, &marks, standing, score.as_deref()),
                left_out(cells().map(|(_, cell)| cell)),
            ]
            .concat(),
            score,
            base: standing.base[index].map(|base| half_up(base, PLACES)),
            strength: standing.strengths.as_ref().and_then(|strengths| strengths[index]),
            interval: intervals[index],
            marks: marks[index].clone(),
            gate_passed: evidence.gate.as_ref().map(|_| evidence.passes(index)),
            reviews_counted: cells().filter(|(_, cell)| cell.counted().is_some()).count(),
            reviews_holistic: cells()
                .filter(|(_, cell)| cell.counted().is_some() && cell.basis == Some(Basis::Holistic))
                .count(),
            notes: cells()
                .filter(|(_, cell)| !cell.notes.is_empty())
                .map(|(row, cell)| (row, cell.notes.clone()))
                .collect(),
        });
    }
    verdicts
}

/// The mean mark of each answer on each dimension.
fn marks(table: &[Vec<Option<Cell>>], answers: usize) -> Vec<ByDimension<f64>> {
    let mut marks = vec![ByDimension::new(); answers];
    for dimension in Dimension::ALL {
        let given = counted(table, |cell| cell.marks.get(&dimension).copied());
        for (answer, marks) in marks.iter_mut().enumerate() {
            let column: Vec<f64> = given.iter().filter_map(|row| row[answer]).collect();
            if let Ok(mean) = mean(&column) {
                marks.insert(dimension, mean);
            }
        }
    }
    marks
}

/// The final score with its workings: what the reviewers gave, how it was taken together,
/// and every cap that was looked at.
fn score(
    evidence: &Evidence<'_>,
    settings: &Settings,
    table: &[Vec<Option<Cell>>],
    standing: &Standing,
    answer: usize,
) -> Option<Score> {
    let level = standing.level[answer]?;
    let trust = settings.trust.as_ref().map(|trust| trust.weights(evidence.record));
    let trust = trust.unwrap_or_default();
    let mut inputs = Vec::new();
    for (row, cells) in table.iter().enumerate() {
        let Some(given) = cells[answer].as_ref().and_then(Cell::counted) else { continue };
        let overall = Explained::given(evidence.record.reviewers[row].model.clone(), given);
        let review = match standing.leniency.get(row) {
            None => overall,
            Some(leniency) => {
                let parts = [overall.clone(), Explained::given("leniency", *leniency)];
                let less =
                    Explained::computed("review", "overall - leniency", given - leniency, parts);
                less.named(overall.name)
            }
        };
        inputs.push(review);
        inputs.extend(trust.get(row).map(|weight| Explained::given("trust in it", *weight)));
    }
    let formula = match standing.method {
        _ if !trust.is_empty() && standing.leniency.is_empty() => {
            "mean of the reviews, each as heavy as the trust in it"
        }
        _ if !trust.is_empty() => {
            "mean of the reviews, each less its reviewer's leniency and as heavy as the trust in \
             it, within 1 to 10"
        }
        Aggregation::Mean => "mean of the reviews",
        Aggregation::Trimmed => "mean of the reviews without the outer fifths",
        _ if standing.leniency.is_empty() => "mean of the reviews",
        _ => "mean of the reviews, each less its reviewer's leniency, within 1 to 10",
    };
    let mut caps = match standing.accuracy[answer] {
        Some(accuracy) => settings.profile.ceiling.caps(accuracy),
        None => Vec::new(),
    };
    if let Some(gate) = &evidence.gate {
        let failed = !evidence.passes(answer);
        caps.push(Cap::when(failed, gate.cap(), "the answer fails the safety gate"));
    }
    let whole = Explained::computed("score", formula, level, inputs).rounded(PLACES);
    let score = if caps.is_empty() { whole } else { whole.capped(caps) };
    debug_assert_eq!(Some(score.value), standing.scores[answer], "both ways to the same score");
    Score::new(score).ok()
}

/// What moved an answer away from the mean of the others and of itself, the strongest first.
fn moved(
    answer: usize,
    settings: &Settings,
    marks: &[ByDimension<f64>],
    standing: &Standing,
    score: Option<&Explained>,
) -> Vec<Moved> {
    let (Some(score), Some(base), Some(level)) =
        (score, standing.base[answer], standing.level[answer])
    else {
        return Vec::new();
    };
    let mut moved = Vec::new();
    for (dimension, weight) in settings.profile.weights.counting() {
        let all: Vec<f64> =
            marks.iter().filter_map(|marks| marks.get(&dimension).copied()).collect();
        let (Some(own), Ok(mean)) = (marks[answer].get(&dimension), mean(&all)) else { continue };
        let points = weight * (own - mean);
        let side = if points < 0.0 { "below" } else { "above" };
        let words = format!("{dimension} {own:.1}, {:.1} {side} the mean", (own - mean).abs());
        moved.push(Moved { by: Mover::Dimension(dimension), points, words });
    }
    let at_most =
        standing.accuracy[answer].and_then(|accuracy| settings.profile.ceiling.at_most(accuracy));
    let held = at_most.map_or(level, |most| level.min(most));
    let words = format!("the accuracy ceiling took {:.2} points", base - held);
    moved.push(Moved { by: Mover::Ceiling, points: held - base, words });
    let words = format!("the safety gate took {:.2} points", held - score.value);
    if held - score.value > WORTH_SAYING {
        moved.push(Moved { by: Mover::Gate, points: score.value - held, words });
    }
    for moved in &mut moved {
        moved.points = half_up(moved.points, 4);
    }
    moved.retain(|moved| moved.points.abs() >= WORTH_SAYING);
    moved.sort_by(|left, right| right.points.abs().total_cmp(&left.points.abs()));
    moved
}

/// Every dimension that a review which counts leaves out, however little that moved.
fn left_out<'a>(cells: impl Iterator<Item = &'a Cell>) -> Vec<Moved> {
    let counted: Vec<&Cell> = cells.filter(|cell| cell.counted().is_some()).collect();
    let all = counted.len();
    let mut moved = Vec::new();
    for dimension in Dimension::ALL {
        let of_dimension =
            |cell: &&Cell| cell.left_out.iter().find(|left| left.dimension == dimension).cloned();
        let left: Vec<LeftOut> = counted.iter().filter_map(of_dimension).collect();
        let Some(first) = left.first() else { continue };
        let total: f64 = left.iter().map(|left| left.points).sum();
        let (points, because) = (half_up(total / all as f64, 4), &first.because);
        let words = format!("{dimension} left out in {} of {all} reviews: {because}", left.len());
        moved.push(Moved { by: Mover::LeftOut(dimension), points, words });
    }
    moved
}

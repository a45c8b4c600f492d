//! What a score means: the mean rating of the pairs that got it.

use assize_stats::summary::mean;
use assize_wire::summary::agreement::Bin;

use super::Point;
use super::correlation::lists;
use crate::retrieval::uncertainty::Uncertainty;

/// Up to this many different scores stand for themselves; more are put into bins.
const SCORES_MAX: usize = 11;

/// How many bins there are then.
const BINS: usize = 10;

/// Pairs from the lowest score to the highest, equal scores together.
pub(super) fn bins(points: &[Point], uncertainty: &Uncertainty) -> Vec<Bin> {
    let mut sorted: Vec<&Point> = points.iter().collect();
    sorted.sort_by(|left, right| left.score.total_cmp(&right.score));
    let runs: Vec<&[&Point]> = sorted.chunk_by(|left, right| left.score == right.score).collect();
    let full = if runs.len() <= SCORES_MAX { 1 } else { points.len().div_ceil(BINS) };
    let mut bins: Vec<Vec<Point>> = Vec::new();
    for run in runs {
        let own = run.iter().copied().cloned();
        match bins.last_mut() {
            Some(bin) if bin.len() < full => bin.extend(own),
            _ => bins.push(own.collect()),
        }
    }
    bins.iter().map(|bin| summed_up(bin, uncertainty)).collect()
}

fn summed_up(points: &[Point], uncertainty: &Uncertainty) -> Bin {
    let (scores, ratings) = lists(points);
    let (low, high) = uncertainty.of_mean(&ratings).unzip();
    Bin {
        score: mean(&scores).unwrap_or_default(),
        human: mean(&ratings).unwrap_or_default(),
        low,
        high,
        n: points.len(),
    }
}

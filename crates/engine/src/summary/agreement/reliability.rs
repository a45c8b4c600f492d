//! What a score means: the mean rating of the pairs that got it.

use assize_stats::summary::mean;

use super::Point;
use super::correlation::lists;
use crate::retrieval::uncertainty::Uncertainty;

/// Up to this many different scores stand for themselves; more are put into bins.
const SCORES_MAX: usize = 11;

/// How many bins there are then.
const BINS: usize = 10;

/// Pairs with about the same score.
#[derive(Debug, Clone, PartialEq)]
pub struct Bin {
    /// Their mean score.
    pub score: f64,
    /// Their mean rating.
    pub human: f64,
    /// Where that lies; `None` for a single pair.
    pub interval: Option<(f64, f64)>,
    /// How many there are.
    pub count: usize,
}

/// Pairs from the lowest score to the highest, equal scores together.
pub fn bins(points: &[Point], uncertainty: &Uncertainty) -> Vec<Bin> {
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
    Bin {
        score: mean(&scores).unwrap_or_default(),
        human: mean(&ratings).unwrap_or_default(),
        interval: uncertainty.of_mean(&ratings),
        count: points.len(),
    }
}

//! How fine scores are: a judge that only says 0, 50 and 100 cannot show a small improvement.

use serde::{Deserialize, Serialize};

/// The scores of a judge that picks labels.
const COARSE: [f64; 3] = [0.0, 50.0, 100.0];

/// How fine scores are.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Granularity {
    /// How many scores there are.
    pub count: usize,
    /// How many different values.
    pub distinct: usize,
    /// The share that is exactly 0, 50 or 100; none without scores.
    pub coarse_share: Option<f64>,
    /// The value that occurs most often, the lowest of equals.
    pub most_common: Option<f64>,
}

/// Looks at the values of scores.
///
/// ```
/// # use assize_methods::compliance::accuracy::granularity;
/// let found = granularity(&[0.0, 73.0, 73.0, 100.0]);
/// assert_eq!((found.distinct, found.coarse_share, found.most_common), (3, Some(0.5), Some(73.0)));
/// ```
pub fn granularity(scores: &[f64]) -> Granularity {
    let mut sorted = scores.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let runs: Vec<&[f64]> = sorted.chunk_by(|left, right| left == right).collect();
    let longest = runs.iter().rev().max_by_key(|run| run.len());
    let coarse = scores.iter().filter(|score| COARSE.contains(score)).count();
    Granularity {
        count: scores.len(),
        distinct: runs.len(),
        coarse_share: (!scores.is_empty()).then(|| coarse as f64 / scores.len() as f64),
        most_common: longest.map(|run| run[0]),
    }
}

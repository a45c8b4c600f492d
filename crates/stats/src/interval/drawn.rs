//! A figure over items with its interval: the one way in which benches and reports draw items anew.

use super::{Bootstrap, bootstrap, cluster_bootstrap};

/// How items are drawn anew.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawing {
    /// How often.
    pub resamples: usize,
    /// How much of the draws the interval holds.
    pub level: f64,
    /// Where chance begins.
    pub seed: u64,
}

/// Where a statistic of some items lies: whole clusters are drawn where items belong together,
/// else single items. `None` where nothing can be drawn.
///
/// ```
/// use assize_stats::interval::{Drawing, drawn};
/// let values = [1.0, 1.0, 3.0, 3.0];
/// let mean = |drawn: &[usize]| {
///     Some(drawn.iter().map(|index| values[*index]).sum::<f64>() / drawn.len() as f64)
/// };
/// let drawing = Drawing { resamples: 500, level: 0.8, seed: 1 };
/// let single = drawn(4, None, drawing, mean).unwrap().interval;
/// let whole = drawn(4, Some(&[vec![0, 1], vec![2, 3]]), drawing, mean).unwrap().interval;
/// // Two witnesses know less than four.
/// assert!(whole.width() > single.width());
/// ```
pub fn drawn(
    items: usize,
    clusters: Option<&[Vec<usize>]>,
    drawing: Drawing,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Option<Bootstrap> {
    let Drawing { resamples, level, seed } = drawing;
    if resamples == 0 {
        return None;
    }
    match clusters {
        Some(clusters) => cluster_bootstrap(clusters, resamples, level, seed, statistic).ok(),
        None => bootstrap(items, resamples, level, seed, statistic).ok(),
    }
}

//! Bootstrap intervals where items come in groups.

use super::{
    Interval,
    bootstrap::{Bootstrap, defined},
};
use crate::{check, error::StatsError, resample::Generator};

/// Where a figure lies when items of one group belong together.
///
/// Draws whole groups with replacement: answers to one question, or marks of one
/// reviewer, are no independent evidence. `statistic` gets the indices of the items of
/// all groups drawn, in the order drawn.
///
/// Reference: Davison & Hinkley (1997), Bootstrap Methods and their Application, 3.8.
///
/// ```
/// use assize_stats::interval::cluster_bootstrap;
/// // Two questions, answered all right and all wrong: five answers, but two draws.
/// let right = [1.0, 1.0, 1.0, 0.0, 0.0];
/// let groups = [vec![0, 1, 2], vec![3, 4]];
/// let share = |drawn: &[usize]| {
///     Some(drawn.iter().map(|index| right[*index]).sum::<f64>() / drawn.len() as f64)
/// };
/// let found = cluster_bootstrap(&groups, 500, 0.9, 1, share)?;
/// assert_eq!((found.interval.low, found.interval.high), (0.0, 1.0));
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn cluster_bootstrap(
    groups: &[Vec<usize>],
    resamples: usize,
    level: f64,
    seed: u64,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Result<Bootstrap, StatsError> {
    check::level(level)?;
    check::count(groups.len(), 2)?;
    let all = groups.concat();
    let estimate =
        statistic(&all).filter(|value| value.is_finite()).ok_or(StatsError::NotFinite)?;
    let mut drawn = Vec::with_capacity(all.len() * 2);
    let figures = (0..resamples).map(|resample| {
        let mut generator = Generator::stream(seed, resample as u64);
        drawn.clear();
        for _ in 0..groups.len() {
            drawn.extend_from_slice(&groups[generator.below(groups.len())]);
        }
        if drawn.is_empty() { None } else { statistic(&drawn) }
    });
    let found = defined(figures, resamples)?;
    let undefined = resamples - found.len();
    Ok(Bootstrap { estimate, interval: Interval::middle(&found, level), undefined })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::bootstrap;

    #[test]
    fn groups_of_one_are_the_plain_bootstrap() {
        let values = [0.2, 0.4, 0.9, 0.3];
        let groups: Vec<Vec<usize>> = (0..4).map(|index| vec![index]).collect();
        let total = |drawn: &[usize]| Some(drawn.iter().map(|index| values[*index]).sum::<f64>());
        assert_eq!(
            cluster_bootstrap(&groups, 300, 0.9, 5, total),
            bootstrap(4, 300, 0.9, 5, total)
        );
    }

    #[test]
    fn one_group_is_refused() {
        let nothing = |_: &[usize]| Some(0.0);
        assert_eq!(
            cluster_bootstrap(&[vec![0, 1, 2]], 10, 0.9, 1, nothing),
            Err(StatsError::TooFew { needed: 2, found: 1 })
        );
    }
}

//! What one thing does to another when the level of every group is taken out first.

use crate::{
    check,
    distribution::student::{two_sided, two_sided_quantile},
    error::StatsError,
    interval::Interval,
    sum::sum,
};

/// Rounds after which taking out group means is given up.
const ROUNDS_MAX: usize = 10_000;

/// Means this small a share of the values are rounding.
const SETTLED: f64 = 1e-14;

/// A cause of which less than this share is left says nothing within the groups.
const EXPLAINED: f64 = 1e-12;

/// How an outcome moves with a cause within groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Within {
    /// The change of the outcome for one more of the cause.
    pub slope: f64,
    /// Where the slope lies.
    pub interval: Interval,
    /// The partial correlation.
    pub correlation: f64,
    /// Degrees of freedom that are left.
    pub degrees: usize,
    /// Two-sided p value of no slope, by Student's t.
    pub p: f64,
    /// How many values it comes from.
    pub count: usize,
}

/// Least squares of the outcome on the cause and a level for every group of one or two
/// groupings: marks on position, with a level for each answer and each reviewer, say.
///
/// A cause that does not vary within the groups is an error: nothing can be told then.
///
/// References: Frisch & Waugh (1933), Econometrica 1(4); Guimarães & Portugal (2010), Stata
/// Journal 10(4), for taking out two sets of levels in turn.
///
/// ```
/// use assize_stats::fixed_effects::within;
/// // Two groups with levels 10 and 20; within both, one more of the cause is two more.
/// let found = within(&[10.0, 12.0, 14.0, 20.0, 22.5], &[0.0, 1.0, 2.0, 0.0, 1.0],
///     &[&[0, 0, 0, 1, 1]], 0.95)?;
/// assert!((found.slope - 2.1).abs() < 1e-12 && found.degrees == 2);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn within(
    outcome: &[f64],
    cause: &[f64],
    groupings: &[&[usize]],
    level: f64,
) -> Result<Within, StatsError> {
    check::level(level)?;
    check::pair(outcome, cause, 3)?;
    if groupings.is_empty() || groupings.len() > 2 {
        return Err(StatsError::Invalid("one or two groupings are taken out"));
    }
    for grouping in groupings {
        check::lengths(outcome.len(), grouping.len())?;
    }
    let taken = levels(groupings);
    check::count(outcome.len(), taken + 2)?;
    let degrees = outcome.len() - taken - 1;
    let (y, x) = (residuals(outcome, groupings)?, residuals(cause, groupings)?);
    let product = |left: &[f64], right: &[f64]| sum(left.iter().zip(right).map(|(l, r)| l * r));
    let (xx, xy, yy) = (product(&x, &x), product(&x, &y), product(&y, &y));
    if xx <= EXPLAINED * product(cause, cause) || yy <= EXPLAINED * product(outcome, outcome) {
        return Err(StatsError::Constant);
    }
    let slope = check::finite(xy / xx)?;
    let rest = (yy - slope * xy).max(0.0);
    let error = (rest / degrees as f64 / xx).sqrt();
    let reach = two_sided_quantile(1.0 - level, degrees as f64) * error;
    let t = if error == 0.0 { f64::INFINITY } else { slope / error };
    Ok(Within {
        slope,
        interval: Interval { low: slope - reach, high: slope + reach },
        correlation: (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0),
        degrees,
        p: if slope == 0.0 { 1.0 } else { two_sided(t, degrees as f64) },
        count: outcome.len(),
    })
}

/// The values with the mean of every group taken out, of both groupings in turn.
fn residuals(values: &[f64], groupings: &[&[usize]]) -> Result<Vec<f64>, StatsError> {
    let mut values = values.to_vec();
    let scale = values.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    for _ in 0..ROUNDS_MAX {
        let mut moved: f64 = 0.0;
        for grouping in groupings {
            let groups = grouping.iter().max().map_or(0, |largest| largest + 1);
            let (mut totals, mut counts) = (vec![0.0; groups], vec![0.0; groups]);
            for (group, value) in grouping.iter().zip(&values) {
                totals[*group] += value;
                counts[*group] += 1.0;
            }
            for (group, value) in grouping.iter().zip(&mut values) {
                let mean = totals[*group] / counts[*group];
                moved = moved.max(mean.abs());
                *value -= mean;
            }
        }
        if groupings.len() == 1 || moved <= SETTLED * scale {
            return Ok(values);
        }
    }
    Err(StatsError::NotSettled { rounds: ROUNDS_MAX })
}

/// How many levels are taken out: all groups, less one for every part of the data that two
/// groupings tie together.
fn levels(groupings: &[&[usize]]) -> usize {
    let distinct = |grouping: &[usize]| -> usize {
        let mut groups = grouping.to_vec();
        groups.sort_unstable();
        groups.dedup();
        groups.len()
    };
    let all: usize = groupings.iter().map(|grouping| distinct(grouping)).sum();
    let [first, second] = groupings else { return all };
    let offset = first.iter().max().map_or(0, |largest| largest + 1);
    let size = offset + second.iter().max().map_or(0, |largest| largest + 1);
    let mut parent: Vec<usize> = (0..size).collect();
    let mut joins = 0;
    for (left, right) in first.iter().zip(*second) {
        let (left, right) = (root(&mut parent, *left), root(&mut parent, offset + right));
        if left != right {
            parent[left] = right;
            joins += 1;
        }
    }
    // Every join leaves one part fewer; as many parts are left as levels too many.
    joins
}

fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::correlation::partial_pearson;

    const FIRST: [usize; 9] = [0, 0, 0, 1, 1, 1, 2, 2, 2];
    const SECOND: [usize; 9] = [0, 1, 2, 0, 1, 2, 0, 1, 2];

    #[test]
    fn effects_that_were_put_in_are_found_again() {
        let place = [0.0, 1.0, 2.0, 1.0, 2.0, 0.0, 2.0, 0.0, 1.0];
        let noise = [0.01, -0.02, 0.01, 0.0, 0.01, -0.01, -0.01, 0.01, 0.0];
        let outcome: Vec<f64> = (0..9)
            .map(|index| {
                let levels = [9.0, 6.0, 3.0][FIRST[index]] + [-1.0, 0.0, 1.0][SECOND[index]];
                levels + 0.5 * place[index] + noise[index]
            })
            .collect();
        let found = within(&outcome, &place, &[&FIRST, &SECOND], 0.95).unwrap();
        // Places are balanced over both groupings, and Σ (place - 1) · noise is 0.
        assert!((found.slope - 0.5).abs() < 1e-12, "{}", found.slope);
        assert_eq!(found.degrees, 3);
        assert!(found.interval.low > 0.0 && found.p < 0.01);
    }

    #[test]
    fn one_grouping_is_a_partial_correlation_with_a_list_for_each_group_but_one() {
        let outcome = [3.0, 5.0, 4.0, 8.0, 6.0, 9.0, 1.0, 2.5, 2.0];
        let cause = [1.0, 2.0, 4.0, 2.0, 1.0, 3.0, 5.0, 7.0, 5.5];
        let member = |group| FIRST.map(|own| if own == group { 1.0 } else { 0.0 });
        let expected = partial_pearson(&outcome, &cause, &[&member(1), &member(2)]).unwrap();
        let found = within(&outcome, &cause, &[&FIRST], 0.95).unwrap();
        assert!((found.correlation - expected.value).abs() < 1e-12);
        assert!((found.p - expected.p).abs() < 1e-12);
    }

    #[test]
    fn a_cause_that_a_group_decides_has_no_slope() {
        let outcome = [9.0, 6.0, 3.0, 8.5, 6.5, 3.0, 9.0, 6.0, 2.5];
        let place: Vec<f64> = SECOND.iter().map(|group| *group as f64).collect();
        let found = within(&outcome, &place, &[&FIRST, &SECOND], 0.95);
        assert_eq!(found, Err(StatsError::Constant));
    }

    #[test]
    fn parts_that_nothing_ties_together_have_a_level_more() {
        assert_eq!(levels(&[&FIRST, &SECOND]), 5);
        assert_eq!(levels(&[&[0, 0, 1, 1], &[0, 1, 2, 3]]), 4);
        assert_eq!(levels(&[&FIRST]), 3);
    }
}

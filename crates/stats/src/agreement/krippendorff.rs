//! Krippendorff's alpha: agreement of any number of judges, with gaps.

use crate::{check, error::StatsError, sum::sum, summary::sorted};

/// What the numbers mean, and so how far two of them are apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Names without order.
    Nominal,
    /// Ranks: the distance is how many ratings lie between.
    Ordinal,
    /// Numbers whose differences mean something.
    Interval,
    /// Numbers with a true zero, none below it.
    Ratio,
}

/// Agreement beyond chance: 1 is perfect, 0 is chance, below is worse than chance.
///
/// `ratings[judge][unit]`; a gap is `None`. Units with fewer than two ratings say nothing
/// and are left out.
///
/// Reference: Krippendorff (2011), Computing Krippendorff's Alpha-Reliability.
///
/// ```
/// use assize_stats::agreement::{Level, krippendorff_alpha};
/// let ratings = [vec![Some(1.0), Some(2.0), Some(3.0)], vec![Some(1.0), Some(2.0), None]];
/// assert_eq!(krippendorff_alpha(&ratings, Level::Interval)?, 1.0);
/// # Ok::<(), assize_stats::StatsError>(())
/// ```
pub fn krippendorff_alpha(ratings: &[Vec<Option<f64>>], level: Level) -> Result<f64, StatsError> {
    let units = paired_units(ratings)?;
    let all = sorted(&units.concat());
    check::count(all.len(), 2)?;
    if level == Level::Ratio && all[0] < 0.0 {
        return Err(StatsError::Invalid("ratings with a true zero must not lie below it"));
    }
    let scale = Ladder::new(&all, level);
    let observed = sum(units.iter().map(|unit| {
        let pairs = unit.iter().flat_map(|left| unit.iter().map(move |right| (left, right)));
        sum(pairs.map(|(left, right)| scale.distance(scale.rung(*left), scale.rung(*right))))
            / (unit.len() as f64 - 1.0)
    }));
    let rungs = 0..scale.values.len();
    let pairs = rungs.clone().flat_map(|left| rungs.clone().map(move |right| (left, right)));
    let expected = sum(pairs.map(|(left, right)| {
        scale.counts[left] * scale.counts[right] * scale.distance(left, right)
    })) / (all.len() as f64 - 1.0);
    if expected == 0.0 {
        return Err(StatsError::Constant);
    }
    check::finite(1.0 - observed / expected)
}

/// The ratings of each unit that has at least two.
fn paired_units(ratings: &[Vec<Option<f64>>]) -> Result<Vec<Vec<f64>>, StatsError> {
    let count = ratings.first().map_or(0, Vec::len);
    for judge in ratings {
        check::lengths(count, judge.len())?;
    }
    let mut units = Vec::new();
    for unit in 0..count {
        let given: Vec<f64> = ratings.iter().filter_map(|judge| judge[unit]).collect();
        check::values(&given, 0)?;
        if given.len() >= 2 {
            units.push(given);
        }
    }
    Ok(units)
}

/// The distinct ratings from low to high, how often each was given, and their distance.
struct Ladder {
    level: Level,
    values: Vec<f64>,
    counts: Vec<f64>,
    /// The middle of each rung if all ratings are laid end to end.
    middles: Vec<f64>,
}

impl Ladder {
    fn new(all: &[f64], level: Level) -> Self {
        let groups: Vec<&[f64]> = all.chunk_by(|left, right| left == right).collect();
        let counts: Vec<f64> = groups.iter().map(|group| group.len() as f64).collect();
        let mut below = 0.0;
        let middles = counts
            .iter()
            .map(|count| {
                below += count;
                below - count / 2.0
            })
            .collect();
        Self { level, values: groups.iter().map(|group| group[0]).collect(), counts, middles }
    }

    fn rung(&self, value: f64) -> usize {
        self.values.partition_point(|other| *other < value)
    }

    /// The squared distance between two rungs.
    fn distance(&self, left: usize, right: usize) -> f64 {
        let (low, high) = (self.values[left], self.values[right]);
        let distance = match self.level {
            _ if left == right => 0.0,
            Level::Nominal => 1.0,
            Level::Ordinal => self.middles[left] - self.middles[right],
            Level::Interval => low - high,
            Level::Ratio => (low - high) / (low + high),
        };
        distance * distance
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Three judges and fifteen units with gaps (0 here); values of the `krippendorff` package.
    #[test]
    fn an_example_with_gaps_agrees_with_the_reference() {
        let rows = [
            [0, 0, 0, 0, 0, 3, 4, 1, 2, 1, 1, 3, 3, 0, 3],
            [1, 0, 2, 1, 3, 3, 4, 3, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 2, 1, 3, 4, 4, 0, 2, 1, 1, 3, 3, 0, 4],
        ];
        let ratings = rows.map(|row| {
            row.iter().map(|value| (*value > 0).then_some(f64::from(*value))).collect::<Vec<_>>()
        });
        for (level, expected) in [
            (Level::Nominal, 0.691_358_024_691_358),
            (Level::Ordinal, 0.806_721_419_941_315_3),
            (Level::Interval, 0.810_844_892_812_105_9),
            (Level::Ratio, 0.808_943_670_784_247_1),
        ] {
            let alpha = krippendorff_alpha(&ratings, level).unwrap();
            assert!((alpha - expected).abs() < 1e-12, "{level:?} {alpha}");
        }
    }

    #[test]
    fn nothing_to_compare_is_refused() {
        let alone = [vec![Some(1.0), None], vec![None, Some(2.0)]];
        assert!(krippendorff_alpha(&alone, Level::Nominal).is_err());
        assert!(krippendorff_alpha(&[], Level::Nominal).is_err());
        let same = [vec![Some(1.0)], vec![Some(1.0)]];
        assert_eq!(krippendorff_alpha(&same, Level::Interval), Err(StatsError::Constant));
        let below = [vec![Some(-1.0)], vec![Some(1.0)]];
        assert!(krippendorff_alpha(&below, Level::Ratio).is_err());
    }

    proptest! {
        #[test]
        fn alpha_is_at_most_one_and_the_order_of_judges_does_not_matter(
            rows in prop::collection::vec(prop::collection::vec(prop::option::of(0..5_u8), 6), 2..5),
        ) {
            let mut ratings: Vec<Vec<Option<f64>>> = rows
                .iter()
                .map(|row| row.iter().map(|value| value.map(f64::from)).collect())
                .collect();
            for level in [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio] {
                let alpha = krippendorff_alpha(&ratings, level);
                ratings.reverse();
                prop_assert_eq!(alpha.clone(), krippendorff_alpha(&ratings, level));
                prop_assert!(alpha.is_err() || alpha.unwrap() <= 1.0);
            }
        }
    }
}

//! Pairs that belong together: the summaries of one article, the outputs of one system.

use std::collections::BTreeMap;

use assize_stats::StatsError;
use assize_stats::interval::bootstrap_mean;
use assize_stats::summary::mean as mean_of;
use assize_wire::summary::agreement::{Correlations, Estimate};

use super::correlation::{each, estimate, lists, no_figure};
use super::{Options, Point};

/// With fewer groups than this, resampling them says little about other groups.
const GROUPS_MIN: usize = 5;

/// What to say of intervals that come from few groups; 0 stands for no groups.
pub fn few_groups(count: usize) -> Option<String> {
    match count {
        0 | GROUPS_MIN.. => None,
        1 => Some("1 group: intervals are not reliable".to_owned()),
        _ => Some(format!("{count} groups: intervals are not reliable")),
    }
}

/// What a group counts as in which scores or ratings do not vary.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum ConstantGroups {
    /// Count it as a correlation of 0.
    #[default]
    Zero,
    /// Leave it out.
    Skip,
}

/// Correlations within groups, averaged.
#[derive(Debug, Clone, PartialEq)]
pub struct Grouped {
    /// The means over the groups.
    pub mean: Correlations,
    /// Groups of two pairs or more: those that could be counted.
    pub count: usize,
    /// Groups of one pair; they are left out.
    pub single: usize,
    /// Counted groups whose scores are all the same.
    pub constant_scores: usize,
    /// Counted groups whose ratings are all the same.
    pub constant_human: usize,
}

/// The points of each name, in the order of the names; nothing if any point has none.
pub fn partition(
    points: &[Point],
    name: impl Fn(&Point) -> Option<&str>,
) -> Vec<(String, Vec<usize>)> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, point) in points.iter().enumerate() {
        let Some(name) = name(point) else { return Vec::new() };
        groups.entry(name).or_default().push(index);
    }
    groups.into_iter().map(|(name, members)| (name.to_owned(), members)).collect()
}

/// The mean score and the mean rating.
pub(super) fn mean_point(points: &[Point]) -> Point {
    let (scores, ratings) = lists(points);
    let mean = |values: &[f64]| mean_of(values).unwrap_or_default();
    Point { score: mean(&scores), human: mean(&ratings), group: None, by: None }
}

/// The mean of the groups' correlations.
pub(super) fn mean(
    points: &[Point],
    groups: &[(String, Vec<usize>)],
    options: &Options,
) -> Grouped {
    let lists: Vec<(Vec<f64>, Vec<f64>)> = groups
        .iter()
        .map(|(_, members)| {
            members.iter().map(|index| (points[*index].score, points[*index].human)).unzip()
        })
        .collect();
    let counted: Vec<_> = lists.iter().filter(|(scores, _)| scores.len() > 1).collect();
    let constant = |values: &[f64]| values.iter().all(|value| *value == values[0]);
    let mean = each(|measure| {
        let values = counted.iter().filter_map(|(scores, ratings)| {
            match (measure(scores, ratings), options.constant_groups) {
                (Ok(value), _) => Some(value),
                (Err(StatsError::Constant), ConstantGroups::Skip) => None,
                (Err(_), _) => Some(0.0),
            }
        });
        mean_estimate(&values.collect::<Vec<_>>(), options)
    });
    Grouped {
        mean,
        count: counted.len(),
        single: lists.len() - counted.len(),
        constant_scores: counted.iter().filter(|(scores, _)| constant(scores)).count(),
        constant_human: counted.iter().filter(|(_, ratings)| constant(ratings)).count(),
    }
}

/// Drawing groups whole is drawing their correlations.
fn mean_estimate(values: &[f64], options: &Options) -> Estimate {
    let uncertainty = &options.uncertainty;
    match mean_of(values) {
        Err(_) => no_figure("no group has two pairs with scores and ratings that vary"),
        Ok(value) => {
            let found =
                bootstrap_mean(values, uncertainty.resamples, uncertainty.level, uncertainty.seed);
            estimate(Some(value), found.ok())
        }
    }
}

//! Three correlations with their intervals.

use assize_stats::StatsError;
use assize_stats::correlation::{kendall, pearson, spearman};
use assize_stats::interval::{Bootstrap, Drawing, Interval, drawn};
use assize_wire::summary::agreement::{Correlations, Estimate};
use serde::Serialize;

use super::Point;
use crate::retrieval::uncertainty::Uncertainty;

/// A figure with its interval, as benches print it; no value where there is nothing to measure.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Figure {
    /// The figure.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

impl From<&Estimate> for Figure {
    fn from(found: &Estimate) -> Self {
        Self { value: found.value, low: found.low, high: found.high }
    }
}

/// A figure with what resampling found, if there was anything to resample.
pub(super) fn estimate(value: Option<f64>, interval: Option<Interval>) -> Estimate {
    let ends = interval.map(|interval| (interval.low, interval.high));
    let (low, high) = ends.unzip();
    Estimate { value, low, high, because: None }
}

/// No figure, for a reason.
pub(super) fn no_figure(because: impl Into<String>) -> Estimate {
    Estimate { value: None, low: None, high: None, because: Some(because.into()) }
}

/// A correlation of two lists.
pub(super) type Measure = fn(&[f64], &[f64]) -> Result<f64, StatsError>;

/// One estimate for each of the three.
pub(super) fn each(estimate: impl Fn(Measure) -> Estimate + Sync) -> Correlations {
    let ((pearson, spearman), kendall) = rayon::join(
        || rayon::join(|| estimate(pearson), || estimate(spearman)),
        || estimate(kendall),
    );
    Correlations { pearson, spearman, kendall }
}

/// Over all points; clusters are drawn whole where there are any.
pub(super) fn pooled(
    points: &[Point],
    clusters: &[Vec<usize>],
    uncertainty: &Uncertainty,
) -> Correlations {
    let (scores, ratings) = lists(points);
    each(|measure| {
        let value = match measure(&scores, &ratings) {
            Ok(value) => value,
            Err(error) => return no_figure(error.to_string()),
        };
        let statistic = |drawn: &[usize]| {
            let pick = |list: &[f64]| drawn.iter().map(|index| list[*index]).collect::<Vec<_>>();
            measure(&pick(&scores), &pick(&ratings)).ok()
        };
        let found = resampled(points.len(), clusters, uncertainty, statistic);
        estimate(Some(value), found.map(|found| found.interval))
    })
}

/// Resamples clusters if there are several, items otherwise.
pub(super) fn resampled(
    items: usize,
    clusters: &[Vec<usize>],
    uncertainty: &Uncertainty,
    statistic: impl Fn(&[usize]) -> Option<f64>,
) -> Option<Bootstrap> {
    let Uncertainty { level, resamples, seed, .. } = *uncertainty;
    let whole = (clusters.len() > 1).then_some(clusters);
    drawn(items, whole, Drawing { resamples, level, seed }, statistic)
}

pub(super) fn lists(points: &[Point]) -> (Vec<f64>, Vec<f64>) {
    points.iter().map(|point| (point.score, point.human)).unzip()
}

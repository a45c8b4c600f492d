//! Three correlations with their intervals.

use assize_stats::StatsError;
use assize_stats::correlation::{kendall, pearson, spearman};
use assize_stats::interval::{Bootstrap, Drawing, drawn};
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
        let (low, high) = found.interval.unzip();
        Self { value: found.value, low, high }
    }
}

/// A figure with its interval; without a value it says why.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Estimate {
    /// The figure.
    pub value: Option<f64>,
    /// Where it lies; `None` where resampling says nothing.
    pub interval: Option<(f64, f64)>,
    /// Why there is no figure.
    pub because: Option<String>,
}

impl Estimate {
    /// No figure, for a reason.
    pub fn none(because: impl Into<String>) -> Self {
        Self { value: None, interval: None, because: Some(because.into()) }
    }

    /// What resampling found, or the figure alone where there was nothing to resample.
    pub(super) fn of(value: Result<f64, StatsError>, found: Option<Bootstrap>) -> Self {
        match value {
            Ok(value) => {
                let interval = found.map(|found| (found.interval.low, found.interval.high));
                Self { value: Some(value), interval, because: None }
            }
            Err(error) => Self::none(error.to_string()),
        }
    }
}

/// How two lists of numbers move together, by three measures.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlations {
    /// Along a line.
    pub pearson: Estimate,
    /// In their ranks.
    pub spearman: Estimate,
    /// In the order of pairs (tau-b).
    pub kendall: Estimate,
}

/// A correlation of two lists.
pub(super) type Measure = fn(&[f64], &[f64]) -> Result<f64, StatsError>;

impl Correlations {
    /// One estimate for each of the three.
    pub(super) fn each(estimate: impl Fn(Measure) -> Estimate + Sync) -> Self {
        let ((pearson, spearman), kendall) = rayon::join(
            || rayon::join(|| estimate(pearson), || estimate(spearman)),
            || estimate(kendall),
        );
        Self { pearson, spearman, kendall }
    }

    /// The three with their names, in the order in which they are shown.
    pub fn named(&self) -> [(&'static str, &Estimate); 3] {
        [("pearson", &self.pearson), ("spearman", &self.spearman), ("kendall", &self.kendall)]
    }
}

/// Over all points; clusters are drawn whole where there are any.
pub(super) fn pooled(
    points: &[Point],
    clusters: &[Vec<usize>],
    uncertainty: &Uncertainty,
) -> Correlations {
    let (scores, ratings) = lists(points);
    Correlations::each(|measure| {
        let value = measure(&scores, &ratings);
        let statistic = |drawn: &[usize]| {
            let pick = |list: &[f64]| drawn.iter().map(|index| list[*index]).collect::<Vec<_>>();
            measure(&pick(&scores), &pick(&ratings)).ok()
        };
        let found =
            value.is_ok().then(|| resampled(points.len(), clusters, uncertainty, statistic));
        Estimate::of(value, found.flatten())
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

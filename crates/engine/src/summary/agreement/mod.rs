//! How near scores are to people's ratings of the same summaries.
//!
//! Correlations are pooled over all pairs, or computed within each group (the summaries
//! of one article) and averaged. A group in which scores or ratings do not vary has no
//! correlation; it counts as 0 unless the caller leaves such groups out. Intervals come
//! from resampling: whole groups where there are groups, single pairs otherwise.

mod binary;
mod correlation;
mod groups;
mod metric;
mod reliability;

use assize_methods::summary::ultra::Calibration;
use rayon::prelude::*;

use assize_wire::summary::agreement::{Bin, Binary, Correlations, System};
pub use correlation::Figure;
pub use groups::{ConstantGroups, Grouped, few_groups, partition};
pub use metric::{Number, UnknownNumber};
use reliability::bins;

use crate::retrieval::uncertainty::Uncertainty;

/// One pair with its score and its rating.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    /// What the framework says.
    pub score: f64,
    /// What people say.
    pub human: f64,
    /// Which pairs belong together: usually those of one article.
    pub group: Option<String>,
    /// Which pairs are compared as one: usually those of one system.
    pub by: Option<String>,
}

/// How agreement is measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Options {
    /// Intervals.
    pub uncertainty: Uncertainty,
    /// What a group without variation counts as.
    pub constant_groups: ConstantGroups,
    /// The lowest rating that counts as good; without it only ratings of 0 and 1 are binary.
    pub threshold: Option<f64>,
    /// The lowest score that is taken as "good"; found by cross-validation unless given.
    pub cut: Option<f64>,
}

/// How near scores are to ratings.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreement {
    /// Pairs that have both a score and a rating.
    pub count: usize,
    /// Over all pairs.
    pub pooled: Correlations,
    /// Within groups, averaged; `None` without groups.
    pub grouped: Option<Grouped>,
    /// Within each system, in the order of their names.
    pub by: Vec<System>,
    /// Of the systems' means; `None` with fewer than three systems.
    pub systems: Option<Correlations>,
    /// Good or bad, where ratings say so.
    pub binary: Option<Binary>,
    /// The mean rating at each score.
    pub reliability: Vec<Bin>,
    /// The rising curve from scores to ratings; `None` with fewer than ten pairs.
    pub calibration: Option<Calibration>,
}

/// Fewer pairs than this make no curve.
const CALIBRATION_PAIRS_MIN: usize = 10;

impl Agreement {
    /// The correlations that were asked for: within groups if there are any, else pooled.
    pub fn correlations(&self) -> &Correlations {
        self.grouped.as_ref().map_or(&self.pooled, |grouped| &grouped.mean)
    }
}

/// Compares scores with ratings.
pub fn measure(points: &[Point], options: &Options) -> Agreement {
    let uncertainty = &options.uncertainty;
    let groups = partition(points, |point| point.group.as_deref());
    let by = partition(points, |point| point.by.as_deref());
    let clusters: Vec<Vec<usize>> = groups.iter().map(|(_, members)| members.clone()).collect();
    let (pooled, grouped) = rayon::join(
        || correlation::pooled(points, &clusters, uncertainty),
        || (!groups.is_empty()).then(|| groups::mean(points, &groups, options)),
    );
    let by: Vec<_> = by
        .into_par_iter()
        .map(|(name, members)| {
            let own: Vec<Point> = members.iter().map(|index| points[*index].clone()).collect();
            let correlations = correlation::pooled(&own, &[], uncertainty);
            (name, own, correlations)
        })
        .collect();
    let means: Vec<Point> = by.iter().map(|(_, own, _)| groups::mean_point(own)).collect();
    Agreement {
        count: points.len(),
        pooled,
        grouped,
        systems: (means.len() > 2).then(|| correlation::pooled(&means, &[], uncertainty)),
        by: by
            .into_iter()
            .map(|(name, own, correlations)| System { name, n: own.len(), correlations })
            .collect(),
        binary: binary::measure(points, &clusters, options),
        reliability: bins(points, uncertainty),
        calibration: calibration(points),
    }
}

fn calibration(points: &[Point]) -> Option<Calibration> {
    let (scores, ratings): (Vec<f64>, Vec<f64>) =
        points.iter().map(|point| (point.score, point.human)).unzip();
    let is_enough = points.len() >= CALIBRATION_PAIRS_MIN;
    is_enough.then(|| Calibration::fit(&scores, &ratings).ok()).flatten()
}

#[cfg(test)]
mod tests;

//! How near scores are to people's ratings, as `assize summary agree --format json` prints it.

use assize_methods::summary::ultra::Calibration;
use assize_methods::summary::ultra::calibration::Quality;
use serde::{Deserialize, Serialize};

use crate::number;

/// Agreement of a number of the scorecard with ratings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Agreement {
    /// The scoring framework.
    pub method: Method,
    /// Who judged.
    pub judge: String,
    /// Which number of the scorecard.
    pub metric: String,
    /// The field with the ratings.
    pub human: String,
    /// Pairs with both a score and a rating.
    pub n: usize,
    /// Pairs without a score.
    pub unscored: usize,
    /// Pairs with a score and without a rating.
    pub unrated: usize,
    /// `pooled` over all pairs, or `mean_over_groups`.
    pub correlation: &'static str,
    /// The requested correlations.
    #[serde(flatten)]
    pub correlations: Correlations,
    /// The groups, where pairs were grouped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub groups: Option<Groups>,
    /// Over all pairs, where pairs were grouped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pooled: Option<Correlations>,
    /// Within each system, where a field names them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Vec<System>>,
    /// Of the systems' means, with three systems or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<Correlations>,
    /// Good or bad, where ratings say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binary: Option<Binary>,
    /// The mean rating at each score.
    pub reliability: Vec<Bin>,
    /// The monotone curve from scores to ratings; null with fewer than ten pairs.
    pub calibration: Option<Curve>,
    /// The confidence level of the intervals.
    pub confidence: f64,
    /// Their resamples.
    pub resamples: usize,
    /// The random seed.
    pub seed: u64,
    /// What only people are shown.
    #[serde(skip)]
    pub shown: Shown,
}

/// What tables and pages show beside the figures: nothing that a program needs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// The file with the pairs.
    pub input: String,
    /// The field that names systems.
    pub by_field: Option<String>,
    /// What the correlations are over, as a sentence.
    pub scope: String,
    /// How intervals were made, as a sentence.
    pub intervals: String,
    /// What is drawn.
    pub plotted: Plotted,
}

/// A judge's scores against ratings, as they are drawn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plotted {
    /// Every item's score and rating.
    pub points: Vec<(f64, f64)>,
    /// The mean rating at each score.
    pub reliability: Vec<Bin>,
    /// Where ratings say good or bad, how well scores find what is good.
    pub found: Option<PrecisionRecall>,
}

/// Precision at each recall.
#[derive(Debug, Clone, PartialEq)]
pub struct PrecisionRecall {
    /// Recall and precision, from the strictest limit on.
    pub curve: Vec<(f64, f64)>,
    /// The precision at each limit, weighted with the recall it adds.
    pub average: f64,
    /// The share that is good: what guessing reaches.
    pub share: f64,
}

/// The scoring framework.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Method {
    /// The framework.
    pub name: String,
    /// Its version; scorecards of a file need not say it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
}

/// Three correlations.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correlations {
    /// Along a line.
    pub pearson: Estimate,
    /// In their ranks.
    pub spearman: Estimate,
    /// In the order of pairs (tau-b).
    pub kendall: Estimate,
}

impl Correlations {
    /// All three with their names.
    pub fn named(&self) -> [(&'static str, &Estimate); 3] {
        [("pearson", &self.pearson), ("spearman", &self.spearman), ("kendall", &self.kendall)]
    }
}

/// A figure with its interval, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Estimate {
    /// The figure.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Why there is no figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

impl Estimate {
    /// The figure as people read it, or a dash.
    pub fn shown(&self) -> String {
        self.value.map_or_else(|| "–".to_owned(), number::score)
    }

    /// The interval, or why there is no figure.
    pub fn range(&self) -> String {
        match (self.low.zip(self.high), &self.because) {
            (None, Some(because)) => because.clone(),
            (ends, _) => number::interval(ends),
        }
    }
}

/// Scores beside ratings that a caller handed over: the figures alone.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Items with both.
    pub n: usize,
    /// `pooled`, or `mean_over_groups`.
    pub correlation: &'static str,
    /// The requested correlations.
    #[serde(flatten)]
    pub correlations: Correlations,
    /// Groups of two items or more; null without groups.
    pub groups: Option<usize>,
    /// Good or bad, where ratings say so.
    pub binary: Option<Binary>,
    /// The mean rating at each score.
    pub reliability: Vec<Bin>,
    /// The confidence level of the intervals.
    pub confidence: f64,
    /// The number of bootstrap resamples.
    pub resamples: usize,
    /// The random seed.
    pub seed: u64,
}

/// Groups over which correlations were averaged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Groups {
    /// The field that makes them.
    pub field: Option<String>,
    /// Groups of two pairs or more.
    pub count: usize,
    /// Groups of one pair; left out.
    pub single: usize,
    /// Counted groups whose scores are all the same.
    pub constant_scores: usize,
    /// Counted groups whose ratings are all the same.
    pub constant_human: usize,
}

/// The pairs of one system.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct System {
    /// Its name.
    pub name: String,
    /// How many pairs.
    pub n: usize,
    /// Within it.
    #[serde(flatten)]
    pub correlations: Correlations,
}

/// Good or bad.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Binary {
    /// The lowest rating that counts as good.
    pub threshold: f64,
    /// Pairs that people call good.
    pub good: usize,
    /// Pairs that people call bad.
    pub bad: usize,
    /// The probability that a good pair scores higher than a bad one.
    pub auc: Estimate,
    /// The mean of the shares of good and bad pairs classified correctly.
    pub balanced_accuracy: Estimate,
    /// The cut: given, or the best one on all of the data.
    pub cut: f64,
    /// Whether decisions were made by cross-validation.
    pub cross_validated: bool,
    /// How decisions came out.
    pub confusion: Confusion,
    /// What each limit finds, for a plot.
    #[serde(skip)]
    pub found: PrecisionRecall,
}

impl Binary {
    /// How decisions were made, in a few words.
    pub fn decided(&self) -> String {
        if self.cross_validated {
            format!("cut chosen by five-fold cross-validation; on all pairs it is {:.4}", self.cut)
        } else {
            format!("cut at {:.4}", self.cut)
        }
    }
}

/// Decisions by what people say and what the score says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Confusion {
    /// Good, taken as good.
    pub good_as_good: usize,
    /// Good, taken as bad.
    pub good_as_bad: usize,
    /// Bad, taken as bad.
    pub bad_as_bad: usize,
    /// Bad, taken as good.
    pub bad_as_good: usize,
}

/// Pairs with about the same score.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Bin {
    /// Their mean score.
    pub score: f64,
    /// Their mean rating.
    pub human: f64,
    /// The lower end of its interval; nothing for a single pair.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many there are.
    pub n: usize,
}

/// A curve from scores to ratings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Points of the curve: score, rating.
    pub knots: Vec<(f64, f64)>,
    /// What it gains.
    #[serde(flatten)]
    pub quality: Quality,
}

impl From<&Calibration> for Curve {
    fn from(calibration: &Calibration) -> Self {
        Self { knots: calibration.knots().to_vec(), quality: calibration.quality }
    }
}

/// A file with such an agreement, as far as its curve matters.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct CurveFile {
    /// Which number the curve is for.
    pub metric: String,
    /// The curve; null with fewer than ten pairs.
    pub calibration: Option<Curve>,
}

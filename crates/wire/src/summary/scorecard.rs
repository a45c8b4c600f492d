//! The scorecard of one pair, as `assize summary score --format json` prints it and
//! `summary_score` hands it back.

use std::collections::BTreeMap;

use assize_methods::summary::FiveMetrics;
pub use assize_methods::summary::metric_objects::Report;
use assize_methods::summary::ultra::Panel;
use assize_score::{Outcome, Score};
use serde::Serialize;

use crate::Entries;
use crate::repeats::Repeat;

/// One pair: its name if it has one, and then its metric objects or `{"error": "<reason>"}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scorecard<'a> {
    /// What the pair is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The metric objects in their strict order, or why there are none.
    #[serde(flatten)]
    pub scored: Scored<'a>,
    /// The expected human ratings, if curves were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<BTreeMap<&'static str, f64>>,
    /// How each score was computed, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workings: Option<Entries<Working>>,
    /// The judges and exchanges, if a model judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<&'a Trail>,
}

impl Scorecard<'_> {
    /// The five scores, or why there are none.
    pub fn scores(&self) -> Result<FiveMetrics<Option<f64>>, &str> {
        match &self.scored {
            Scored::Report(report) => Ok(report.scores()),
            Scored::Refused { error } => Err(error),
        }
    }
}

/// The metric objects, or why there are none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Scored<'a> {
    /// There are scores.
    Report(Box<Report<'a>>),
    /// There are none.
    Refused {
        /// Why: a code, or what a judge failed at.
        error: String,
    },
}

/// How a number was computed, or why there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Working {
    /// The number with its steps.
    Scored(Score),
    /// There is no number.
    Unscored {
        /// Why.
        unscored: String,
    },
}

impl From<Outcome> for Working {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Scored(score) => Self::Scored(score),
            Outcome::Unscored { because } => Self::Unscored { unscored: because.into_owned() },
        }
    }
}

/// Where the evidence of one pair came from.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trail {
    /// Who judged, in order.
    pub judges: Vec<String>,
    /// The keys of the exchanges, in order.
    pub exchanges: Vec<String>,
    /// The reply that could not be read, if that is why there is no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_reply: Option<String>,
    /// What a panel adds to the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
    /// What each repeat said, if the judge was asked several times.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Repeat>,
    /// Whether the judge is why there is no score.
    #[serde(skip)]
    pub is_unscored: bool,
}

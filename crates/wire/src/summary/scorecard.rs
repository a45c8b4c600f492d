//! The scorecard of one pair, as `assize summary score --format json` prints it and
//! `summary_score` hands it back.

use std::collections::BTreeMap;

use assize_methods::summary::ultra::Panel;
use assize_methods::summary::{FiveMetrics, judge_lock, twin_lock};
use assize_score::{Outcome, Score};
use serde::Serialize;

use crate::Entries;

/// One pair: its name if it has one, and then its metric objects or `{"error": "<reason>"}`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scorecard<'a> {
    /// What the pair is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The metric objects in their strict order, or why there are none.
    #[serde(flatten)]
    pub scored: Scored<'a>,
    /// What people would probably say, where curves were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<BTreeMap<&'static str, f64>>,
    /// How each number came about, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workings: Option<Entries<Working>>,
    /// Who judged and what was asked, where a model did.
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
    Report(Report<'a>),
    /// There are none.
    Refused {
        /// Why: a code, or what a judge failed at.
        error: String,
    },
}

/// The metric objects of either framework.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Report<'a> {
    /// Of Twin-Lock.
    TwinLock(Box<twin_lock::Report<'a>>),
    /// Of Judge-Lock.
    JudgeLock(Box<judge_lock::Report<'a>>),
}

impl Report<'_> {
    /// The five scores; `None` where a metric has none.
    pub fn scores(&self) -> FiveMetrics<Option<f64>> {
        // The two reports are different types with the same five fields.
        macro_rules! five {
            ($report:expr) => {
                FiveMetrics {
                    coverage: $report.coverage.overall.overall_score,
                    alignment: $report.alignment.overall.overall_score,
                    hallucination: $report.hallucination.overall.overall_score,
                    relevance: $report.relevance.overall.overall_score,
                    bias_toxicity: $report.bias_toxicity.overall.overall_score,
                }
            };
        }
        match self {
            Self::TwinLock(report) => five!(report),
            Self::JudgeLock(report) => five!(report),
        }
    }
}

/// How a number came about, or why there is none.
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
    /// Whether the judge is why there is no score.
    #[serde(skip)]
    pub is_unscored: bool,
}

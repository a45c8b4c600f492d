//! A run scored another way, and labels that a person corrects.

use serde::Serialize;

use super::rubric::TierDraft;
use crate::runs::RunEntry;

/// What a run can be scored with instead.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RescoreView {
    /// The run.
    pub run: RunEntry,
    /// Summaries: who counts now.
    pub framework: Option<String>,
    /// Summaries: who else can.
    pub frameworks: Vec<String>,
    /// Compliance: the tiers that count now, and those of the set as it is today.
    pub tiers: Option<(Vec<TierDraft>, Vec<TierDraft>)>,
    /// Retrieval: the settings that count now.
    pub retrieval: Option<RetrievalSettings>,
    /// Why nothing can be done.
    pub refused: Option<String>,
}

/// Measures, cutoffs and relevance level of a retrieval run, in this order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetrievalSettings {
    /// Those of the run.
    pub now: [String; 3],
    /// Those in the form; empty keeps the run's.
    pub typed: [String; 3],
}

/// A claim of a summary with its labels: `supported`, `partial` or `unsupported`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClaimLabel {
    /// The claim.
    pub text: String,
    /// What the judge said; none where the judge's evidence has no such claim.
    pub judge: Option<String>,
    /// What counts now.
    pub now: String,
    /// What somebody chose and has not kept.
    pub chosen: String,
}

/// The value of a metric by the judge's labels, by those that count, and by those chosen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricByLabels {
    /// The metric.
    pub metric: String,
    /// By the judge's labels.
    pub judge: Option<f64>,
    /// By those that count.
    pub now: Option<f64>,
    /// By those that somebody chose; none where nothing is tried.
    pub chosen: Option<Option<f64>>,
}

/// The labels of a pair's claims under correction.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabelsView {
    /// The claims, in order.
    pub claims: Vec<ClaimLabel>,
    /// The scores.
    pub scores: Vec<MetricByLabels>,
    /// Whether what counts differs from what the judge said.
    pub is_corrected: bool,
    /// Which version of the run is corrected.
    pub version: i64,
    /// Why it is so, as somebody typed it.
    pub reason: String,
    /// What is wrong with what was sent.
    pub problem: Option<String>,
}

//! The five metric objects of Judge-Lock, in the strict order, ready to be printed.

use assize_score::{Explained, Finding, MethodVersion};
use serde::Serialize;

use super::{METHOD, Scores};
use crate::summary::evidence::{Claim, Deviation, Issue, KeyPoint, OverlapWith, QuestionAnswer};
use crate::summary::labels::{Regime, Severity, Tone};
use crate::summary::limits::Complete;
use crate::summary::metrics::Scored;
use crate::summary::report::{Overall, SegmentLine};

/// One object for each metric, and what was noticed on the way.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report<'a> {
    /// Which method and version made it.
    pub method: MethodVersion,
    /// How much of the article is said.
    pub coverage: CoverageObject<'a>,
    /// How well intent, stance and tone are kept.
    pub alignment: AlignmentObject<'a>,
    /// How much is invented.
    pub hallucination: HallucinationObject<'a>,
    /// How much belongs to the article.
    pub relevance: RelevanceObject<'a>,
    /// How fair and civil it is.
    pub bias_toxicity: BiasToxicityObject<'a>,
    /// What a reader should know that is not a number.
    pub findings: Vec<Finding>,
}

/// Coverage.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageObject<'a> {
    /// The key points with their labels and quotes.
    pub key_points: &'a [KeyPoint],
    /// The share of them that is said.
    pub recall: f64,
    /// Summary tokens without support.
    pub extraneous_tokens: usize,
    /// All summary tokens.
    pub summary_tokens: usize,
    /// The share of the tokens with support.
    pub precision: f64,
    /// Harmonic mean of precision and recall.
    pub f1: f64,
    /// Questions made from the article, answered from the summary.
    pub questions: &'a [QuestionAnswer],
    /// The mean worth of those answers.
    pub qag_accuracy: Option<f64>,
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

/// Alignment.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignmentObject<'a> {
    /// What the article wants.
    pub intent: &'a str,
    /// Where it stands.
    pub stance: &'a str,
    /// How it sounds.
    pub tone: &'a str,
    /// Where the summary leaves them.
    pub deviations: &'a [Deviation],
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

/// Hallucination.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HallucinationObject<'a> {
    /// The claims with their labels and quotes.
    pub claims: &'a [Claim],
    /// The share of them without support.
    pub unsupported_fraction: Option<f64>,
    /// How bad that is.
    pub severity: Option<Severity>,
    /// Questions made from the claims, answered from the article.
    pub questions: &'a [QuestionAnswer],
    /// The mean worth of those answers.
    pub qag_precision: Option<f64>,
    /// The whole number before the questions are taken into account.
    pub raw_score: Option<f64>,
    /// The support without bands, as the judge measured it.
    pub soft_support: Option<f64>,
    /// How the summary is put together, where the judge says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regime: Option<Regime>,
    /// How many of the claims are decided, where the judge says so; of the others the
    /// label is only the likelier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<usize>,
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

/// Relevance.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelevanceObject<'a> {
    /// What the article is about.
    pub theme: &'a str,
    /// What the segments were compared with.
    pub overlap_with: OverlapWith,
    /// The segments with overlap and label.
    pub segments: Vec<SegmentLine<'a>>,
    /// The mean worth of the segments.
    pub section_overlap: Option<f64>,
    /// The same accuracy that coverage uses.
    pub qag_accuracy: Option<f64>,
    /// A measure without bands, as the judge measured it.
    pub soft_recall: Option<f64>,
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

/// Bias and toxicity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BiasToxicityObject<'a> {
    /// How the summary speaks.
    pub tone: Tone,
    /// Wordings that should not be there.
    pub issues: &'a [Issue],
    /// How fair the wording is, 0 to 10.
    pub bias_score: f64,
    /// How civil the wording is, 0 to 10.
    pub tox_score: f64,
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

impl<'a> Report<'a> {
    /// The evidence of five metrics beside their scores.
    pub(super) fn new(
        evidence: Complete<'a>,
        scores: &Scores<Explained>,
        findings: Vec<Finding>,
    ) -> Self {
        let value = |scored: &Scored<Explained>| scored.as_ref().ok().map(|score| score.value);
        let Complete { coverage, alignment, hallucination, relevance, bias_toxicity, totals } =
            evidence;
        Self {
            method: METHOD,
            coverage: CoverageObject {
                key_points: &coverage.key_points,
                recall: scores.coverage.recall.value,
                extraneous_tokens: totals.extraneous_tokens,
                summary_tokens: totals.summary_tokens,
                precision: scores.coverage.precision.value,
                f1: scores.coverage.f1.value,
                questions: &coverage.questions,
                qag_accuracy: value(&scores.coverage.qag_accuracy),
                overall: Overall::of(&scores.coverage.overall),
            },
            alignment: AlignmentObject {
                intent: &alignment.intent,
                stance: &alignment.stance,
                tone: &alignment.tone,
                deviations: &alignment.deviations,
                overall: Overall::of(&scores.alignment.overall),
            },
            hallucination: HallucinationObject {
                claims: &hallucination.claims,
                unsupported_fraction: value(&scores.hallucination.unsupported_fraction),
                severity: scores.hallucination.severity,
                questions: &hallucination.questions,
                qag_precision: value(&scores.hallucination.qag_precision),
                raw_score: value(&scores.hallucination.raw),
                soft_support: hallucination.soft_support,
                regime: hallucination.regime,
                decided: hallucination.decided(),
                overall: Overall::of(&scores.hallucination.overall),
            },
            relevance: RelevanceObject {
                theme: &relevance.theme,
                overlap_with: relevance.overlap_with,
                segments: relevance.segments.iter().map(SegmentLine::from).collect(),
                section_overlap: value(&scores.relevance.section_overlap),
                qag_accuracy: value(&scores.coverage.qag_accuracy),
                soft_recall: relevance.soft_recall,
                overall: Overall::of(&scores.relevance.overall),
            },
            bias_toxicity: BiasToxicityObject {
                tone: bias_toxicity.tone,
                issues: &bias_toxicity.issues,
                bias_score: scores.bias_toxicity.bias_score.value,
                tox_score: scores.bias_toxicity.tox_score.value,
                overall: Overall::of(&scores.bias_toxicity.overall),
            },
            findings,
        }
    }
}

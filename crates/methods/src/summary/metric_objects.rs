//! The five metric objects in the strict order, as both frameworks print them.
//!
//! Judge-Lock asks questions and Twin-Lock does not: what follows from the answers stands in
//! objects of its own, and is left out where nothing was asked.

use assize_score::{Explained, Finding, MethodVersion};
use serde::Serialize;

use super::evidence::{Claim, Deviation, Issue, KeyPoint, OverlapWith, QagReading, QuestionAnswer};
use super::framework::Scores;
use super::labels::{Regime, Severity, Tone};
use super::limits::Complete;
use super::metrics::{FiveMetrics, Scored};
use super::report::{Overall, SegmentLine};

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
    /// What the summary answers to questions on the article.
    #[serde(flatten)]
    pub asked: Option<CoverageAnswers<'a>>,
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

/// Questions made from the article, answered from the summary.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CoverageAnswers<'a> {
    /// The questions with their answers.
    pub questions: &'a [QuestionAnswer],
    /// How many of them cannot be answered from the summary.
    pub unanswered: usize,
    /// What becomes of those.
    pub qag: QagReading,
    /// The mean worth of those answers.
    pub qag_accuracy: Option<f64>,
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
    /// What the article answers to questions on the claims.
    #[serde(flatten)]
    pub asked: Option<ClaimAnswers<'a>>,
    /// The support without bands, as the judge measured it.
    pub soft_support: Option<f64>,
    /// How the summary is put together, where the judge says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub regime: Option<Regime>,
    /// The models that read what rules do not decide; left out without a reader.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    pub read_by: &'a [String],
    /// The score if every claim that is not decided were unsupported, and if all were
    /// supported; left out where all are decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<[f64; 2]>,
    /// How many of the claims are decided, where the judge says so; of the others the
    /// label is only the likelier one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decided: Option<usize>,
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

/// Questions made from the claims, answered from the article.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClaimAnswers<'a> {
    /// How bad the share of unsupported claims is.
    pub severity: Option<Severity>,
    /// The questions with their answers.
    pub questions: &'a [QuestionAnswer],
    /// How many of them cannot be answered from the article.
    pub unanswered: usize,
    /// What becomes of those.
    pub qag: QagReading,
    /// The mean worth of those answers.
    pub qag_precision: Option<f64>,
    /// The whole number before the questions are taken into account.
    pub raw_score: Option<f64>,
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
    #[serde(flatten)]
    pub asked: Option<RelevanceAnswers>,
    /// A measure without bands, as the judge measured it.
    pub soft_recall: Option<f64>,
    /// Score and caps.
    #[serde(flatten)]
    pub overall: Overall,
}

/// What relevance takes from coverage's questions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RelevanceAnswers {
    /// The mean worth of the answers.
    pub qag_accuracy: Option<f64>,
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

/// The number, if there is one.
pub(super) fn value(scored: &Scored<Explained>) -> Option<f64> {
    scored.as_ref().ok().map(|score| score.value)
}

impl<'a> Report<'a> {
    /// The two objects that differ between the frameworks, and the three that do not.
    pub(super) fn new<C, H>(
        (method, findings): (MethodVersion, Vec<Finding>),
        evidence: Complete<'a>,
        scores: &Scores<Explained, C, H>,
        coverage: CoverageObject<'a>,
        hallucination: HallucinationObject<'a>,
    ) -> Self {
        let Complete { alignment, relevance, bias_toxicity, .. } = evidence;
        let qag_accuracy = coverage.asked.as_ref().map(|asked| asked.qag_accuracy);
        Self {
            method,
            coverage,
            alignment: AlignmentObject {
                intent: &alignment.intent,
                stance: &alignment.stance,
                tone: &alignment.tone,
                deviations: &alignment.deviations,
                overall: Overall::of(&scores.alignment.overall),
            },
            hallucination,
            relevance: RelevanceObject {
                theme: &relevance.theme,
                overlap_with: relevance.overlap_with,
                segments: relevance.segments.iter().map(SegmentLine::from).collect(),
                section_overlap: value(&scores.relevance.section_overlap),
                asked: qag_accuracy.map(|qag_accuracy| RelevanceAnswers { qag_accuracy }),
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

    /// The five scores; `None` where a metric has none.
    pub fn scores(&self) -> FiveMetrics<Option<f64>> {
        FiveMetrics {
            coverage: self.coverage.overall.overall_score,
            alignment: self.alignment.overall.overall_score,
            hallucination: self.hallucination.overall.overall_score,
            relevance: self.relevance.overall.overall_score,
            bias_toxicity: self.bias_toxicity.overall.overall_score,
        }
    }
}

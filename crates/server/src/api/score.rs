//! Scores without a run: content in, a result out, nothing kept.

use std::num::NonZeroUsize;

use assize_engine::compliance::at_once::at_once;
use assize_engine::compliance::criteria::Imported;
use assize_engine::retrieval::request::{Inputs, Mode, ScoreRequest};
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::{Framework, Judge, Judged, Pair, Settings};
use assize_methods::retrieval::passages::PassageOptions;
use assize_wire::retrieval::Score;
use assize_wire::text::tree;
use axum::Json;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::describe::Operation;
use super::take;
use crate::error::{AppError, told};
use crate::work::{apart, compute};

/// How often queries may be drawn anew.
const RESAMPLES_MAX: usize = 10_000;

/// A retrieval run and its gold standard.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrievalInput {
    /// The retrieved passages: a list with `query` and `retrieved_passages`, or scores by query and
    /// document.
    pub(crate) predictions: Value,
    /// The gold standard: an object with `tests`, or relevance levels by query and document.
    pub(crate) gold: Value,
    /// Scoring options.
    #[serde(default)]
    pub(crate) settings: RetrievalSettings,
}

/// Options for scoring a retrieval run.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrievalSettings {
    /// How many of the top passages count; defaults to 10.
    pub(crate) k: Option<NonZeroUsize>,
    /// Measures to compute; defaults to the standard ones.
    #[serde(default)]
    pub(crate) measures: Vec<String>,
    /// The kind of scoring; detected from the content by default.
    pub(crate) mode: Option<RetrievalMode>,
    /// Whether to include the values of every query.
    #[serde(default)]
    pub(crate) per_query: bool,
    /// Whether queries without a prediction score 0 instead of being left out.
    #[serde(default)]
    pub(crate) require_all: bool,
    /// Bootstrap resamples; 0 turns intervals off; defaults to 1000.
    pub(crate) resamples: Option<usize>,
}

/// The kind of scoring.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum RetrievalMode {
    /// Passage texts against gold texts.
    Passages,
    /// Character spans against gold spans.
    Spans,
    /// Document identifiers against relevance judgements.
    Ranked,
}

impl RetrievalSettings {
    /// The request; what was not given is as usual.
    pub(crate) fn to_request(&self) -> Result<ScoreRequest, AppError> {
        let usual = ScoreRequest::default();
        let resamples = self.resamples.unwrap_or(usual.uncertainty.resamples);
        if resamples > RESAMPLES_MAX {
            let detail =
                format!("resamples: {resamples} is more than the maximum of {RESAMPLES_MAX}");
            return Err(AppError::bad_input(detail));
        }
        Ok(ScoreRequest {
            measures: self.measures.clone(),
            mode: match self.mode {
                None => Mode::Auto,
                Some(RetrievalMode::Passages) => Mode::Passages,
                Some(RetrievalMode::Spans) => Mode::Spans,
                Some(RetrievalMode::Ranked) => Mode::Ranked,
            },
            passages: PassageOptions { k: self.k.unwrap_or(usual.passages.k), ..usual.passages },
            require_all: self.require_all,
            uncertainty: Uncertainty { resamples, ..usual.uncertainty },
            ..usual
        })
    }
}

pub(crate) const RETRIEVAL: Operation = Operation::new("Score a retrieval run; nothing is stored")
    .body::<RetrievalInput>()
    .gives::<Score>(200);

/// `POST /api/v1/score/retrieval`.
pub(crate) async fn retrieval(
    take::Json(asked): take::Json<RetrievalInput>,
) -> Result<Json<Score>, AppError> {
    let request = asked.settings.to_request()?;
    compute(move || {
        let report = request.score(Inputs::Values(&asked.predictions, &asked.gold));
        let report = report.map_err(|error| told(&error))?;
        Ok(Json(report.to_wire(asked.settings.per_query)))
    })
    .await
}

/// A summary and its article.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SummaryInput {
    /// The whole text of the article.
    article: String,
    /// The whole text of the summary.
    summary: String,
    /// The framework that scores the labels; defaults to `twin-lock`.
    #[serde(default)]
    framework: FrameworkName,
    /// Whether to include how each number was computed.
    #[serde(default)]
    explain: bool,
}

/// A framework that scores the labels of a summary.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FrameworkName {
    /// Five metrics.
    #[default]
    TwinLock,
    /// Adds questions and answers, with stricter caps.
    JudgeLock,
    /// Questions and answers, and what was left out.
    JudgeLockUltra,
}

impl From<FrameworkName> for Framework {
    fn from(name: FrameworkName) -> Self {
        match name {
            FrameworkName::TwinLock => Self::TwinLock,
            FrameworkName::JudgeLock => Self::JudgeLock,
            FrameworkName::JudgeLockUltra => Self::JudgeLockUltra,
        }
    }
}

pub(crate) const SUMMARY: Operation = Operation::new("Score a summary by rules; nothing is stored")
    .body::<SummaryInput>()
    .gives::<Value>(200);

/// `POST /api/v1/score/summary`.
pub(crate) async fn summary(
    take::Json(asked): take::Json<SummaryInput>,
) -> Result<Json<Value>, AppError> {
    let SummaryInput { article, summary, framework, explain } = asked;
    let settings =
        Settings { judge: Judge::Rules, framework: framework.into(), ..Settings::default() };
    compute(move || {
        let pair = Pair { place: Place::Line(1), article, summary, record: Value::Null };
        let judged = Judged::of(None, pair, settings);
        let scorecard = judged.to_wire(settings, explain, &Calibrations::default());
        if let Err(reason) = scorecard.scores() {
            return Err(AppError::refused(format!("the pair cannot be scored: {reason}")));
        }
        Ok(Json(tree(&scorecard)))
    })
    .await
}

/// A document and criteria.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComplianceInput {
    /// The whole text of the document.
    document: String,
    /// The criteria to evaluate it against.
    criteria: Vec<CriterionInput>,
}

/// One criterion.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CriterionInput {
    /// Its ID, such as `AC-2`.
    pub(crate) criteria_id: String,
    /// What the document must fulfil.
    pub(crate) requirement: String,
    /// A title or an explanation.
    #[serde(default)]
    pub(crate) description: String,
}

impl From<CriterionInput> for Imported {
    fn from(input: CriterionInput) -> Self {
        let CriterionInput { criteria_id, requirement, description } = input;
        let criterion =
            assize_methods::compliance::Criterion::new(criteria_id, requirement, description);
        Self { criterion, properties: None }
    }
}

pub(crate) const COMPLIANCE: Operation =
    Operation::new("Evaluate a document against criteria by rules; nothing is stored")
        .body::<ComplianceInput>()
        .gives::<Value>(200);

/// `POST /api/v1/score/compliance`.
pub(crate) async fn compliance(
    take::Json(asked): take::Json<ComplianceInput>,
) -> Result<Json<Value>, AppError> {
    let ComplianceInput { document, criteria } = asked;
    let criteria: Vec<Imported> = criteria.into_iter().map(Imported::from).collect();
    // In a database of its own, which goes with the answer.
    apart(move || async move { Ok(Json(tree(&at_once(&document, &criteria).await?))) }).await
}

//! Scores without a run: content in, a result out, nothing kept.

use std::sync::Arc;

use assize_engine::asking::Stop;
use assize_engine::compliance::criteria::Imported;
use assize_engine::compliance::documents::ReadDocument;
use assize_engine::compliance::in_memory::{Material, evaluate_in_memory};
use assize_engine::compliance::{ComplianceError, ComplianceRequest};
use assize_engine::request::Asked;
use assize_engine::retrieval::request::{Inputs, ScoreReport, ScoreRequest};
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::{Judge, Judged, Pair, SummaryRequest};
use assize_wire::retrieval::Score;
use assize_wire::text::tree;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::describe::Operation;
use super::extract;
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;
use crate::work::compute;

/// A retrieval run and its gold standard.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct RetrievalInput {
    /// The retrieved passages: a list with `query` and `retrieved_passages`, or scores by query and
    /// document.
    pub(crate) predictions: Value,
    /// The gold standard: an object with `tests`, or relevance levels by query and document.
    pub(crate) gold: Value,
    /// Whether to include the values of every query.
    #[serde(default)]
    pub(crate) per_query: bool,
    /// Scoring options.
    #[serde(default)]
    pub(crate) settings: ScoreRequest,
}

impl RetrievalInput {
    /// The result, if it is not too much for a server that computes for others.
    pub(crate) fn score(&self) -> Result<ScoreReport> {
        self.settings.check_served().map_err(|error| to_app_error(&error))?;
        let report = self.settings.score(Inputs::Values(&self.predictions, &self.gold));
        report.map_err(|error| to_app_error(&error))
    }
}

pub(crate) const RETRIEVAL: Operation = Operation::new("Score a retrieval run; nothing is stored")
    .body::<RetrievalInput>()
    .gives::<Score>(200);

/// `POST /api/v1/score/retrieval`.
pub(crate) async fn retrieval(
    extract::Json(asked): extract::Json<RetrievalInput>,
) -> Result<Json<Score>> {
    compute(move || Ok(Json(asked.score()?.to_wire(asked.per_query)))).await
}

/// A summary and its article.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SummaryInput {
    /// The whole text of the article.
    article: String,
    /// The whole text of the summary.
    summary: String,
    /// Whether to include how each number was computed.
    #[serde(default)]
    explain: bool,
}

pub(crate) const SUMMARY: Operation = Operation::new("Score a summary by rules; nothing is stored")
    .body::<Asked<SummaryInput, SummaryRequest>>()
    .gives::<Value>(200);

/// `POST /api/v1/score/summary`.
pub(crate) async fn summary(
    extract::Json(asked): extract::Json<Asked<SummaryInput, SummaryRequest>>,
) -> Result<Json<Value>> {
    let SummaryInput { article, summary, explain } = asked.content;
    let settings = asked.request.settings().map_err(|error| to_app_error(&error))?;
    if settings.judge != Judge::Rules {
        let detail = "judge: a model judges in a run: create one with POST /api/v1/runs";
        return Err(AppError::bad_input(detail));
    }
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

/// What the sets are called that a document and its criteria would be in.
const DOCUMENT: &str = "document";

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
        .body::<Asked<ComplianceInput, ComplianceRequest>>()
        .gives::<Value>(200);

/// `POST /api/v1/score/compliance`.
pub(crate) async fn compliance(
    State(state): State<Arc<AppState>>,
    extract::Json(asked): extract::Json<Asked<ComplianceInput, ComplianceRequest>>,
) -> Result<Json<Value>> {
    let Asked { content: ComplianceInput { document, criteria }, request } = asked;
    let criteria: Vec<Imported> = criteria.into_iter().map(Imported::from).collect();
    let reader = state.settings.models.options.reader.clone();
    compute(move || {
        let document = ReadDocument::new("document.txt", document.into_bytes())?;
        let material = Material {
            criteria_set: DOCUMENT,
            criteria: &criteria,
            document_set: DOCUMENT,
            documents: &[document],
            request: &request,
        };
        let reader = reader.get().map_err(ComplianceError::Refused)?;
        let run = evaluate_in_memory(&material, reader.as_deref(), &Stop::default())?;
        Ok(Json(tree(&run)))
    })
    .await
}

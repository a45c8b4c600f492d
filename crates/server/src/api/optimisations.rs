//! Searches for a better prompt, rubric or judge.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::asking::JudgeName;
use assize_engine::compliance::context::TOKENS_MAX;
use assize_engine::compliance::optimize::plan::Wanted;
use assize_engine::store::OptRun;
use assize_methods::compliance::Rubric;
use assize_wire::compliance::SearchView;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::describe::Operation;
use super::extract;
use crate::auth::Org;
use crate::background;
use crate::error::{AppError, Result};
use crate::state::{AppState, ModelSettings};

/// The share of the keys that decide, unless given.
const HOLD_OUT: f64 = 0.4;
/// Templates that a model may propose.
const PROPOSALS_MAX: usize = 20;

pub(crate) const LIST: Operation =
    Operation::new("List optimisation searches, latest first").gives::<Vec<SearchView>>(200);

/// `GET /api/v1/optimisations`.
pub(crate) async fn list(Org(workspace): Org) -> Result<Json<Vec<SearchView>>> {
    Ok(Json(workspace.searches().await?))
}

/// What to try.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Create {
    /// The document set with truth keys.
    pub(crate) document_set: String,
    /// The criteria set.
    pub(crate) criteria_set: String,
    /// Judges to try: `rules` or `provider/model`. The first is the one in use; defaults to `rules`.
    #[serde(default)]
    pub(crate) judges: Vec<String>,
    /// Templates to try in addition to the set's own, as `name` or `name@version`.
    #[serde(default)]
    pub(crate) templates: Vec<String>,
    /// Rubrics to try in addition to the set's own.
    #[serde(default)]
    pub(crate) rubrics: Vec<Value>,
    /// The share of truth keys to hold out for the decision; defaults to 0.4.
    #[schemars(range(min = 0.1, max = 0.9))]
    pub(crate) hold_out: Option<f64>,
    /// The seed for splitting the keys; defaults to 1.
    pub(crate) seed: Option<u32>,
    /// A model that proposes templates from the worst disagreements.
    pub(crate) proposer: Option<String>,
    /// How many templates it proposes; defaults to 2.
    #[schemars(range(min = 1, max = 20))]
    pub(crate) proposals: Option<usize>,
    /// Whether to promote the winner automatically; defaults to true.
    pub(crate) promote: Option<bool>,
}

pub(crate) const CREATE: Operation =
    Operation::new("Start a search for a better prompt, rubric or judge")
        .body::<Create>()
        .gives::<SearchView>(202);

/// `POST /api/v1/optimisations`. The server works on it from then on.
pub(crate) async fn create(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    extract::Json(asked): extract::Json<Create>,
) -> Result<(StatusCode, Json<SearchView>)> {
    let run = plan(&workspace, &state.settings.models, asked).await?;
    background::search(&state, workspace.clone(), run.clone())?;
    Ok((StatusCode::ACCEPTED, Json(workspace.search_view(run).await?)))
}

/// Writes a search down as it was asked for; nothing is judged yet.
pub(crate) async fn plan(
    workspace: &Workspace,
    models: &ModelSettings,
    asked: Create,
) -> Result<OptRun> {
    let judge = |name: &String| models.judge(name);
    let mut judges = asked.judges.iter().map(judge).collect::<Result<Vec<_>, _>>()?;
    if judges.is_empty() {
        judges.push(JudgeName::Rules);
    }
    let rubric = |json: &Value| {
        let rubric = Rubric::from_json(Some(json));
        rubric.map_err(|error| AppError::bad_input(format!("invalid rubric: {error}")))
    };
    let hold_out = asked.hold_out.unwrap_or(HOLD_OUT);
    let proposals = asked.proposals.unwrap_or(2);
    if !(0.1..=0.9).contains(&hold_out) || !(1..=PROPOSALS_MAX).contains(&proposals) {
        let detail = "hold_out must be between 0.1 and 0.9, proposals between 1 and 20";
        return Err(AppError::bad_input(detail));
    }
    let mut templates = Vec::new();
    for named in &asked.templates {
        templates.push(workspace.find_template(named).await?);
    }
    let proposer = asked.proposer.as_ref().map(judge).transpose()?;
    let wanted = Wanted {
        documents: &workspace.document_set(&asked.document_set).await?,
        criteria: &workspace.criteria_set(&asked.criteria_set).await?,
        judges,
        templates,
        rubrics: asked.rubrics.iter().map(rubric).collect::<Result<_, _>>()?,
        hold_out,
        seed: u64::from(asked.seed.unwrap_or(1)),
        context_tokens: TOKENS_MAX,
        proposals: if proposer.is_some() { proposals } else { 0 },
        proposer,
        promotes: asked.promote.unwrap_or(true),
    };
    Ok(workspace.plan_search(&wanted).await?)
}

pub(crate) const SHOW: Operation =
    Operation::new("Get a search with its candidates and outcome").gives::<SearchView>(200);

/// `GET /api/v1/optimisations/{id}`.
pub(crate) async fn show(
    Org(workspace): Org,
    extract::Path(id): extract::Path<String>,
) -> Result<Json<SearchView>> {
    let run = workspace.find_search(&id).await?;
    Ok(Json(workspace.search_view(run).await?))
}

pub(crate) const RESUME: Operation =
    Operation::new("Resume a stopped search").gives::<SearchView>(202);

/// `POST /api/v1/optimisations/{id}/resume`.
pub(crate) async fn resume(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    extract::Path(id): extract::Path<String>,
) -> Result<(StatusCode, Json<SearchView>)> {
    let run = workspace.find_search(&id).await?;
    background::search(&state, workspace.clone(), run.clone())?;
    Ok((StatusCode::ACCEPTED, Json(workspace.search_view(run).await?)))
}

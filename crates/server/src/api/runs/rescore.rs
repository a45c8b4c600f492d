//! A run scored another way: no model is asked, and both versions are kept.

use std::sync::Arc;

use assize_engine::council::CouncilRequest;
use assize_engine::runs::{Change, RetrievalChange};
use assize_engine::store::{Instrument, Order, Run};
use assize_engine::summary::Framework;
use assize_methods::compliance::Rubric;
use assize_wire::runs::RunView;
use axum::Json;
use axum::extract::State;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract;
use crate::auth::Org;
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;

/// What to change; set the field that fits the run's instrument.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rescore {
    /// Summaries: the framework that scores the labels.
    framework: Option<Framework>,
    /// Retrieval: other measures, cutoffs or relevance level.
    retrieval: Option<RetrievalChange>,
    /// Compliance: a different rubric.
    rubric: Option<Value>,
    /// Councils: other weights, profile, aggregation or gate.
    council: Option<CouncilRequest>,
    /// The reason, for the record.
    reason: Option<String>,
}

impl Rescore {
    fn change(&self, state: &AppState, run: &Run) -> Result<Change> {
        let nothing =
            |field: &str| AppError::bad_input(format!("nothing would change: set `{field}`"));
        match run.instrument {
            Instrument::Summary => {
                let framework = self.framework.ok_or_else(|| nothing("framework"))?;
                Ok(Change::Summary { framework: Some(framework), evidence: Vec::new() })
            }
            Instrument::Compliance => {
                let rubric = self.rubric.as_ref().ok_or_else(|| nothing("rubric"))?;
                let rubric = Rubric::from_json(Some(rubric));
                let rubric = rubric.map_err(|error| AppError::bad_input(error.to_string()))?;
                Ok(Change::Compliance(Box::new(rubric)))
            }
            Instrument::Council => {
                let council = self.council.as_ref().ok_or_else(|| nothing("council"))?;
                council.check_remote().map_err(|error| AppError::bad_input(error.to_string()))?;
                let operator = state.settings.models.councils.request.clone().gate_only();
                Ok(Change::Council(Box::new(council.clone().under(operator))))
            }
            Instrument::Retrieval => {
                let change = self.retrieval.as_ref().filter(|change| change.words().is_some());
                Ok(Change::Retrieval(change.ok_or_else(|| nothing("retrieval"))?.clone()))
            }
        }
    }
}

pub(crate) const RESCORE: Operation =
    Operation::new("Rescore a run; both versions are kept").body::<Rescore>().gives::<RunView>(200);

/// `POST /api/v1/runs/{run}/rescore`.
pub(crate) async fn rescore(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Json(asked): extract::Json<Rescore>,
) -> Result<Json<RunView>> {
    let run = named(&workspace, &name).await?;
    let change = asked.change(&state, &run)?;
    let reason = asked.reason.as_deref().unwrap_or("scored another way");
    workspace.rescore(&run, &change, reason).await.map_err(|error| to_app_error(&error))?;
    let run = named(&workspace, run.id.as_str()).await?;
    let order = Order::ByPosition { after: None };
    Ok(Json(workspace.run_view(&run, None, &order, 20).await?))
}

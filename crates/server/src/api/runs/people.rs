//! What people say about the items of a run, decisions and ratings, and who looks after what.

use std::sync::Arc;

use assize_engine::runs::people::{NewDecision, NewLabel};
use assize_wire::runs::{Assignment, DecisionEntry, LabelEntry};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::named;
use crate::api::describe::Operation;
use crate::api::take;
use crate::auth::Caller;
use crate::error::AppError;
use crate::state::AppState;

pub(crate) const DECISIONS: Operation =
    Operation::new("List decisions about items").gives::<Vec<DecisionEntry>>(200);

/// `GET /api/v1/runs/{run}/decisions`.
pub(crate) async fn decisions(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Path(name): take::Path<String>,
) -> Result<Json<Vec<DecisionEntry>>, AppError> {
    let registry = state.registry(&caller);
    let run = named(&registry, &name).await?;
    Ok(Json(registry.decisions(&run).await?))
}

/// A decision to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decide {
    /// The item's position in the run, starting at 0.
    position: u32,
    /// The kind of decision.
    kind: Kind,
    /// The target: a measure, a piece of evidence or a section; may be empty for a comment.
    #[serde(default)]
    target: String,
    /// The new value; if left out, an earlier decision is withdrawn.
    value: Option<Value>,
    /// The reason.
    #[serde(default)]
    reason: String,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// A new score; the target is the measure.
    Score,
    /// A new label; the target is the piece of evidence.
    Label,
    /// A new text; the target is the section.
    Section,
    /// A remark.
    Comment,
}

pub(crate) const DECIDE: Operation = Operation::new("Record a decision about an item")
    .body::<Decide>()
    .gives::<Vec<DecisionEntry>>(201);

/// `POST /api/v1/runs/{run}/decisions`.
pub(crate) async fn decide(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Path(name): take::Path<String>,
    take::Json(asked): take::Json<Decide>,
) -> Result<(StatusCode, Json<Vec<DecisionEntry>>), AppError> {
    use assize_engine::store::DecisionKind;
    let registry = state.registry(&caller);
    let run = named(&registry, &name).await?;
    let Decide { position, kind, target, value, reason } = asked;
    let kind = match kind {
        Kind::Score => DecisionKind::Score,
        Kind::Label => DecisionKind::Label,
        Kind::Section => DecisionKind::Section,
        Kind::Comment => DecisionKind::Comment,
    };
    let new = NewDecision { position: i64::from(position), kind, target, value, reason };
    Ok((StatusCode::CREATED, Json(registry.add_decision(&run, new).await?)))
}

pub(crate) const LABELS: Operation =
    Operation::new("List ratings of items").gives::<Vec<LabelEntry>>(200);

/// `GET /api/v1/runs/{run}/labels`.
pub(crate) async fn labels(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Path(name): take::Path<String>,
) -> Result<Json<Vec<LabelEntry>>, AppError> {
    let registry = state.registry(&caller);
    let run = named(&registry, &name).await?;
    Ok(Json(registry.labels(&run).await?))
}

/// A rating to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rate {
    /// The item's position in the run, starting at 0.
    position: u32,
    /// The measure that is rated.
    measure: String,
    /// The rating as a number.
    value: Option<f64>,
    /// The rating as a word.
    label: Option<String>,
    /// A note.
    note: Option<String>,
}

pub(crate) const RATE: Operation = Operation::new("Rate items; a second rating replaces the first")
    .body::<Vec<Rate>>()
    .gives::<Vec<LabelEntry>>(200);

/// `PUT /api/v1/runs/{run}/labels`.
pub(crate) async fn rate(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Path(name): take::Path<String>,
    take::Json(asked): take::Json<Vec<Rate>>,
) -> Result<Json<Vec<LabelEntry>>, AppError> {
    let registry = state.registry(&caller);
    let run = named(&registry, &name).await?;
    let new = asked.into_iter().map(|rate| NewLabel {
        position: i64::from(rate.position),
        measure: rate.measure,
        value: rate.value,
        label: rate.label,
        note: rate.note,
    });
    Ok(Json(registry.add_labels(&run, new.collect()).await?))
}

pub(crate) const ASSIGNMENTS: Operation =
    Operation::new("List the assignments of a compliance run").gives::<Vec<Assignment>>(200);

/// `GET /api/v1/runs/{run}/assignments`.
pub(crate) async fn assignments(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Path(name): take::Path<String>,
) -> Result<Json<Vec<Assignment>>, AppError> {
    Ok(Json(state.registry(&caller).assignments(&name).await?))
}

/// Criteria to assign.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Assign {
    /// The IDs of the criteria.
    criteria: Vec<String>,
    /// The name of the assignee; if left out, the criteria are unassigned.
    to: Option<String>,
}

pub(crate) const ASSIGN: Operation =
    Operation::new("Assign or unassign criteria of a compliance run")
        .body::<Assign>()
        .gives::<Vec<Assignment>>(200);

/// `PUT /api/v1/runs/{run}/assignments`.
pub(crate) async fn assign(
    State(state): State<Arc<AppState>>,
    caller: Caller,
    take::Path(name): take::Path<String>,
    take::Json(asked): take::Json<Assign>,
) -> Result<Json<Vec<Assignment>>, AppError> {
    let registry = state.registry(&caller);
    Ok(Json(registry.assign(&name, &asked.criteria, asked.to.as_deref()).await?))
}

//! What people say about the items of a run, decisions and ratings, and who looks after what.

use assize_engine::runs::decide::DecisionRequest;
use assize_engine::runs::people::NewLabel;
use assize_engine::store::ResultOutcome;
use assize_wire::runs::{Assignment, DecisionEntry, LabelEntry};
use axum::Json;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract;
use crate::auth::Org;
use crate::error::{AppError, Result};

pub(crate) const DECISIONS: Operation =
    Operation::new("List decisions about items").gives::<Vec<DecisionEntry>>(200);

/// `GET /api/v1/runs/{run}/decisions`.
pub(crate) async fn decisions(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<Vec<DecisionEntry>>> {
    let run = named(&workspace, &name).await?;
    Ok(Json(workspace.decisions(&run).await?))
}

/// A decision to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decide {
    /// The item's position in the run, starting at 0.
    position: u32,
    /// The kind of decision.
    kind: Kind,
    /// The target: a measure or a section; may be empty for a comment or where a run has only one
    /// measure.
    #[serde(default)]
    target: String,
    /// The new value: a score, `not_applicable` or `needs_information`; the text of a section, or
    /// its entries; the words of a comment. If left out, the decision that counts is withdrawn.
    value: Option<Value>,
    /// The reason.
    #[serde(default)]
    reason: String,
    /// How many decisions about the item you have seen; if there are more by now, the decision is
    /// refused.
    #[schemars(range(min = 0))]
    seen: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// A new score or outcome; the target is the measure.
    Score,
    /// A new text; the target is the section.
    Section,
    /// A remark.
    Comment,
}

impl Decide {
    fn into_request(self) -> Result<DecisionRequest> {
        let Self { kind, target, value, reason, seen, .. } = self;
        let wrong = |what: &str| AppError::bad_input(format!("value: {what}"));
        let mut request = DecisionRequest { reason, seen, ..DecisionRequest::default() };
        if kind == Kind::Score {
            request.measure = Some(target.clone());
        }
        match (kind, value) {
            (_, None) => request.is_withdrawal = true,
            (Kind::Score, Some(Value::String(word))) => {
                let outcome = ResultOutcome::from_word(&word).ok();
                request.outcome =
                    Some(outcome.ok_or_else(|| wrong("not a score and not an outcome"))?);
            }
            (Kind::Score, Some(value)) => {
                request.score = Some(value.as_f64().ok_or_else(|| wrong("not a score"))?);
            }
            (_, Some(value)) => {
                let text = match value {
                    Value::String(text) => text,
                    Value::Number(number) => number.to_string(),
                    Value::Array(entries) => {
                        let line = |entry: &Value| entry.as_str().map(ToOwned::to_owned);
                        let lines: Option<Vec<String>> = entries.iter().map(line).collect();
                        lines.ok_or_else(|| wrong("a list must have texts"))?.join("\n")
                    }
                    _ => return Err(wrong("neither a text nor a list of texts")),
                };
                request.sections.insert(target, text);
                request.is_addition = true;
            }
        }
        Ok(request)
    }
}

pub(crate) const DECIDE: Operation = Operation::new("Record a decision about an item")
    .body::<Decide>()
    .gives::<Vec<DecisionEntry>>(201);

/// `POST /api/v1/runs/{run}/decisions`.
pub(crate) async fn decide(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Json(asked): extract::Json<Decide>,
) -> Result<(StatusCode, Json<Vec<DecisionEntry>>)> {
    let run = named(&workspace, &name).await?;
    let position = i64::from(asked.position);
    if asked.kind == Kind::Comment {
        let words = asked.value.as_ref().and_then(Value::as_str).unwrap_or(&asked.reason);
        workspace.comment(&run, position + 1, words).await?;
    } else {
        workspace.decide(&run, position, &asked.into_request()?).await?;
    }
    Ok((StatusCode::CREATED, Json(workspace.decisions_about(&run, position).await?)))
}

pub(crate) const LABELS: Operation =
    Operation::new("List ratings of items").gives::<Vec<LabelEntry>>(200);

/// `GET /api/v1/runs/{run}/labels`.
pub(crate) async fn labels(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<Vec<LabelEntry>>> {
    let run = named(&workspace, &name).await?;
    Ok(Json(workspace.labels(&run).await?))
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
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Json(asked): extract::Json<Vec<Rate>>,
) -> Result<Json<Vec<LabelEntry>>> {
    let run = named(&workspace, &name).await?;
    let new = asked.into_iter().map(|rate| NewLabel {
        position: i64::from(rate.position),
        measure: rate.measure,
        value: rate.value,
        label: rate.label,
        note: rate.note,
    });
    Ok(Json(workspace.add_labels(&run, new.collect()).await?))
}

pub(crate) const ASSIGNMENTS: Operation =
    Operation::new("List the assignments of a compliance run").gives::<Vec<Assignment>>(200);

/// `GET /api/v1/runs/{run}/assignments`.
pub(crate) async fn assignments(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<Vec<Assignment>>> {
    Ok(Json(workspace.assignments(&name).await?))
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
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Json(asked): extract::Json<Assign>,
) -> Result<Json<Vec<Assignment>>> {
    Ok(Json(workspace.assign(&name, &asked.criteria, asked.to.as_deref()).await?))
}

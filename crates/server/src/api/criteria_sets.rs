//! Criteria sets: their items, rubric and response structure.

use assize_engine::compliance::criteria::{self, Imported, check_criteria};
use assize_engine::compliance::wire::{criteria_set, edited_tag};
use assize_engine::store::CriteriaSet as Stored;
use assize_methods::compliance::{ResponseStructure, Rubric};
use assize_wire::Listing;
use assize_wire::audit::AuditEntry;
use assize_wire::compliance::{CriteriaSet, CriteriaSetEntry, Criterion};
use assize_wire::text::tree;
use axum::Json;
use axum::http::header::{ETAG, IF_MATCH};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::describe::Operation;
use super::extract;
use super::score::CriterionInput;
use crate::auth::Org;
use crate::error::{AppError, Result};

type Tagged<T> = ([(HeaderName, String); 1], Json<T>);

pub(crate) const LIST: Operation =
    Operation::new("List criteria sets").gives::<Vec<CriteriaSetEntry>>(200);

/// `GET /api/v1/criteria-sets`.
pub(crate) async fn list(Org(workspace): Org) -> Result<Json<Vec<CriteriaSetEntry>>> {
    Ok(Json(workspace.criteria_set_entries().await?))
}

/// A criteria set to create, or to replace.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Import {
    /// Its name.
    name: String,
    /// A short description.
    #[serde(default)]
    description: String,
    /// The criteria, in order.
    criteria: Vec<CriterionInput>,
    /// Whether the criteria of an existing set of that name are replaced. Without it the response
    /// is 409 `already_exists`.
    #[serde(default)]
    replace: bool,
}

pub(crate) const IMPORT: Operation =
    Operation::new("Create a criteria set, or replace the criteria of one")
        .body::<Import>()
        .gives::<CriteriaSet>(201);

/// `POST /api/v1/criteria-sets`.
pub(crate) async fn import(
    Org(workspace): Org,
    extract::Json(asked): extract::Json<Import>,
) -> Result<(StatusCode, Json<CriteriaSet>)> {
    let Import { name, description, criteria, replace } = asked;
    let criteria: Vec<Imported> = criteria.into_iter().map(Imported::from).collect();
    check_criteria(&name, &criteria)?;
    if !replace {
        workspace.check_new_set(&name).await?;
    }
    let ended = workspace.import_criteria(&name, &description, &criteria).await?;
    let items = workspace.criteria(&ended.set).await?;
    Ok((StatusCode::CREATED, Json(criteria_set(&ended.set, &items)?)))
}

pub(crate) const SHOW: Operation =
    Operation::new("Get a criteria set with all details").gives::<CriteriaSet>(200);

/// `GET /api/v1/criteria-sets/{name}`.
pub(crate) async fn show(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<CriteriaSet>> {
    let set = workspace.criteria_set(&name).await?;
    let items = workspace.criteria(&set).await?;
    Ok(Json(criteria_set(&set, &items)?))
}

pub(crate) const ITEMS: Operation =
    Operation::new("List the criteria of a set in order").gives::<Vec<Criterion>>(200);

/// `GET /api/v1/criteria-sets/{name}/items`.
pub(crate) async fn items(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Json<Vec<Criterion>>> {
    let set = workspace.criteria_set(&name).await?;
    let items = workspace.criteria(&set).await?;
    Ok(Json(criteria_set(&set, &items)?.criteria))
}

pub(crate) const VERSIONS: Operation =
    Operation::new("Change history of a criteria set, latest first")
        .query::<Page>()
        .gives::<Listing<AuditEntry>>(200);

/// Which changes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Page {
    /// The `next` value of the previous page.
    cursor: Option<String>,
    /// Page size; defaults to 100.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

/// `GET /api/v1/criteria-sets/{name}/versions`.
pub(crate) async fn versions(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Query(page): extract::Query<Page>,
) -> Result<Json<Listing<AuditEntry>>> {
    let set = workspace.criteria_set(&name).await?;
    let before = page.cursor.as_deref().map(str::parse).transpose();
    let before = before.map_err(|_| AppError::bad_input("cursor: not issued by this server"))?;
    Ok(Json(workspace.set_versions(&set, before, extract::limit(page.limit)?).await?))
}

pub(crate) const RUBRIC: Operation =
    Operation::new("Get the rubric of a criteria set").gives::<Value>(200).tagged();

/// `GET /api/v1/criteria-sets/{name}/rubric`.
pub(crate) async fn rubric(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Tagged<Value>> {
    let set = workspace.criteria_set(&name).await?;
    Ok(tagged(&set, tree(&criteria::rubric(&set)?)))
}

pub(crate) const SET_RUBRIC: Operation = Operation::new("Change the rubric of a criteria set")
    .body::<Value>()
    .gives::<Value>(200)
    .tagged();

/// `PUT /api/v1/criteria-sets/{name}/rubric`. Who saves second sees both versions.
pub(crate) async fn set_rubric(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    headers: HeaderMap,
    extract::Json(asked): extract::Json<Value>,
) -> Result<Tagged<Value>> {
    let (set, expected) = (workspace.criteria_set(&name).await?, expected(&headers)?);
    let new = Rubric::from_json(Some(&asked));
    let new = new.map_err(|error| AppError::bad_input(format!("invalid rubric: {error}")))?;
    let both = [tree(&criteria::rubric(&set)?), tree(&new)];
    replaced(workspace.replace_rubric(set, &expected, &new).await?, both)
}

pub(crate) const STRUCTURE: Operation =
    Operation::new("Get the response structure of a criteria set").gives::<Value>(200).tagged();

/// `GET /api/v1/criteria-sets/{name}/response-structure`.
pub(crate) async fn structure(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
) -> Result<Tagged<Value>> {
    let set = workspace.criteria_set(&name).await?;
    Ok(tagged(&set, tree(&criteria::structure(&set)?)))
}

pub(crate) const SET_STRUCTURE: Operation =
    Operation::new("Change the response structure of a criteria set")
        .body::<Value>()
        .gives::<Value>(200)
        .tagged();

/// `PUT /api/v1/criteria-sets/{name}/response-structure`.
pub(crate) async fn set_structure(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    headers: HeaderMap,
    extract::Json(asked): extract::Json<Value>,
) -> Result<Tagged<Value>> {
    let (set, expected) = (workspace.criteria_set(&name).await?, expected(&headers)?);
    let new = ResponseStructure::from_json(Some(&asked));
    let new =
        new.map_err(|error| AppError::bad_input(format!("invalid response structure: {error}")))?;
    let both = [tree(&criteria::structure(&set)?), tree(&new)];
    replaced(workspace.replace_structure(set, &expected, &new).await?, both)
}

fn tagged(set: &Stored, part: Value) -> Tagged<Value> {
    ([(ETAG, edited_tag(set))], Json(part))
}

/// The new part of a set; none replaced means that somebody else did meanwhile.
fn replaced(set: Option<Stored>, [before, after]: [Value; 2]) -> Result<Tagged<Value>> {
    let set = set.ok_or_else(|| AppError::changed_meanwhile(&before, &after))?;
    Ok(tagged(&set, after))
}

/// What the caller read before; without it two people would overwrite each other unseen.
fn expected(headers: &HeaderMap) -> Result<String> {
    let tag = headers.get(IF_MATCH).and_then(|tag| tag.to_str().ok());
    tag.map(ToOwned::to_owned).ok_or_else(|| {
        let detail = "If-Match is missing: read the resource first and send its ETag";
        AppError::new(StatusCode::PRECONDITION_REQUIRED, "precondition_required", detail)
    })
}

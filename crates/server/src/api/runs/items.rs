//! The items of a run, page by page, and one with all that its scores rest on.

use assize_engine::store::Order;
use assize_wire::Listing;
use assize_wire::runs::{ExportedItem, Item};
use axum::Json;
use schemars::JsonSchema;
use serde::Deserialize;

use super::named;
use crate::api::describe::Operation;
use crate::api::extract::{self, limit};
use crate::auth::Org;
use crate::error::{AppError, Result};

/// Which items, in which order.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// A measure to sort by, lowest first; a leading minus sorts highest first. Items without
    /// a value are left out. By default, items come in the order of the run.
    sort: Option<String>,
    /// The version of the verdicts; defaults to the current one.
    #[schemars(range(min = 1))]
    version: Option<i64>,
    /// The `next` value of the previous page.
    cursor: Option<String>,
    /// Page size; defaults to 100.
    #[schemars(range(min = 1, max = 500))]
    limit: Option<u32>,
}

impl Which {
    fn order(&self) -> Result<Order> {
        let refused = || AppError::bad_input("cursor: not issued by this server");
        let cursor = self.cursor.as_deref();
        let Some(measure) = &self.sort else {
            let after = cursor.map(str::parse).transpose().map_err(|_| refused())?;
            return Ok(Order::ByPosition { after });
        };
        let place = |cursor: &str| {
            let (value, position) = cursor.split_once('@')?;
            Some((value.parse::<f64>().ok()?, position.parse::<i64>().ok()?))
        };
        let after = cursor.map(|cursor| place(cursor).ok_or_else(refused)).transpose()?;
        Ok(Order::ByScore {
            measure: measure.trim_start_matches('-').to_owned(),
            is_descending: measure.starts_with('-'),
            after,
        })
    }

    /// Where the next page begins.
    fn next(&self, last: &Item) -> String {
        let position = last.position;
        match &self.sort {
            None => position.to_string(),
            Some(measure) => {
                let value = last.scores.get(measure.trim_start_matches('-')).copied().flatten();
                format!("{}@{position}", value.unwrap_or_default())
            }
        }
    }
}

pub(crate) const LIST: Operation = Operation::new("List the items of a run with their scores")
    .query::<Which>()
    .gives::<Listing<Item>>(200);

/// `GET /api/v1/runs/{run}/items`.
pub(crate) async fn list(
    Org(workspace): Org,
    extract::Path(name): extract::Path<String>,
    extract::Query(which): extract::Query<Which>,
) -> Result<Json<Listing<Item>>> {
    let (limit, order) = (limit(which.limit)?, which.order()?);
    let run = named(&workspace, &name).await?;
    let mut items = workspace.run_items(&run, which.version, &order, limit + 1).await?;
    let has_more = items.len() > usize::try_from(limit).unwrap_or_default();
    if has_more {
        items.pop();
    }
    let next = items.last().filter(|_| has_more).map(|last| which.next(last));
    Ok(Json(Listing { items, next }))
}

/// Which version of an item.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Version {
    /// The version of the verdict; defaults to the current one.
    #[schemars(range(min = 1))]
    version: Option<i64>,
}

pub(crate) const SHOW: Operation =
    Operation::new("Get an item with ledger, evidence and exchanges")
        .query::<Version>()
        .gives::<ExportedItem>(200);

/// `GET /api/v1/runs/{run}/items/{position}`.
pub(crate) async fn show(
    Org(workspace): Org,
    extract::Path((name, position)): extract::Path<(String, u32)>,
    extract::Query(version): extract::Query<Version>,
) -> Result<Json<ExportedItem>> {
    let run = named(&workspace, &name).await?;
    Ok(Json(workspace.run_item(&run, version.version, i64::from(position)).await?))
}

//! The items of a run: what it works through, in order, and what came of each.

use std::collections::BTreeMap;
use std::fmt::Write;

use async_recursion::async_recursion as boxed;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::database::{Row, Transaction};
use crate::error::StoreError;
use crate::ids::RunId;
use crate::packed::{pack_some, unpack};
use crate::record::handle;
use crate::state::{ItemState, ResultOutcome};
use crate::value::{Value, values};

/// An item to plan.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewItem {
    /// What people call it; two runs are compared where their subjects are the same.
    pub subject: String,
    /// What is judged, if the run must be able to go on without the files it came from.
    pub material: Option<Json>,
}

/// An item with its scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunItem {
    /// Its place in the run, from 0.
    pub position: i64,
    /// What people call it.
    pub subject: String,
    /// How far it has come.
    pub state: ItemState,
    /// What came of it, if it is done.
    pub outcome: Option<ResultOutcome>,
    /// Why it has no score.
    pub reason: Option<String>,
    /// The value of each measure that counts; none where it has none.
    pub scores: BTreeMap<String, Option<f64>>,
    /// The judge's value of each measure that a person decided otherwise.
    pub judged: BTreeMap<String, Option<f64>>,
}

/// In which order items are listed, and where the page before ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// As they stand in the run, after this place.
    ByPosition {
        /// The last position of the page before.
        after: Option<i64>,
    },
    /// By the value of a measure; items without one are left out.
    ByScore {
        /// Which measure.
        measure: String,
        /// The highest first.
        is_descending: bool,
        /// The last value and position of the page before.
        after: Option<(f64, i64)>,
    },
}

/// What came of an item.
pub(crate) const VERDICT: &str = "LEFT JOIN verdicts AS verdict ON verdict.run_id = $1 \
    AND verdict.position = item.position AND verdict.version = $2";

/// The values of a measure with their items.
pub(crate) const SORTED: &str = "scores AS sorted JOIN run_items AS item ON sorted.run_id = $1 \
    AND sorted.version = $2 AND sorted.measure = $4 AND item.position = sorted.position";

handle!(RunItems, run_items, "The items of runs.");

impl RunItems<'_> {
    /// A page of items with the scores of a version.
    #[boxed]
    pub async fn page(
        &self,
        run: &RunId,
        version: i64,
        order: &Order,
        limit: i64,
    ) -> Result<Vec<RunItem>, StoreError> {
        let mut values = values![run, version, limit].to_vec();
        let (from, condition, ordering) = match order {
            Order::ByPosition { after } => {
                values.push(after.unwrap_or(-1).into());
                let from = "run_items AS item";
                (from, "item.position > $4".to_owned(), "item.position".to_owned())
            }
            Order::ByScore { measure, is_descending, after } => {
                values.push(measure.into());
                let (from, value) = (SORTED, "sorted.value");
                let mut condition = format!("{value} IS NOT NULL");
                if let Some((last, position)) = after {
                    values.extend(values![*last, *position]);
                    let before = if *is_descending { "<" } else { ">" };
                    let _ = write!(
                        condition,
                        " AND ({value} {before} $5 OR ({value} = $5 AND item.position > $6))"
                    );
                }
                let way = if *is_descending { " DESC" } else { "" };
                (from, condition, format!("{value}{way}, item.position"))
            }
        };
        let sql = format!(
            "SELECT item.position, item.subject, item.state, \
             verdict.outcome, verdict.reason FROM {from} {VERDICT} \
             WHERE item.run_id = $1 AND {condition} ORDER BY {ordering} LIMIT $3"
        );
        let rows = self.0.database.fetch(&sql, &values).await?;
        let mut items = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        self.add_scores(run, version, &mut items).await?;
        Ok(items)
    }

    /// Adds the scores of a version to items.
    pub(crate) async fn add_scores(
        &self,
        run: &RunId,
        version: i64,
        items: &mut [RunItem],
    ) -> Result<(), StoreError> {
        let places: BTreeMap<i64, usize> =
            items.iter().enumerate().map(|(index, item)| (item.position, index)).collect();
        let (Some((first, _)), Some((last, _))) =
            (places.first_key_value(), places.last_key_value())
        else {
            return Ok(());
        };
        let (first, last) = (*first, *last);
        let is_whole = usize::try_from(last - first).is_ok_and(|gap| gap + 1 == places.len());
        if is_whole {
            // One question for a page in its order, however long.
            let values = values![run, version, first, last];
            return self.scores_at("BETWEEN $3 AND $4", &values, (&places, items)).await;
        }
        let positions: Vec<i64> = places.keys().copied().collect();
        for piece in crate::batch::pieces(&positions) {
            let numbers: Vec<String> = (3..piece.len() + 3).map(|n| format!("${n}")).collect();
            let mut values = values![run, version].to_vec();
            values.extend(piece.iter().map(|position| Value::from(*position)));
            let at = format!("IN ({})", numbers.join(", "));
            self.scores_at(&at, &values, (&places, items)).await?;
        }
        Ok(())
    }

    /// Adds the scores at some positions.
    async fn scores_at(
        &self,
        at: &str,
        values: &[Value<'_>],
        (places, items): (&BTreeMap<i64, usize>, &mut [RunItem]),
    ) -> Result<(), StoreError> {
        // With the plus the version is no reason for SQLite to read the scores of all items by
        // another index: they are looked up by their positions.
        let sql = format!(
            "SELECT position, measure, judged, value FROM scores \
             WHERE run_id = $1 AND +version = $2 AND position {at}"
        );
        for row in self.0.database.fetch(&sql, values).await? {
            let position: i64 = row.get("position")?;
            let Some(index) = places.get(&position) else { continue };
            let (measure, judged): (String, Option<f64>) =
                (row.get("measure")?, row.get("judged")?);
            let value: Option<f64> = row.get("value")?;
            if value != judged {
                items[*index].judged.insert(measure.clone(), judged);
            }
            items[*index].scores.insert(measure, value);
        }
        Ok(())
    }

    /// What is judged in an item.
    #[boxed]
    pub async fn material(&self, run: &RunId, position: i64) -> Result<Option<Json>, StoreError> {
        let sql = "SELECT material FROM run_items WHERE run_id = $1 AND position = $2";
        let row = self.0.database.fetch_optional(sql, &values![run, position]).await?;
        let Some(row) = row else { return Ok(None) };
        row.get::<Option<Vec<u8>>>("material")?.as_deref().map(unpack).transpose()
    }
}

/// Writes items in their order, from a position on.
pub(crate) async fn insert(
    transaction: &mut Transaction,
    run: &RunId,
    from: i64,
    items: impl IntoIterator<Item = &NewItem>,
) -> Result<(), StoreError> {
    let mut rows = Vec::new();
    for (position, NewItem { subject, material }) in (from..).zip(items) {
        let material = Value::Blob(pack_some(material.as_ref())?.map(Into::into));
        let [run, position, subject, state, attempts] =
            values![run, position, subject, ItemState::Pending, 0_i64];
        rows.push([run, position, subject, material, state, attempts]);
    }
    let columns = ["run_id", "position", "subject", "material", "state", "attempts"];
    transaction.insert("run_items", &columns, &rows, "").await?;
    Ok(())
}

pub(crate) fn read(row: &Row) -> Result<RunItem, StoreError> {
    let outcome: Option<String> = row.get("outcome")?;
    Ok(RunItem {
        position: row.get("position")?,
        subject: row.get("subject")?,
        state: ItemState::from_word(&row.get::<String>("state")?)?,
        outcome: outcome.as_deref().map(ResultOutcome::from_word).transpose()?,
        reason: row.get("reason")?,
        scores: BTreeMap::new(),
        judged: BTreeMap::new(),
    })
}

//! The items of a run, searched, filtered and sorted, a page at a time.

use std::fmt::Write;

use async_recursion::async_recursion as boxed;

use super::{Views, anywhere};
use crate::error::StoreError;
use crate::ids::RunId;
use crate::run_items::{RunItem, VERDICT, read};
use crate::value::values;

/// In which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ItemSort {
    /// As they stand in the run.
    #[default]
    Position,
    /// By a measure, the lowest first or last; those without a value at the end.
    Measure(String, bool),
}

/// Which items, and where the page before ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemQuery {
    /// Part of what they are called.
    pub search: String,
    /// Only those that are done and have no score.
    pub only_unscored: bool,
    /// In which order.
    pub sort: ItemSort,
    /// The last value and position of the page before.
    pub after: Option<(f64, i64)>,
}

impl Views<'_> {
    /// A page of items with the scores of a version, each with the value it is sorted by.
    #[boxed]
    pub async fn items(
        &self,
        run: &RunId,
        version: i64,
        query: &ItemQuery,
        limit: i64,
    ) -> Result<Vec<(RunItem, f64)>, StoreError> {
        let mut values = values![run, version, limit].to_vec();
        let mut sql = String::from(
            "SELECT item.position, item.subject, item.state, verdict.outcome, verdict.reason, ",
        );
        let (key, join) = match &query.sort {
            ItemSort::Position => ("0.0".to_owned(), ""),
            ItemSort::Measure(measure, is_descending) => {
                values.push(measure.into());
                // Without a value last, whichever end comes first; no measure is this far out.
                let sign = if *is_descending { "-" } else { "" };
                let key = format!("COALESCE({sign}sorted.value, 1e300)");
                let join = " LEFT JOIN scores AS sorted ON sorted.run_id = $1 \
                    AND sorted.position = item.position AND sorted.version = $2 \
                    AND sorted.measure = $4";
                (key, join)
            }
        };
        let _ = write!(
            sql,
            "CAST({key} AS DOUBLE PRECISION) AS sort_key FROM run_items AS item {VERDICT}{join} \
             WHERE item.run_id = $1"
        );
        if query.only_unscored {
            sql += " AND item.state = 'done' AND verdict.outcome <> 'scored'";
        }
        let pattern = anywhere(&query.search);
        if !query.search.is_empty() {
            values.push(pattern.as_str().into());
            let place = values.len();
            let _ = write!(sql, " AND LOWER(item.subject) LIKE ${place} ESCAPE '\\'");
        }
        let is_planned = query.sort == ItemSort::Position;
        if let Some((_, position)) = query.after.filter(|(value, _)| is_planned && *value == 0.0) {
            values.push(position.into());
            let _ = write!(sql, " AND item.position > ${}", values.len());
        } else if let Some((value, position)) = query.after {
            values.extend(values![value, position]);
            let (value, position) = (values.len() - 1, values.len());
            let _ = write!(
                sql,
                " AND ({key} > ${value} OR ({key} = ${value} AND item.position > ${position}))"
            );
        }
        // As they stand is the order of the key: nothing needs to be sorted.
        let first = if is_planned { "" } else { "sort_key, " };
        let _ = write!(sql, " ORDER BY {first}item.position LIMIT $3");
        let rows = self.0.database.fetch(&sql, &values).await?;
        let keys: Result<Vec<f64>, StoreError> =
            rows.iter().map(|row| row.get("sort_key")).collect();
        let mut items = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        self.0.run_items().add_scores(run, version, &mut items).await?;
        Ok(items.into_iter().zip(keys?).collect())
    }
}

//! The items of a run, searched, filtered and sorted, a page at a time.

use std::fmt::Write;

use async_recursion::async_recursion as boxed;

use super::{Views, anywhere};
use crate::error::StoreError;
use crate::ids::RunId;
use crate::run_items::{RunItem, SORTED, VERDICT, read};
use crate::value::values;

/// Where those without a value stand, whichever end comes first: no measure is this far out.
const VALUELESS: f64 = 1e300;

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
        // Those with a value stand in an index as they are wanted: only the page is read. Where
        // that page is not full, those without a value follow.
        let is_tail = query.after.is_some_and(|(value, _)| value >= VALUELESS);
        if query.sort != ItemSort::Position && !query.only_unscored && !is_tail {
            let page = self.items_from(run, version, (query, true), limit).await?;
            if i64::try_from(page.len()).is_ok_and(|length| length >= limit) {
                return Ok(page);
            }
        }
        self.items_from(run, version, (query, false), limit).await
    }

    async fn items_from(
        &self,
        run: &RunId,
        version: i64,
        (query, has_value): (&ItemQuery, bool),
        limit: i64,
    ) -> Result<Vec<(RunItem, f64)>, StoreError> {
        let mut values = values![run, version, limit].to_vec();
        let mut from = format!("run_items AS item {VERDICT}");
        let (mut key, mut order) = ("0.0".to_owned(), String::new());
        if let ItemSort::Measure(measure, is_descending) = &query.sort {
            values.push(measure.into());
            let (sign, word) = if *is_descending { ("-", " DESC") } else { ("", "") };
            if has_value {
                from = format!("{SORTED} {VERDICT}");
                key = format!("{sign}sorted.value");
                order = format!("sorted.value{word}, ");
            } else {
                from += " LEFT JOIN scores AS sorted ON sorted.run_id = $1 \
                    AND sorted.position = item.position AND sorted.version = $2 \
                    AND sorted.measure = $4";
                key = format!("COALESCE({sign}sorted.value, {VALUELESS:e})");
                order += "sort_key, ";
            }
        }
        let mut sql = format!(
            "SELECT item.position, item.subject, item.state, verdict.outcome, verdict.reason, \
             CAST({key} AS DOUBLE PRECISION) AS sort_key FROM {from} WHERE item.run_id = $1"
        );
        if has_value {
            sql += " AND sorted.value IS NOT NULL";
        }
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
            if has_value {
                // Said of the column alone too, so that the index begins there.
                let is_descending = key.starts_with('-');
                let (sign, place) = if is_descending { ("<=", "-") } else { (">=", "") };
                let _ = write!(sql, " AND sorted.value {sign} {place}${value}");
            }
        }
        // As they stand is the order of the key: nothing needs to be sorted.
        let _ = write!(sql, " ORDER BY {order}item.position LIMIT $3");
        let rows = self.0.database.fetch(&sql, &values).await?;
        let keys: Result<Vec<f64>, StoreError> =
            rows.iter().map(|row| row.get("sort_key")).collect();
        let mut items = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        self.0.run_items().add_scores(run, version, &mut items).await?;
        Ok(items.into_iter().zip(keys?).collect())
    }
}

//! Which columns the tables of the origin have, and which of them hold what.

use std::collections::BTreeMap;

use sqlx::postgres::PgConnection;

use super::ORIGIN;
use crate::error::StoreError;

/// What the columns that must be there may be called.
const MUST: [(&str, &[&str]); 6] = [
    ("eval_criteria_sets", &["id"]),
    ("eval_criteria_items", SET_OF_ITEM),
    ("eval_criteria_items", CODE),
    ("eval_doc_summaries", &["id"]),
    ("eval_criteria_results", SUMMARY_OF_RESULT),
    ("eval_criteria_results", ITEM_OF_RESULT),
];

pub(super) const SET_OF_ITEM: &[&str] = &["criteria_set_id", "set_id"];
pub(super) const CODE: &[&str] = &["criteria_id", "code", "identifier"];
pub(super) const SUMMARY_OF_RESULT: &[&str] = &[
    "eval_summary_id",
    "doc_summary_id",
    "eval_doc_summary_id",
    "summary_id",
    "evaluation_id",
    "eval_id",
];
pub(super) const ITEM_OF_RESULT: &[&str] = &["criteria_item_id", "item_id", "criterion_id"];

/// The columns of every table, with their types.
pub(super) struct Columns(BTreeMap<String, BTreeMap<String, String>>);

impl Columns {
    pub(super) async fn of(connection: &mut PgConnection) -> Result<Self, StoreError> {
        let sql = "SELECT table_name::text, column_name::text, data_type::text \
            FROM information_schema.columns JOIN information_schema.tables \
            USING (table_catalog, table_schema, table_name) \
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'";
        let rows: Vec<(String, String, String)> = sqlx::query_as(sql).fetch_all(connection).await?;
        let mut columns: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for (table, column, kind) in rows {
            columns.entry(table).or_default().insert(column, kind);
        }
        Ok(Self(columns))
    }

    pub(super) fn tables(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    pub(super) fn has(&self, table: &str) -> bool {
        self.0.contains_key(table)
    }

    /// Whether every column is there that nothing can be done without.
    pub(super) fn complete(&self) -> Result<(), StoreError> {
        for (table, names) in MUST {
            if self.pick(table, names).is_none() {
                let names = names.join(" or ");
                let because = format!(
                    "this is not a database of the older system: {table} has no column {names}"
                );
                return Err(StoreError::Refused(because));
            }
        }
        Ok(())
    }

    /// The first of these columns that a table has.
    pub(super) fn pick(&self, table: &str, names: &[&'static str]) -> Option<&'static str> {
        let columns = self.0.get(table)?;
        names.iter().copied().find(|name| columns.contains_key(*name))
    }

    /// Whether a column holds JSON already.
    pub(super) fn is_json(&self, table: &str, column: &str) -> bool {
        let kind = self.0.get(table).and_then(|columns| columns.get(column));
        kind.is_some_and(|kind| kind == "jsonb" || kind == "json")
    }

    /// SQL for the text of a column, or what stands for it where it is empty or not there.
    pub(super) fn text(&self, table: &str, names: &[&'static str], otherwise: &str) -> String {
        match self.pick(table, names) {
            Some(name) => format!("COALESCE(t.{name}::text, {otherwise})"),
            None => otherwise.to_owned(),
        }
    }

    /// SQL for the time of a column; now, where there is none.
    pub(super) fn time(&self, table: &str, names: &[&'static str]) -> String {
        match self.pick(table, names) {
            Some(name) => format!("COALESCE(t.{name}::timestamptz, now())"),
            None => "now()".to_owned(),
        }
    }

    /// SQL for the number of a column; NULL where there is none.
    pub(super) fn number(&self, table: &str, names: &[&'static str]) -> String {
        match self.pick(table, names) {
            Some(name) => format!("t.{name}::double precision"),
            None => "NULL::double precision".to_owned(),
        }
    }
}

/// A table of the origin, where it is now.
pub(super) fn from(table: &str) -> String {
    format!("{ORIGIN}.{table} AS t")
}

//! Rows of the origin as they were found, and which of their columns hold what: the names differ
//! from one of its versions to the next.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDateTime, Utc};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use crate::error::{Result, StoreError};
use crate::state::RunState;

pub(super) const SET_OF_ITEM: &[&str] = &["criteria_set_id", "set_id"];
pub(super) const CODE: &[&str] = &["criteria_id", "code", "identifier"];
pub(super) const REQUIREMENT: &[&str] = &["requirement", "text", "title"];
pub(super) const ORDER: &[&str] = &["order_index", "sort_order", "display_order", "position"];
pub(super) const SUMMARY_OF_RESULT: &[&str] = &[
    "eval_summary_id",
    "doc_summary_id",
    "eval_doc_summary_id",
    "summary_id",
    "evaluation_id",
    "eval_id",
];
pub(super) const ITEM_OF_RESULT: &[&str] = &["criteria_item_id", "item_id", "criterion_id"];
pub(super) const SCORE: &[&str] = &["ai_score_value", "score_value", "score"];
pub(super) const CONFIDENCE: &[&str] = &["ai_confidence", "confidence"];
pub(super) const ORGANISATION: &[&str] = &["org_id", "organisation_id", "organization_id"];

/// The rows of every table that is read.
#[derive(Default)]
pub(super) struct Origin(BTreeMap<&'static str, Vec<Fields>>);

impl Origin {
    pub(super) fn insert(&mut self, table: &'static str, rows: Vec<Fields>) {
        self.0.insert(table, rows);
    }

    /// The rows of a table; none where there is no such table.
    pub(super) fn rows(&self, table: &str) -> &[Fields] {
        self.0.get(table).map_or(&[], Vec::as_slice)
    }
}

/// A row.
#[derive(Debug, Clone, Deserialize)]
#[serde(transparent)]
pub(super) struct Fields(pub(super) Map<String, Json>);

impl Fields {
    /// The first of these columns that the row has and that holds something.
    pub(super) fn value(&self, names: &[&str]) -> Option<&Json> {
        names.iter().filter_map(|name| self.0.get(*name)).find(|value| !value.is_null())
    }

    /// The text of a column.
    pub(super) fn text(&self, names: &[&str]) -> Option<String> {
        self.value(names).map(|value| match value {
            Json::String(text) => text.clone(),
            other => other.to_string(),
        })
    }

    pub(super) fn id(&self) -> String {
        self.text(&["id"]).unwrap_or_default()
    }

    /// The number of a column; SQLite may hold it as a text.
    pub(super) fn number(&self, names: &[&str]) -> Option<f64> {
        let value = self.value(names)?;
        value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())
    }

    /// The nearest whole number of a column.
    pub(super) fn integer(&self, names: &[&str]) -> Option<i64> {
        format!("{:.0}", self.number(names)?).parse().ok()
    }

    /// The time of a column; a time without a zone was written by a server, whose zone is UTC.
    pub(super) fn time(&self, names: &[&str]) -> Option<DateTime<Utc>> {
        let text = self.text(names)?;
        if let Ok(time) = DateTime::parse_from_rfc3339(&text) {
            return Some(time.with_timezone(&Utc));
        }
        let formats = ["%Y-%m-%d %H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M:%S%.f%#z"];
        let zoned = formats.iter().find_map(|format| DateTime::parse_from_str(&text, format).ok());
        if let Some(time) = zoned {
            return Some(time.with_timezone(&Utc));
        }
        let formats = ["%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%dT%H:%M:%S%.f"];
        let plain =
            formats.iter().find_map(|format| NaiveDateTime::parse_from_str(&text, format).ok());
        plain.map(|time| time.and_utc())
    }

    /// The JSON of a column that holds JSON, or a text that is an object or a list.
    pub(super) fn json(&self, names: &[&str]) -> Option<Json> {
        match self.value(names)? {
            Json::String(text) => {
                let is_json = text.trim_start().starts_with(['{', '[']);
                is_json.then(|| serde_json::from_str(text).ok()).flatten()
            }
            other => Some(other.clone()),
        }
    }

    /// The words of a judge or a person as sections: an object is sections already, a text is an
    /// explanation, and an empty text says nothing.
    pub(super) fn sections(&self, names: &[&str]) -> Option<Json> {
        match self.value(names)? {
            Json::Object(sections) => Some(Json::Object(sections.clone())),
            Json::String(text) if text.is_empty() => Some(Json::Object(Map::new())),
            Json::String(text) => {
                let explanation = [("explanation".to_owned(), Json::from(text.as_str()))];
                Some(Json::Object(explanation.into_iter().collect()))
            }
            other => Some(other.clone()),
        }
    }

    /// Refuses a number that no score and no confidence can be, by name: it is not bent.
    pub(super) fn check_range(&self) -> Result<()> {
        for names in [SCORE, CONFIDENCE] {
            if self.number(names).is_some_and(|number| !(0.0..=100.0).contains(&number)) {
                let (id, column) = (self.id(), names[0]);
                let because = format!("result {id} has a {column} that is not from 0 to 100");
                return Err(StoreError::Refused(because));
            }
        }
        Ok(())
    }

    /// How far a run had come, by the origin's word for it.
    pub(super) fn state(&self) -> RunState {
        let word = self.text(&["status", "state"]).map(|word| word.to_lowercase());
        match word.as_deref() {
            Some("planned" | "pending" | "draft") => RunState::Planned,
            Some("failed" | "error") => RunState::Failed,
            Some("running" | "in_progress" | "processing" | "stopped" | "cancelled") => {
                RunState::Stopped
            }
            _ => RunState::Done,
        }
    }

    /// Every column that is none of these and holds something, by its name.
    pub(super) fn others(&self, own: &[&[&str]]) -> Option<Json> {
        let taken: Vec<&str> = own
            .iter()
            .filter_map(|names| names.iter().find(|name| self.0.contains_key(**name)).copied())
            .chain(["id", "created_at", "updated_at"])
            .collect();
        let others = self
            .0
            .iter()
            .filter(|(name, value)| !value.is_null() && !taken.contains(&name.as_str()));
        let others: Map<String, Json> =
            others.map(|(name, value)| (name.clone(), value.clone())).collect();
        (!others.is_empty()).then_some(Json::Object(others))
    }
}

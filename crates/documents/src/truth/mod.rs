//! Truth keys: the scores that analysts gave, from tables and JSON, and a table to fill in.

mod from_json;
mod from_table;
mod score;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::criteria::Criterion;
use crate::table::Table;

pub use from_json::from_json;
pub use from_table::{FIELDS, from_table, from_table_by, known_names};
pub use score::{Expected, parse_score};

/// What an analyst says a document deserves for a criterion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TruthKey {
    /// The name of the document.
    pub document: String,
    /// The criterion, as its set calls it.
    pub criteria_id: String,
    /// The score, or that there is none to give.
    pub expected: Expected,
    /// The text of each section that the analyst wrote, by the section's key.
    pub sections: BTreeMap<String, String>,
    /// Who said so.
    pub analyst: Option<String>,
}

/// A table to fill in: one row for each document and criterion.
pub fn template(documents: &[String], criteria: &[Criterion], sections: &[String]) -> Table {
    let mut headers = vec!["document", "criteria_id", "requirement", "expected_score"];
    headers.extend(sections.iter().map(String::as_str));
    headers.push("analyst");
    let rows = documents.iter().flat_map(|document| {
        criteria.iter().map(move |item| {
            let known = [document, &item.criteria_id, &item.requirement].map(Clone::clone);
            let open = vec![String::new(); sections.len() + 2];
            known.into_iter().chain(open).collect()
        })
    });
    Table::new(&headers, rows)
}

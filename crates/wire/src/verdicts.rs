//! What holds for the documents of a run taken together.

use assize_methods::compliance::set_verdicts::SetReport;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The verdicts for a set of documents: one per criterion, decided by its best document unless
/// another one denies it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SetVerdicts {
    /// The number of the run.
    pub run: i64,
    /// The documents; verdicts refer to them by position, from 0.
    pub documents: Vec<String>,
    /// The verdicts, their weighted mean, and the same by category.
    #[serde(flatten)]
    #[schemars(with = "Value")]
    pub report: SetReport,
}

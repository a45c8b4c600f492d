//! Several analysts: how far they agree, where they differ, and what was settled.

use assize_methods::compliance::analysts::{AnalystAgreement, Basis, Dispute};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The analysts of a document set under a criteria set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct Analysts {
    /// What the keys that count rest on.
    #[schemars(with = "Value")]
    pub basis: Basis,
    /// How far they agree; null unless several judged the same.
    #[schemars(with = "Value")]
    pub agreement: Option<AnalystAgreement>,
    /// Where they differ, the furthest apart first.
    pub disputes: Vec<DisputeEntry>,
}

/// A document and a criterion that analysts see differently.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DisputeEntry {
    /// Their scores, and what it was settled at.
    #[serde(flatten)]
    #[schemars(with = "Value")]
    pub dispute: Dispute,
    /// Who settled it.
    pub adjudicator: Option<String>,
    /// Why so.
    pub reason: Option<String>,
    /// When.
    pub adjudicated_at: Option<DateTime<Utc>>,
    /// Whether an analyst changed a score after it was settled.
    pub is_outdated: bool,
}

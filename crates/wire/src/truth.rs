//! Several analysts: how far they agree, where they differ, and what was settled.

use assize_methods::compliance::analysts::{AnalystAgreement, Basis, Dispute};
use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The analysts of a document set under a criteria set.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct Analysts {
    /// How the effective keys were derived.
    #[schemars(with = "Value")]
    pub basis: Basis,
    /// Their agreement; null unless several judged the same pairs.
    #[schemars(with = "Value")]
    pub agreement: Option<AnalystAgreement>,
    /// Their disagreements, largest first.
    pub disputes: Vec<DisputeEntry>,
}

/// A document and a criterion on which analysts disagree.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DisputeEntry {
    /// Their scores and the adjudicated score.
    #[serde(flatten)]
    #[schemars(with = "Value")]
    pub dispute: Dispute,
    /// Who adjudicated it.
    pub adjudicator: Option<String>,
    /// The reason.
    pub reason: Option<String>,
    /// When.
    pub adjudicated_at: Option<DateTime<Utc>>,
    /// Whether an analyst changed a score after the adjudication.
    pub is_outdated: bool,
}

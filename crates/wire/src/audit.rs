//! Who changed what, when.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What looking at a chain of changes showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditChain {
    /// How many entries are as they were recorded.
    pub entries: i64,
    /// The hash of the last one. Kept elsewhere, it shows later whether the whole chain was
    /// written anew.
    pub head: String,
    /// What is wrong, if anything is.
    pub flaw: Option<String>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AuditEntry {
    /// Its place in the chain of the organisation, from 1.
    pub sequence: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// By whom.
    pub who: String,
    /// From where, if it came over the network.
    pub address: Option<String>,
    /// What they did: `insert`, `update`, `delete`, ….
    pub action: String,
    /// To what kind of thing.
    pub subject: String,
    /// To which.
    pub subject_id: String,
    /// What it was before.
    pub before: Option<Value>,
    /// What it was after.
    pub after: Option<Value>,
    /// The hash of this entry and of the one before.
    pub hash: String,
}

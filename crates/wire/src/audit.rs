//! Who changed what, when.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// The result of verifying the audit chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AuditChain {
    /// The number of intact entries.
    pub entries: i64,
    /// The hash of the last entry. Stored elsewhere, it later shows whether the whole chain was
    /// rewritten.
    pub head: String,
    /// What is wrong, if anything.
    pub flaw: Option<String>,
}

/// One change.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AuditEntry {
    /// Its position in the chain of the organisation, from 1.
    pub sequence: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// By whom.
    pub who: String,
    /// The network address of the caller, if any.
    pub address: Option<String>,
    /// The action: `insert`, `update`, `delete`, ….
    pub action: String,
    /// The kind of object changed.
    pub subject: String,
    /// The id of the object changed.
    pub subject_id: String,
    /// The state before.
    pub before: Option<Value>,
    /// The state after.
    pub after: Option<Value>,
    /// The hash of this entry and of the one before.
    pub hash: String,
}

//! The audit as a file, and whether it is still what was recorded.

use assize_store::Flaw;
use assize_wire::audit::{AuditChain, AuditEntry};
use assize_wire::text::line;
use async_recursion::async_recursion as boxed;
use schemars::JsonSchema;
use serde::Deserialize;

use super::error::Result;
use crate::Workspace;
use crate::runs::export::row;
use crate::runs::people::audited;

/// Entries that are in memory at once.
const PAGE: i64 = 1_000;

/// How the audit is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum AuditFormat {
    /// One JSON object per line.
    #[default]
    Jsonl,
    /// A table with a header row.
    Csv,
}

const HEAD: [&str; 10] = [
    "sequence",
    "at",
    "who",
    "address",
    "action",
    "subject",
    "subject_id",
    "before",
    "after",
    "hash",
];

impl Workspace {
    /// A piece of the audit of the organisation, in the order of the chain, and where the next
    /// one begins; nothing after the last. The first piece begins at 0.
    #[boxed]
    pub async fn audit_piece(
        &self,
        after: i64,
        format: AuditFormat,
    ) -> Result<Option<(Vec<u8>, i64)>> {
        let page = self.store.audit().chained(&self.organisation, after, PAGE).await?;
        let last = page.last().and_then(|entry| entry.sequence);
        let is_csv = format == AuditFormat::Csv;
        let mut text = Vec::new();
        if is_csv && after == 0 {
            table(&mut text, HEAD.map(str::to_owned));
        }
        for entry in page.into_iter().map(audited) {
            if is_csv {
                table(&mut text, cells(entry));
            } else {
                text.extend(line(&entry).into_bytes());
                text.push(b'\n');
            }
        }
        Ok(match last {
            Some(last) => Some((text, last)),
            // A table without rows still has its head.
            None if !text.is_empty() => Some((text, i64::MAX)),
            None => None,
        })
    }

    /// Goes through the whole chain of the organisation.
    #[boxed]
    pub async fn audit_chain(&self) -> Result<AuditChain> {
        let chain = self.store.audit().verify(&self.organisation).await?;
        let flaw = chain.flaw.map(|flaw| match flaw {
            Flaw::Missing(place) => format!("entry {place} is missing"),
            Flaw::Changed(place) => format!("entry {place} was changed"),
            Flaw::End { head, last } => {
                format!("the chain should end with entry {head}, but ends with {last}")
            }
        });
        Ok(AuditChain { entries: chain.entries, head: chain.head, flaw })
    }

    /// Whether an entry of the chain has that hash.
    #[boxed]
    pub async fn audit_holds(&self, hash: &str) -> Result<bool> {
        let mut after = 0;
        loop {
            let page = self.store.audit().chained(&self.organisation, after, PAGE).await?;
            let Some(last) = page.last().and_then(|entry| entry.sequence) else { return Ok(false) };
            if page.iter().any(|entry| entry.hash.as_deref() == Some(hash)) {
                return Ok(true);
            }
            after = last;
        }
    }
}

fn table(text: &mut Vec<u8>, cells: [String; 10]) {
    row(text, cells.into_iter()).expect("memory can be written to");
}

fn cells(entry: AuditEntry) -> [String; 10] {
    let json =
        |value: Option<serde_json::Value>| value.map(|value| value.to_string()).unwrap_or_default();
    [
        entry.sequence.to_string(),
        entry.at.to_rfc3339(),
        entry.who,
        entry.address.unwrap_or_default(),
        entry.action,
        entry.subject,
        entry.subject_id,
        json(entry.before),
        json(entry.after),
        entry.hash,
    ]
}

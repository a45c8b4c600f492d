//! The chain of the audit: every entry holds the hash of itself and of the one before, and the
//! head says where the chain ends. Who changes, removes or moves a row breaks it.
//!
//! Who can write to the database can also write a whole new chain; against that only a copy of
//! the head helps, kept elsewhere. That is why [`Chain`] shows it.

use async_recursion::async_recursion as boxed;
use chrono::{SecondsFormat, SubsecRound};
use serde_json::Value as Json;

use crate::audit::{Audit, AuditEntry};
use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::OrganisationId;
use crate::value::values;

/// Entries that are read at once.
const PAGE: i64 = 1_000;
/// What stands for the hash before the first entry.
const BEGINNING: &str = "";

/// What looking at a chain showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// How many entries it has.
    pub entries: i64,
    /// The hash of the last one.
    pub head: String,
    /// What is wrong with it, if anything is.
    pub flaw: Option<Flaw>,
}

/// What is wrong with a chain, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// A place has no entry.
    Missing(i64),
    /// An entry is not what was recorded, or not where.
    Changed(i64),
    /// The chain ends before or after the place that its head names.
    End {
        /// Where the head says that it ends.
        head: i64,
        /// Where it ends.
        last: i64,
    },
}

impl Audit<'_> {
    /// Goes through the chain of an organisation and says what is wrong with it.
    #[boxed]
    pub async fn verify(&self, organisation: &OrganisationId) -> Result<Chain> {
        let (mut last, mut hash) = (0, BEGINNING.to_owned());
        loop {
            let page = self.chained(organisation, last, PAGE).await?;
            if page.is_empty() {
                break;
            }
            for entry in page {
                let place = entry.sequence.unwrap_or_default();
                let flawed = |flaw| Chain { entries: last, head: hash.clone(), flaw: Some(flaw) };
                if place != last + 1 {
                    return Ok(flawed(Flaw::Missing(last + 1)));
                }
                let expected = hash_of(&hash, place, &entry);
                if entry.hash.as_deref() != Some(&expected) {
                    return Ok(flawed(Flaw::Changed(place)));
                }
                (last, hash) = (place, expected);
            }
        }
        let (head, head_hash) = self.head(organisation).await?;
        let flaw = match () {
            () if head != last => Some(Flaw::End { head, last }),
            () if head_hash != hash => Some(Flaw::Changed(last)),
            () => None,
        };
        Ok(Chain { entries: last, head: hash, flaw })
    }
}

/// Adds an entry behind the last one.
pub(crate) async fn append(transaction: &mut Transaction, entry: &AuditEntry) -> Result<()> {
    let organisation = &entry.organisation_id;
    let sql = "INSERT INTO audit_heads (organisation_id, sequence, hash) VALUES ($1, 0, $2) \
        ON CONFLICT (organisation_id) DO NOTHING";
    transaction.execute(sql, &values![organisation, BEGINNING]).await?;
    // Whoever records at the same time waits here, so that no two get the same place.
    let sql = "UPDATE audit_heads SET sequence = sequence + 1 WHERE organisation_id = $1 \
        RETURNING sequence, hash";
    let head = transaction.fetch_optional(sql, &values![organisation]).await?;
    let head = head.ok_or_else(|| StoreError::Refused("the audit has no head".to_owned()))?;
    let (place, before): (i64, String) = (head.get("sequence")?, head.get("hash")?);
    let AuditEntry { id, at, who, action, subject, .. } = entry;
    let AuditEntry { subject_id, before: old, after: new, address, .. } = entry;
    let hash = hash_of(&before, place, entry);
    let sql = "INSERT INTO audit (id, organisation_id, at, who, action, subject, subject_id, \
        before, after, address, sequence, hash) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING";
    let values = values![
        id,
        organisation,
        *at,
        who,
        action,
        subject,
        subject_id,
        old,
        new,
        address,
        place,
        &hash
    ];
    if transaction.execute(sql, &values).await? == 0 {
        let sql = "UPDATE audit_heads SET sequence = sequence - 1 WHERE organisation_id = $1";
        transaction.execute(sql, &values![organisation]).await?;
        return Ok(());
    }
    let sql = "UPDATE audit_heads SET hash = $2 WHERE organisation_id = $1";
    transaction.execute(sql, &values![organisation, &hash]).await?;
    Ok(())
}

impl Audit<'_> {
    async fn head(&self, organisation: &OrganisationId) -> Result<(i64, String)> {
        let sql = "SELECT sequence, hash FROM audit_heads WHERE organisation_id = $1";
        let row = self.store().database.fetch_optional(sql, &values![organisation]).await?;
        let Some(row) = row else { return Ok((0, BEGINNING.to_owned())) };
        Ok((row.get("sequence")?, row.get("hash")?))
    }
}

/// The hash of an entry at its place behind the one before. Each part is preceded by its length,
/// so that nothing can be moved from one to the next.
fn hash_of(before: &str, place: i64, entry: &AuditEntry) -> String {
    let json = |json: &Option<Json>| json.as_ref().map(canonical).unwrap_or_default();
    // As both databases give it back: microseconds, and no NUL.
    let at = entry.at.trunc_subsecs(6).to_rfc3339_opts(SecondsFormat::Micros, true);
    let parts = [
        before.to_owned(),
        place.to_string(),
        entry.id.to_string(),
        entry.organisation_id.to_string(),
        at,
        entry.who.clone(),
        entry.action.clone(),
        entry.subject.clone(),
        entry.subject_id.clone(),
        json(&entry.before),
        json(&entry.after),
        entry.address.clone().unwrap_or_default(),
    ];
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        let part = part.replace('\0', " ");
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

/// JSON with sorted keys: PostgreSQL keeps no order.
fn canonical(json: &Json) -> String {
    match json {
        Json::Array(items) => {
            format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(","))
        }
        // No database keeps U+0000; a space stands for it.
        Json::String(text) => Json::from(text.replace('\0', " ")).to_string(),
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| name.as_str());
            let field = |(name, value): (&String, &Json)| {
                format!("{}:{}", Json::from(name.replace('\0', " ")), canonical(value))
            };
            format!("{{{}}}", fields.into_iter().map(field).collect::<Vec<_>>().join(","))
        }
        // A whole number may come back with or without its point.
        Json::Number(number) => number.as_f64().map_or_else(|| json.to_string(), |n| n.to_string()),
        other => other.to_string(),
    }
}

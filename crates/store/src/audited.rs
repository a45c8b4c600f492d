//! Entries of the audit that are written in the transaction of the change itself: whoever makes,
//! rescores or rates a run goes through here.

use serde_json::{Map, Value as Json};

use crate::audit::AuditEntry;
use crate::audit_chain::append;
use crate::database::Transaction;
use crate::error::{Result, StoreError};
use crate::ids::{OrganisationId, RunId};
use crate::labels::Label;
use crate::runs::NewRun;
use crate::value::values;
use crate::verdicts::RunVersion;

/// A run was made.
pub(crate) async fn created(
    transaction: &mut Transaction,
    run: &NewRun,
    number: i64,
    items: usize,
) -> Result<()> {
    let after = object([
        ("number", number.into()),
        ("instrument", run.instrument.word().into()),
        ("name", run.name.clone().into()),
        ("items", items.into()),
    ]);
    let what = ["create", "run", run.id.as_str()];
    let entry = AuditEntry::new(&run.organisation_id, run.created_at, &run.who, what);
    append(transaction, &entry.with(None, Some(after))).await
}

/// A run has another version of its verdicts.
pub(crate) async fn rescored(
    transaction: &mut Transaction,
    run: &RunId,
    version: &RunVersion,
) -> Result<()> {
    let organisation = owner(transaction, run).await?;
    let what = ["rescore", "run", run.as_str()];
    let after =
        object([("version", version.version.into()), ("reason", version.reason.clone().into())]);
    let entry = AuditEntry::new(&organisation, version.created_at, &version.who, what);
    append(transaction, &entry.with(None, Some(after))).await
}

/// Somebody rated items of a run: one entry, however many they are.
pub(crate) async fn rated(
    transaction: &mut Transaction,
    run: &RunId,
    labels: &[Label],
) -> Result<()> {
    let Some(first) = labels.first() else { return Ok(()) };
    let organisation = owner(transaction, run).await?;
    let (subject, id, after) = if labels.len() == 1 {
        let after = object([
            ("measure", first.measure.clone().into()),
            ("value", first.value.into()),
            ("label", first.label.clone().into()),
        ]);
        ("run item", format!("{run} item {}", first.position), after)
    } else {
        ("run", run.to_string(), object([("ratings", labels.len().into())]))
    };
    let what = ["rate", subject, id.as_str()];
    let entry = AuditEntry::new(&organisation, first.created_at, &first.rater, what);
    append(transaction, &entry.with(None, Some(after))).await
}

async fn owner(transaction: &mut Transaction, run: &RunId) -> Result<OrganisationId> {
    let sql = "SELECT organisation_id FROM runs WHERE id = $1";
    let row = transaction.fetch_optional(sql, &values![run]).await?;
    let missing = || StoreError::Missing { what: "run", id: run.to_string() };
    Ok(row.ok_or_else(missing)?.get::<String>("organisation_id")?.into())
}

/// The fields that have a value.
pub(crate) fn object<const N: usize>(fields: [(&str, Json); N]) -> Json {
    let known = fields.into_iter().filter(|(_, value)| !value.is_null());
    Json::Object(known.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

//! A run as a file: lines of JSON with evidence and ledger, one JSON document, or a table.

use std::collections::BTreeSet;
use std::io::Write;

use assize_store::{AnyRun, Order, RunItem, Verdict};
use assize_wire::runs::{ExportedItem, Item, RunEntry};
use async_recursion::async_recursion as boxed;
use serde::Serialize;

use super::error::RunError;
use super::view::{checked_version, item as shape};
use crate::compliance::Registry;

/// Items that are in memory at once.
const PAGE: i64 = 500;

/// How a run is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// A line for the run, then one for each item, with evidence and ledger.
    Jsonl,
    /// The same as one document.
    Json,
    /// One row an item: its subject, outcome and scores.
    Csv,
}

impl Registry {
    /// Writes a run in the version that counts, or in another. Returns how many items.
    #[boxed(?Send)]
    pub async fn export_run(
        &self,
        run: &AnyRun,
        version: Option<i64>,
        format: ExportFormat,
        to: &mut dyn Write,
    ) -> Result<u64, RunError> {
        let version = checked_version(run, version)?;
        let mut line = self.run_entry(run).await?;
        line.version = version;
        let measures = self.store.verdicts().means(&run.id, version).await?;
        let measures: BTreeSet<String> = measures.into_keys().collect();
        head(to, &line, format, &measures)?;
        let (mut after, mut count) = (None, 0);
        loop {
            let order = Order::ByPosition { after };
            let page = self.store.run_items().page(&run.id, version, &order, PAGE).await?;
            let Some(last) = page.last() else { break };
            let first = page.first().map_or(0, |item| item.position);
            let verdicts = if format == ExportFormat::Csv {
                Vec::new()
            } else {
                self.store.verdicts().page(&run.id, version, first, PAGE).await?
            };
            after = Some(last.position);
            for item in page {
                let verdict = verdicts.iter().find(|one| one.position == item.position);
                one(to, item, verdict, (format, count), &measures)?;
                count += 1;
            }
        }
        if format == ExportFormat::Json {
            to.write_all(b"\n]}\n")?;
        }
        to.flush()?;
        Ok(count)
    }
}

fn head(
    to: &mut dyn Write,
    run: &RunEntry,
    format: ExportFormat,
    measures: &BTreeSet<String>,
) -> Result<(), RunError> {
    match format {
        ExportFormat::Jsonl => writeln!(to, "{{\"run\":{}}}", text(run)?)?,
        ExportFormat::Json => writeln!(to, "{{\"run\":{},\"items\":[", text(run)?)?,
        ExportFormat::Csv => {
            let fixed = ["position", "subject", "outcome", "reason"].map(ToOwned::to_owned);
            row(to, fixed.into_iter().chain(measures.iter().cloned()))?;
        }
    }
    Ok(())
}

fn one(
    to: &mut dyn Write,
    item: RunItem,
    verdict: Option<&Verdict>,
    (format, before): (ExportFormat, u64),
    measures: &BTreeSet<String>,
) -> Result<(), RunError> {
    let item = shape(item);
    if format == ExportFormat::Csv {
        let Item { position, subject, state, outcome, reason, scores, .. } = item;
        let value = |name: &String| scores.get(name).copied().flatten();
        let cells =
            measures.iter().map(|name| value(name).map_or(String::new(), |v| v.to_string()));
        let outcome = outcome.unwrap_or(state);
        let fixed = [position.to_string(), subject, outcome, reason.unwrap_or_default()];
        return Ok(row(to, fixed.into_iter().chain(cells))?);
    }
    let exported = ExportedItem {
        item,
        ledger: verdict.and_then(|verdict| verdict.ledger.clone()),
        evidence: verdict.and_then(|verdict| verdict.evidence.clone()),
        exchanges: verdict.and_then(|verdict| verdict.exchange_keys.clone()),
    };
    if format == ExportFormat::Json && before > 0 {
        to.write_all(b",\n")?;
    }
    to.write_all(text(&exported)?.as_bytes())?;
    if format == ExportFormat::Jsonl {
        to.write_all(b"\n")?;
    }
    Ok(())
}

fn text(value: &impl Serialize) -> Result<String, RunError> {
    serde_json::to_string(value).map_err(|error| RunError::Refused(error.to_string()))
}

/// A row of a table. A cell that a spreadsheet could take for a formula is disarmed.
pub(crate) fn row(to: &mut dyn Write, cells: impl Iterator<Item = String>) -> std::io::Result<()> {
    let cell = |text: String| {
        let is_number = text.parse::<f64>().is_ok();
        let is_formula = !is_number && text.starts_with(['=', '+', '-', '@', '\t', '\r']);
        if is_formula { format!("'{text}") } else { text }
    };
    let mut writer = csv::Writer::from_writer(to);
    writer.write_record(cells.map(cell))?;
    writer.flush()
}

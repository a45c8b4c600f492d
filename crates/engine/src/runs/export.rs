//! A run as a file, in every format there is.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::str::FromStr;

use assize_exports::{json, oscal, pdf, xlsx};
use assize_store::{Instrument, Order, Run, RunItem, Verdict};
use assize_wire::runs::{ExportedItem, Item, RunEntry};
use async_recursion::async_recursion as boxed;
use serde::Serialize;

use super::elsewhere;
use super::error::{Result, RunError};
use super::view::{checked_version, item as shape};
use crate::Workspace;

/// Items that are in memory at once.
const PAGE: i64 = 500;

/// How a run is written. Every door offers all that [`ExportFormat::offered`] names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// A line for the run, then one for each item, with evidence and ledger.
    Jsonl,
    /// The same as one document; the whole report of a compliance run.
    Json,
    /// One row an item: its subject, outcome and scores; one a result in a compliance run.
    Csv,
    /// A workbook.
    Xlsx,
    /// A printable report of two pages.
    Pdf,
    /// A printable report with every result.
    PdfFull,
    /// OpenTelemetry events in OTLP JSON, one line an item.
    Otel,
    /// Scores as Langfuse takes them, one a line.
    Langfuse,
    /// Annotations of spans as Phoenix takes them, one a line.
    Phoenix,
    /// OSCAL assessment results.
    Oscal,
    /// The OSCAL plan of action and milestones: the requirements that are not satisfied.
    Poam,
}

/// What there is to say about a format.
struct FormatEntry {
    format: ExportFormat,
    name: &'static str,
    ending: &'static str,
    media_type: &'static str,
    title: &'static str,
    /// Whether only compliance runs have it.
    is_report: bool,
}

const fn entry(
    format: ExportFormat,
    [name, ending, media_type, title]: [&'static str; 4],
    is_report: bool,
) -> FormatEntry {
    FormatEntry { format, name, ending, media_type, title, is_report }
}

/// The one list of formats; a new one is a line here and its writer below.
#[rustfmt::skip]
const FORMATS: [FormatEntry; 11] = [
    entry(ExportFormat::Xlsx, ["xlsx", "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "Excel"], true),
    entry(ExportFormat::Pdf, ["pdf", "pdf", "application/pdf", "PDF (two pages)"], true),
    entry(ExportFormat::PdfFull, ["pdf-full", "full.pdf", "application/pdf", "PDF (all results)"], true),
    entry(ExportFormat::Oscal, ["oscal", "oscal.json", "application/json", "OSCAL"], true),
    entry(ExportFormat::Poam, ["poam", "poam.json", "application/json", "OSCAL POA&M"], true),
    entry(ExportFormat::Csv, ["csv", "csv", "text/csv; charset=utf-8", "CSV"], false),
    entry(ExportFormat::Json, ["json", "json", "application/json", "JSON"], false),
    entry(ExportFormat::Jsonl, ["jsonl", "jsonl", "application/jsonl", "JSON Lines (with evidence)"], false),
    entry(ExportFormat::Otel, ["otel", "otel.jsonl", "application/jsonl", "OpenTelemetry events"], false),
    entry(ExportFormat::Langfuse, ["langfuse", "langfuse.jsonl", "application/jsonl", "Langfuse scores"], false),
    entry(ExportFormat::Phoenix, ["phoenix", "phoenix.jsonl", "application/jsonl", "Phoenix annotations"], false),
];

impl ExportFormat {
    /// The formats of an instrument, in the order in which they are offered.
    pub fn offered(instrument: Instrument) -> impl Iterator<Item = Self> {
        let is_compliance = instrument == Instrument::Compliance;
        FORMATS.iter().filter(move |one| is_compliance || !one.is_report).map(|one| one.format)
    }

    /// Whether it is written item by item, also of compliance runs.
    fn is_of_items(self) -> bool {
        self == Self::Jsonl || self.is_of_another_tool()
    }

    fn is_of_another_tool(self) -> bool {
        matches!(self, Self::Otel | Self::Langfuse | Self::Phoenix)
    }

    /// The names of all formats.
    pub fn names() -> [&'static str; FORMATS.len()] {
        FORMATS.each_ref().map(|one| one.name)
    }

    fn entry(self) -> &'static FormatEntry {
        // Every format is in the list; a test looks.
        FORMATS.iter().find(|one| one.format == self).unwrap_or(&FORMATS[0])
    }

    /// What it is called in addresses and on the command line.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// What it is called on a page.
    pub fn title(self) -> &'static str {
        self.entry().title
    }

    pub fn media_type(self) -> &'static str {
        self.entry().media_type
    }

    /// The name of a file of a run.
    pub fn file_name(self, run: &Run) -> String {
        format!("run-{}.{}", run.number, self.entry().ending)
    }
}

impl FromStr for ExportFormat {
    type Err = RunError;

    fn from_str(name: &str) -> Result<Self> {
        let found = FORMATS.iter().find(|one| one.name == name);
        found.map(|one| one.format).ok_or_else(|| {
            let names = Self::names().join(", ");
            RunError::Refused(format!("unknown export format `{name}`: expected one of {names}"))
        })
    }
}

impl Workspace {
    /// Writes a run in the version that counts, or in another, piece by piece: `take` is given
    /// each piece and waited for, so that a slow reader holds the export and not the memory.
    /// Returns how many items or results it has.
    pub async fn export_run<Taking: Future<Output = Result<()>>>(
        &self,
        run: &Run,
        version: Option<i64>,
        format: ExportFormat,
        mut take: impl FnMut(Vec<u8>) -> Taking,
    ) -> Result<u64> {
        let version = checked_version(run, version)?;
        self.check_export(run, version, format)?;
        if run.instrument == Instrument::Compliance && !format.is_of_items() {
            let (bytes, rows) = self.report_bytes(run, format, &oscal::Options::default()).await?;
            take(bytes).await?;
            return Ok(rows);
        }
        let mut line = self.run_entry(run).await?;
        line.version = version;
        let measures = self.store.verdicts().means(&run.id, version).await?;
        let measures: BTreeSet<String> = measures.into_keys().collect();
        let mut piece = Vec::new();
        head(&mut piece, &line, format, &measures)?;
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
            let verdicts: BTreeMap<i64, Verdict> =
                verdicts.into_iter().map(|one| (one.position, one)).collect();
            for item in page {
                let verdict = verdicts.get(&item.position);
                let lines = match format {
                    ExportFormat::Otel => vec![elsewhere::events(&line, &shape(item), verdict)],
                    ExportFormat::Langfuse => elsewhere::langfuse(&line, &shape(item), verdict),
                    ExportFormat::Phoenix => elsewhere::phoenix(&line, &shape(item), verdict),
                    _ => {
                        one(&mut piece, item, verdict, (format, count), &measures)?;
                        Vec::new()
                    }
                };
                lines.iter().try_for_each(|value| writeln!(piece, "{value}"))?;
                count += 1;
            }
            take(std::mem::take(&mut piece)).await?;
        }
        if format == ExportFormat::Json {
            piece.extend_from_slice(b"\n]}\n");
        }
        take(piece).await?;
        Ok(count)
    }

    /// Refuses a format or a version that a run cannot be written in, before the first byte.
    pub fn check_export(&self, run: &Run, version: i64, format: ExportFormat) -> Result<()> {
        if !ExportFormat::offered(run.instrument).any(|one| one == format) {
            let names: Vec<_> =
                ExportFormat::offered(run.instrument).map(ExportFormat::name).collect();
            return Err(RunError::Refused(format!(
                "run #{} is a {} run and cannot be exported as {}: use {}",
                run.number,
                run.instrument,
                format.name(),
                names.join(", ")
            )));
        }
        let is_report = run.instrument == Instrument::Compliance && !format.is_of_items();
        if is_report && version != run.version {
            let because = "a report shows the version that counts: use jsonl for an earlier one";
            return Err(RunError::Refused(because.to_owned()));
        }
        Ok(())
    }

    /// The report of a compliance run as a file, and how many results it has.
    #[boxed]
    pub async fn report_bytes(
        &self,
        run: &Run,
        format: ExportFormat,
        options: &oscal::Options,
    ) -> Result<(Vec<u8>, u64)> {
        let refused = |error: &dyn std::error::Error| RunError::Refused(error.to_string());
        let report = self.report(run).await.map_err(|error| refused(&error))?;
        let mut bytes = Vec::new();
        match format {
            ExportFormat::Xlsx => xlsx::write(&report, &mut bytes),
            ExportFormat::Pdf => pdf::write_brief(&report, &mut bytes),
            ExportFormat::PdfFull => pdf::write(&report, &mut bytes),
            ExportFormat::Csv => assize_exports::csv::write(&report, &mut bytes),
            ExportFormat::Oscal => oscal::write(&report, options, &mut bytes),
            ExportFormat::Poam => oscal::write_plan(&report, options, &mut bytes),
            // What is written item by item never comes here.
            _ => json::write(&report, &mut bytes),
        }
        .map_err(|error| refused(&error))?;
        Ok((bytes, report.rows.len() as u64))
    }
}

fn head(
    to: &mut dyn Write,
    run: &RunEntry,
    format: ExportFormat,
    measures: &BTreeSet<String>,
) -> Result<()> {
    match format {
        ExportFormat::Jsonl => writeln!(to, "{{\"run\":{}}}", text(run)?)?,
        ExportFormat::Json => writeln!(to, "{{\"run\":{},\"items\":[", text(run)?)?,
        _ if format.is_of_another_tool() => {}
        _ => {
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
) -> Result<()> {
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

fn text(value: &impl Serialize) -> Result<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_is_found_by_its_name_and_offered_to_those_who_have_it() {
        for format in ExportFormat::offered(Instrument::Compliance) {
            assert_eq!(format.name().parse::<ExportFormat>().unwrap(), format);
        }
        assert_eq!(ExportFormat::offered(Instrument::Compliance).count(), FORMATS.len());
        let names: Vec<_> =
            ExportFormat::offered(Instrument::Summary).map(ExportFormat::name).collect();
        assert_eq!(names, ["csv", "json", "jsonl", "otel", "langfuse", "phoenix"]);
        assert!("docx".parse::<ExportFormat>().is_err());
    }
}

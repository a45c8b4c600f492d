//! The whole report as JSON, with a format number.
//!
//! `docs/reference/compliance-export.schema.json` describes it. Texts stand in
//! it as they were given: no other export is so complete.

use std::io::Write;

use serde::Serialize;

use crate::{ExportError, Report, Summary};

/// The format's number. A change that old readers would not understand raises it.
pub const FORMAT: u32 = 1;

/// What is written: the report with its format number and its summary.
#[derive(Serialize)]
struct JsonReport<'a> {
    format: u32,
    kind: &'static str,
    summary: Summary,
    #[serde(flatten)]
    report: &'a Report,
}

/// Writes the report as one JSON object. [`Report`] reads it back.
pub fn write(report: &Report, mut out: impl Write) -> Result<(), ExportError> {
    let written = JsonReport {
        format: FORMAT,
        kind: "assize-compliance-report",
        summary: Summary::of(report),
        report,
    };
    serde_json::to_writer_pretty(&mut out, &written)?;
    out.write_all(b"\n")?;
    Ok(())
}

//! A workbook with four sheets: Summary, Results, Citations and Ledger.
//!
//! Scores are numbers, everything a judge or a person wrote is text and stays
//! text. What does not fit into a cell or a sheet ends with a note that says so.

mod citations;
mod ledger;
mod matrix;
mod results;
mod set;
mod sheet;
mod summary;

use std::io::Write;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook};

use crate::text::plain;
use crate::{ExportError, Report};

/// The date in the file's properties if the report's own cannot be read.
const NO_DATE: (u16, u8, u8) = (2000, 1, 1);

/// Writes the workbook. The date in its properties is the report's `exported_at`.
pub fn write(report: &Report, mut out: impl Write) -> Result<(), ExportError> {
    let mut workbook = Workbook::new();
    let properties = DocProperties::new()
        .set_title(plain(&report.title))
        .set_company(plain(&report.organisation))
        .set_author("Assize")
        .set_comment(format!("Run {}", plain(&report.run.id)))
        .set_creation_datetime(&created(&report.exported_at)?);
    workbook.set_properties(&properties);
    summary::write(workbook.add_worksheet(), report)?;
    if !report.set.verdicts.is_empty() {
        set::write(workbook.add_worksheet(), report)?;
        matrix::write(workbook.add_worksheet(), report)?;
    }
    results::write(workbook.add_worksheet(), report)?;
    citations::write(workbook.add_worksheet(), report)?;
    ledger::write(workbook.add_worksheet(), report)?;
    out.write_all(&workbook.save_to_buffer()?)?;
    Ok(())
}

/// The day and second of an RFC 3339 time, its offset left aside.
fn created(time: &str) -> Result<ExcelDateTime, ExportError> {
    let seconds = time.get(..19).map(|time| time.replace(' ', "T"));
    let read = seconds.and_then(|time| ExcelDateTime::parse_from_str(&time).ok());
    let (year, month, day) = NO_DATE;
    read.map_or_else(|| Ok(ExcelDateTime::from_ymd(year, month, day)?), Ok)
}

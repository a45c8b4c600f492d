//! The sheet `Results`: one line for each document and criterion.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::sheet::{Column, Sheet};
use crate::csv::section_names;
use crate::report::{Report, Row, SectionValue, State};
use crate::text;

/// The columns before those of the sections, with their widths.
const COLUMNS: [Column; 18] = [
    ("Document", 24.0),
    ("Criterion", 12.0),
    ("Requirement", 48.0),
    ("State", 16.0),
    ("Status", 22.0),
    ("Effective score", 10.0),
    ("Judge's state", 16.0),
    ("Judge's score", 12.0),
    ("Judge's confidence", 11.0),
    ("Override score", 10.0),
    ("Override state", 16.0),
    ("Override by", 18.0),
    ("Override at", 22.0),
    ("Override reason", 36.0),
    ("Earlier overrides", 36.0),
    ("Tier", 6.0),
    ("Citations found", 10.0),
    ("Citations not found", 10.0),
];
/// Width of a section's column.
const SECTION_WIDTH: f64 = 48.0;

/// Fills the sheet.
pub(super) fn write(of: &mut Worksheet, report: &Report) -> Result<(), XlsxError> {
    let written = section_names(report, |row| &row.sections);
    let rewritten = section_names(report, |row| {
        row.current_override.as_ref().map_or(&[], |made| &made.sections)
    });
    let overridden: Vec<_> = rewritten.iter().map(|name| format!("{name} (override)")).collect();
    let columns: Vec<Column> = COLUMNS
        .into_iter()
        .chain(written.iter().map(|name| (*name, SECTION_WIDTH)))
        .chain(overridden.iter().map(|name| (name.as_str(), SECTION_WIDTH)))
        .collect();
    let mut sheet = Sheet::table(of, "Results", &columns)?;
    sheet.of.set_freeze_panes(1, 2)?;
    for row in &report.rows {
        if !sheet.has_room() {
            continue;
        }
        leading(&mut sheet, row)?;
        let made = row.current_override.as_ref().map_or(&[][..], |made| &made.sections);
        let first = (COLUMNS.len()..).filter_map(|column| u16::try_from(column).ok());
        let sections = written.iter().map(|name| text::section(&row.sections, name));
        let overridden = rewritten.iter().map(|name| text::section(made, name));
        for (column, section) in first.zip(sections.chain(overridden)) {
            match section {
                Some(SectionValue::Number(value)) => sheet.number(column, Some(*value))?,
                Some(value) => sheet.text(column, &text::value(value))?,
                None => {}
            }
        }
        sheet.row += 1;
    }
    sheet.finish(columns.len())
}

/// The cells before those of the sections, in the order of [`COLUMNS`].
fn leading(sheet: &mut Sheet, row: &Row) -> Result<(), XlsxError> {
    let made = row.current_override.as_ref();
    let found = row.citations.iter().filter(|citation| citation.found).count();
    let before: Vec<_> = row.override_history.iter().map(text::override_line).collect();
    sheet.text(0, &row.document)?;
    sheet.text(1, &row.criteria_id)?;
    sheet.text(2, &row.requirement)?;
    sheet.text(3, row.effective_state().words())?;
    if let Some(status) = &row.status {
        sheet.status(4, status)?;
    }
    sheet.number(5, row.effective_score)?;
    let state = row.state.words();
    match row.state.reason() {
        "" => sheet.text(6, state)?,
        reason => sheet.text(6, &format!("{state}: {reason}"))?,
    }
    sheet.number(7, row.ai_score)?;
    sheet.number(8, row.ai_confidence)?;
    sheet.number(9, made.and_then(|made| made.score))?;
    sheet.text(10, made.and_then(|made| made.state.as_ref()).map_or("", State::words))?;
    sheet.text(11, made.map_or("", |made| &made.who))?;
    sheet.text(12, made.map_or("", |made| &made.when))?;
    sheet.text(13, made.map_or("", |made| &made.why))?;
    sheet.text(14, &before.join("\n"))?;
    sheet.number(15, row.status.as_ref().map(|status| status.tier))?;
    sheet.count(16, found)?;
    sheet.count(17, row.citations.iter().filter(|citation| citation.is_missing()).count())
}

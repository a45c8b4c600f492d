//! The sheet `Matrix`: criteria down, documents across, the effective score in each cell.

use std::collections::BTreeMap;

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::sheet::{Column, Sheet};
use crate::report::{Report, Row};

/// Columns before those of the documents.
const COLUMNS: [Column; 3] = [("Criterion", 14.0), ("Category", 20.0), ("Set", 9.0)];
/// Width of a document's column.
const DOCUMENT_WIDTH: f64 = 16.0;
/// Documents that fit into a sheet; the other sheets have them all.
const DOCUMENTS_MAX: usize = 16_000;

/// Fills the sheet.
pub(super) fn write(of: &mut Worksheet, report: &Report) -> Result<(), XlsxError> {
    let documents: Vec<&str> =
        report.documents.iter().take(DOCUMENTS_MAX).map(|one| one.name.as_str()).collect();
    let columns: Vec<Column> =
        COLUMNS.into_iter().chain(documents.iter().map(|name| (*name, DOCUMENT_WIDTH))).collect();
    let mut sheet = Sheet::table(of, "Matrix", &columns)?;
    sheet.of.set_freeze_panes(1, 3)?;
    let rows: BTreeMap<(&str, &str), &Row> = report
        .rows
        .iter()
        .map(|row| ((row.criteria_id.as_str(), row.document.as_str()), row))
        .collect();
    for verdict in &report.set.verdicts {
        if !sheet.has_room() {
            continue;
        }
        sheet.label(0, &verdict.criteria_id)?;
        sheet.text(1, &verdict.category)?;
        if let Some(score) = verdict.score {
            sheet.score(2, score, verdict.status.as_ref())?;
        } else {
            sheet.text(2, verdict.state.words())?;
        }
        let first = (COLUMNS.len()..).filter_map(|column| u16::try_from(column).ok());
        for (column, document) in first.zip(&documents) {
            let Some(row) = rows.get(&(verdict.criteria_id.as_str(), *document)) else { continue };
            match row.effective_score {
                Some(score) => sheet.score(column, score, row.status.as_ref())?,
                None => sheet.text(column, row.effective_state().words())?,
            }
        }
        sheet.row += 1;
    }
    sheet.finish(columns.len())
}

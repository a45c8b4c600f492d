//! The sheet `Ledger`: how every score was computed, line by line.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::sheet::{Column, Sheet};
use crate::report::Report;

/// The columns with their widths.
const COLUMNS: [Column; 5] =
    [("Document", 24.0), ("Criterion", 12.0), ("Depth", 7.0), ("Line", 100.0), ("Value", 12.0)];

/// Fills the sheet.
pub(super) fn write(of: &mut Worksheet, report: &Report) -> Result<(), XlsxError> {
    let mut sheet = Sheet::table(of, "Ledger", &COLUMNS)?;
    for row in &report.rows {
        for line in &row.ledger {
            if !sheet.has_room() {
                continue;
            }
            sheet.text(0, &row.document)?;
            sheet.text(1, &row.criteria_id)?;
            sheet.number(2, Some(line.depth))?;
            sheet.text(3, &line.text)?;
            sheet.number(4, line.value)?;
            sheet.row += 1;
        }
    }
    sheet.finish(COLUMNS.len())
}

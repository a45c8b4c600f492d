//! The sheet `Citations`: every quote, and where it stands.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::sheet::{Column, Sheet};
use crate::report::Report;

/// The columns with their widths.
const COLUMNS: [Column; 8] = [
    ("Document", 24.0),
    ("Criterion", 12.0),
    ("Quote", 80.0),
    ("Found", 8.0),
    ("Page", 7.0),
    ("Matched", 14.0),
    ("Start", 9.0),
    ("End", 9.0),
];

/// Fills the sheet.
pub(super) fn write(of: &mut Worksheet, report: &Report) -> Result<(), XlsxError> {
    let mut sheet = Sheet::table(of, "Citations", &COLUMNS)?;
    for row in &report.rows {
        for citation in &row.citations {
            if !sheet.has_room() {
                continue;
            }
            sheet.text(0, &row.document)?;
            sheet.text(1, &row.criteria_id)?;
            sheet.text(2, &citation.quote)?;
            sheet.text(3, if citation.found { "yes" } else { "no" })?;
            sheet.number(4, citation.page)?;
            sheet.text(5, &citation.matched)?;
            sheet.number(6, citation.start.map(|start| start as f64))?;
            sheet.number(7, citation.end.map(|end| end as f64))?;
            sheet.row += 1;
        }
    }
    sheet.finish(COLUMNS.len())
}

//! The sheet `Set`: one verdict for each criterion, over all documents, and by category.

use rust_xlsxwriter::{Worksheet, XlsxError};

use super::sheet::{Column, Sheet};
use crate::report::Report;

const COLUMNS: [Column; 10] = [
    ("Criterion", 14.0),
    ("Requirement", 60.0),
    ("Category", 22.0),
    ("Weight", 9.0),
    ("State", 18.0),
    ("Score", 9.0),
    ("Status", 24.0),
    ("Best document", 30.0),
    ("Met", 9.0),
    ("Contradicted by", 30.0),
];

/// Fills the sheet.
pub(super) fn write(of: &mut Worksheet, report: &Report) -> Result<(), XlsxError> {
    let mut sheet = Sheet::table(of, "Set", &COLUMNS)?;
    for verdict in &report.set.verdicts {
        if !sheet.has_room() {
            continue;
        }
        sheet.text(0, &verdict.criteria_id)?;
        sheet.text(1, &verdict.requirement)?;
        sheet.text(2, &verdict.category)?;
        sheet.number(3, Some(verdict.weight))?;
        sheet.text(4, verdict.state.words())?;
        sheet.number(5, verdict.score)?;
        if let Some(status) = &verdict.status {
            sheet.status(6, status)?;
        }
        sheet.text(7, &verdict.document)?;
        sheet.text(8, if verdict.is_met { "yes" } else { "no" })?;
        sheet.text(9, &verdict.contradicted_by.join(", "))?;
        sheet.row += 1;
    }
    sheet.finish(COLUMNS.len())
}

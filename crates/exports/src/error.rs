//! Why a file could not be written.

use thiserror::Error;

/// Why a file could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The target took no more bytes.
    #[error("the export could not be written")]
    Io(#[from] std::io::Error),
    /// A line of CSV could not be written.
    #[error("the CSV export could not be written")]
    Csv(#[from] ::csv::Error),
    /// The report could not be put into JSON.
    #[error("the report could not be converted to JSON")]
    Json(#[from] serde_json::Error),
    /// The letters of the PDF could not be cut out of the font.
    #[error("the font of the PDF could not be subset")]
    Font(#[from] subsetter::Error),
    /// OSCAL asks for a time with a zone, and this is none.
    #[error("`{field}` is not an RFC 3339 time with a time zone: `{time}`")]
    Time {
        /// Which time.
        field: &'static str,
        /// What was given.
        time: String,
    },
    /// The workbook could not be made.
    #[error("the workbook could not be created")]
    Xlsx(#[from] rust_xlsxwriter::XlsxError),
    /// Everything is satisfied.
    #[error("nothing for a plan of action: no criterion is below that tier")]
    NothingOpen,
}

//! Tables: a header and rows that remember their numbers, from CSV, TSV and XLSX.

mod csv;
mod mapping;
mod numbers;
mod workbook;
mod write;
mod xlsx;

use std::collections::BTreeSet;

use thiserror::Error;

pub use self::csv::separator;
pub(crate) use self::mapping::Finder;
pub use self::mapping::Mapping;

use crate::encoding::decode;
use crate::error::DocumentError;
use crate::limits::Limits;
use crate::media::{Magic, extension, magic};

/// A table as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// The names of the columns, as written.
    pub headers: Vec<String>,
    /// The rows that have anything in them.
    pub rows: Vec<Row>,
    /// The rows that could not be read, and are not among the others.
    pub bad_rows: Vec<BadRow>,
    /// What there is to know about how the table was read.
    pub notices: Vec<String>,
    /// The sheet of a workbook that it was read from.
    pub sheet: Option<String>,
    /// What is merged in it.
    pub merged: MergedCells,
}

/// The cells of a sheet that are merged with others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MergedCells {
    /// Numbers of rows with columns from 0: below the first of their range, whose value they have.
    repeated: BTreeSet<(usize, usize)>,
    /// Numbers of rows whose only cell spans several columns.
    titles: BTreeSet<usize>,
}

impl MergedCells {
    /// Whether a cell, by the number of its row, has the value of one above it.
    pub(crate) fn repeats(&self, row: usize, column: usize) -> bool {
        self.repeated.contains(&(row, column))
    }

    /// Whether a row is one cell over several columns.
    pub(crate) fn is_title(&self, row: usize) -> bool {
        self.titles.contains(&row)
    }
}

/// A row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number that an editor shows beside it, from 1: a line of a text file, a row
    /// of a sheet.
    pub number: usize,
    /// As many cells as the header has, without white space around them.
    pub cells: Vec<String>,
}

/// A row that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// The number that an editor shows beside it, from 1.
    pub row: usize,
    /// What is wrong with it.
    pub reason: String,
}

/// Why there is no table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// No rows at all.
    #[error("the table is empty")]
    Empty,
    /// The file itself cannot be read.
    #[error(transparent)]
    File(#[from] DocumentError),
    /// No sheet has the name that was asked for.
    #[error("no sheet `{wanted}`; there {}", sheets_there(.known))]
    NoSuchSheet {
        /// The name that was asked for.
        wanted: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// More rows, columns, cells or text than are read.
    #[error("the table has more than {max} {what}")]
    TooLarge {
        /// Of what there are too many.
        what: &'static str,
        /// How many are allowed.
        max: usize,
    },
}

fn sheets_there(known: &[String]) -> String {
    match known {
        [] => "are none".to_owned(),
        [one] => format!("is `{one}`"),
        many => format!("are `{}`", many.join("`, `")),
    }
}

/// How many rows a table may have.
pub(crate) const ROWS_MAX: usize = 100_000;
/// How many columns a table may have.
pub(crate) const COLUMNS_MAX: usize = 500;
/// How many cells a table may have.
pub(crate) const CELLS_MAX: usize = 5_000_000;
/// How much text all cells together may have, in bytes.
pub(crate) const TEXT_BYTES_MAX: usize = 64 << 20;

/// How many rows from the top may hold the header: a cover above a table is short.
const HEADER_ROWS_MAX: usize = 50;
/// A row with so many of the names that are looked for is a header.
const HEADER_NAMES_MIN: usize = 2;

/// How a table is to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The sheet of a workbook; without it, the first that is shown and has the columns.
    pub sheet: Option<String>,
    /// Which column holds what, where their names do not say it.
    pub mapping: Mapping,
    /// Whether rows that cannot be used are left out; otherwise whoever imports a list refuses it.
    pub skip_unusable: bool,
}

/// Reads a table: the first sheet that is shown, or a file of separated values.
pub fn read(bytes: &[u8], name: &str) -> Result<Table, TableError> {
    read_for(bytes, name, &Reading::default(), &[])
}

/// Reads a table in which columns of these names are looked for, which helps to find its sheet
/// and its header: both may have a cover before them.
pub fn read_for(
    bytes: &[u8],
    name: &str,
    reading: &Reading,
    known: &[&str],
) -> Result<Table, TableError> {
    let mut wanted: Vec<String> = known.iter().map(|name| (*name).to_owned()).collect();
    wanted.extend(reading.mapping.columns().map(plain_name));
    read_wanted(bytes, name, (reading.sheet.as_deref(), &wanted), &Limits::default())
}

/// The names of the sheets of a workbook that are shown; none of a file of separated values, or
/// of what is no workbook.
pub fn sheets(bytes: &[u8]) -> Vec<String> {
    match magic(bytes) {
        Ok(Magic::Zip) => xlsx::sheets(bytes, &Limits::default()).unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// Reads a table from the sheet of this name, under limits of the caller's.
pub fn read_sheet(
    bytes: &[u8],
    name: &str,
    sheet: Option<&str>,
    limits: &Limits,
) -> Result<Table, TableError> {
    read_wanted(bytes, name, (sheet, &[]), limits)
}

fn read_wanted(
    bytes: &[u8],
    name: &str,
    (sheet, wanted): (Option<&str>, &[String]),
    limits: &Limits,
) -> Result<Table, TableError> {
    if bytes.len() > limits.bytes_max {
        let reason = format!("{} bytes; at most {} are allowed", bytes.len(), limits.bytes_max);
        return Err(DocumentError::TooLarge(reason).into());
    }
    match magic(bytes)? {
        Magic::Zip => xlsx::read(bytes, sheet, wanted, limits),
        Magic::Compound => Err(compound(bytes).into()),
        Magic::Pdf => Err(DocumentError::Unsupported("a PDF", "CSV or XLSX to import it").into()),
        Magic::Html => Err(DocumentError::Unsupported("a web page", "CSV or XLSX").into()),
        Magic::Other => {
            let decoded = decode(bytes)?;
            let mut table =
                csv::read(&decoded.text, extension(name).as_deref() == Some("tsv"), wanted)?;
            table.notices.splice(0..0, decoded.notices.iter().map(ToString::to_string));
            if let Some(sheet) = sheet {
                let notice = format!("a text table has no sheets: `{sheet}` ignored");
                table.notices.push(notice);
            }
            Ok(table)
        }
    }
}

fn compound(bytes: &[u8]) -> DocumentError {
    match crate::read::compound(bytes) {
        DocumentError::Encrypted(_) => DocumentError::Encrypted("XLSX"),
        _ => DocumentError::Unsupported("a workbook of Excel 97 to 2003", "XLSX"),
    }
}

impl Table {
    /// Makes a table of numbered rows. Its header is the row near the top with most of the names
    /// that are looked for, or else the first with several cells.
    fn of_rows(rows: Vec<Row>, wanted: &[String]) -> Result<Self, TableError> {
        let filled = |row: &Row| row.cells.iter().filter(|cell| !cell.is_empty()).count();
        let mut rows: Vec<Row> = rows.into_iter().filter(|row| filled(row) > 0).collect();
        // A title above the table is one cell; a table of one column has no others.
        let first = rows.iter().position(|row| filled(row) > 1).unwrap_or(0);
        let header = header_by_names(&rows, wanted).unwrap_or(first);
        if rows.is_empty() {
            return Err(TableError::Empty);
        }
        let body = rows.split_off(header + 1);
        let mut headers = rows.pop().map(|row| row.cells).unwrap_or_default();
        headers.truncate(headers.iter().rposition(|name| !name.is_empty()).map_or(0, |at| at + 1));
        let mut table = Self { headers, ..Self::default() };
        if let Some(skipped) = rows.last() {
            table
                .notices
                .push(format!("skipped the rows above the header, up to row {}", skipped.number));
        }
        for row in body {
            table.add(row);
        }
        Ok(table)
    }

    fn add(&mut self, mut row: Row) {
        let columns = self.headers.len();
        if row.cells.iter().skip(columns).any(|cell| !cell.is_empty()) {
            let reason = format!("has {} cells, but the header has {columns}", row.cells.len());
            return self.bad_rows.push(BadRow { row: row.number, reason });
        }
        row.cells.resize(columns, String::new());
        self.rows.push(row);
    }

    /// The column with the first of these names that there is, ignoring case and signs.
    pub fn column(&self, names: &[&str]) -> Option<usize> {
        let plain: Vec<String> = self.headers.iter().map(|header| plain_name(header)).collect();
        names.iter().find_map(|name| plain.iter().position(|header| header == name))
    }
}

/// The row near the top with most of the names that are looked for, if it has several.
fn header_by_names(rows: &[Row], wanted: &[String]) -> Option<usize> {
    let is_wanted = |cell: &&String| wanted.contains(&plain_name(cell));
    let near_top = rows.iter().take(HEADER_ROWS_MAX).enumerate();
    let counted = near_top.map(|(place, row)| (row.cells.iter().filter(is_wanted).count(), place));
    let most = counted.max_by_key(|(count, place)| (*count, std::cmp::Reverse(*place)));
    most.filter(|(count, _)| *count >= HEADER_NAMES_MIN).map(|(_, place)| place)
}

/// A name without case, spaces and signs: `Criteria_ID` and `criteria id` are one.
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_no_table_are_named() {
        let error = |bytes: &[u8]| read(bytes, "a.csv").unwrap_err().to_string();
        assert_eq!(error(b""), "the table is empty");
        assert_eq!(error(b"\n , \n"), "the table is empty");
        assert!(error(b"%PDF-1.4").contains("save it as CSV or XLSX"));
        assert!(error(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1").contains("Excel 97 to 2003"));
        assert!(error(b"a,b\n\0,1").contains("binary"));
    }

    #[test]
    fn columns_are_found_by_any_of_their_names() {
        let table = read("Contröl-ID;Text\n1;2\n".as_bytes(), "a.csv").unwrap();
        assert_eq!(table.column(&["id", "contrölid"]), Some(0));
        assert_eq!(table.column(&["text", "contrölid"]), Some(1));
        assert_eq!(table.column(&["order"]), None);
    }
}

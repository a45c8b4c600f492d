//! Pairs in files: JSON lines, a JSON array, CSV or Parquet, read one by one.
//!
//! A file is never in memory as a whole. What is wrong with one record is a value that
//! travels with it ([`RecordError`]); only a file that cannot be read at all ends a run.

mod error;
mod fields;
mod json;
mod lines;
mod open;
#[cfg(feature = "parquet")]
mod parquet;
mod required;
mod table;
mod workbook;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use serde_json::Value;

pub use error::{PairsError, RecordError};
pub use fields::{Fields, Path as FieldPath};
pub use open::Counter;

use self::open::Opened;
use crate::input::{InputError, refuse_binary};

/// How a file holds its records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One JSON object a line.
    JsonLines,
    /// A JSON array of objects, or objects one after the other.
    Json,
    /// Values separated by commas under a header.
    Csv,
    /// Values separated by tabs under a header.
    Tsv,
    /// Parquet.
    Parquet,
    /// A sheet of a workbook.
    Workbook,
}

/// How a file is to be read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// How it holds its records; found out unless it is given.
    pub layout: Option<Layout>,
    /// The sheet of a workbook; without it, the first that is shown and has the columns.
    pub sheet: Option<String>,
    /// Columns that are looked for, which helps to find the header of a table.
    pub wanted: Vec<String>,
}

/// One record as it stands in its file, not yet understood.
#[derive(Debug)]
pub struct Record {
    /// Where it begins: a line, or a row where a file has no lines; from 1.
    pub place: Place,
    /// What is there.
    body: Body,
}

/// Where a record stands in its file, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line.
    Line(usize),
    /// A row of a file without lines.
    Row(usize),
}

#[derive(Debug)]
enum Body {
    /// JSON text that nobody has parsed yet: that is done in parallel.
    Text(String),
    Parsed(Value),
    Broken(String),
}

impl Record {
    /// How many bytes of text it holds, roughly.
    pub fn weight(&self) -> usize {
        match &self.body {
            Body::Text(text) | Body::Broken(text) => text.len(),
            Body::Parsed(value) => weight(value),
        }
    }

    /// The record as a JSON value.
    pub fn value(self) -> Result<Value, RecordError> {
        let place = self.place;
        match self.body {
            Body::Parsed(value) => Ok(value),
            Body::Broken(problem) => Err(RecordError::Unreadable { place, problem }),
            Body::Text(text) => serde_json::from_str(&text).map_err(|error| {
                let problem = json::problem(&error);
                RecordError::Unreadable { place, problem }
            }),
        }
    }
}

fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => fields.values().map(weight).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}

/// The records of a file, one after the other.
pub struct Records {
    inner: RecordIterator,
    /// Records that were looked at already.
    seen: VecDeque<Result<Record, PairsError>>,
    file: PathBuf,
    counter: Counter,
    decimal_comma: bool,
}

impl Records {
    /// Opens a file, or standard input for `-`; `layout` is found out unless it is given.
    pub fn open(path: &Path, layout: Option<Layout>) -> Result<Self, PairsError> {
        Self::open_by(path, &Reading { layout, ..Reading::default() })
    }

    /// The same where more is known about the file.
    pub fn open_by(path: &Path, reading: &Reading) -> Result<Self, PairsError> {
        let mut opened = Opened::of(path)?;
        let counter = opened.counter.clone();
        if reading.layout.is_none()
            && let Some(records) = opened.of_other_tool()?
        {
            let rows = records.into_iter().enumerate().map(|(row, value)| {
                Ok(Record { place: Place::Row(row + 1), body: Body::Parsed(value) })
            });
            let (inner, file) = (Box::new(rows), path.to_owned());
            return Ok(Self { inner, seen: VecDeque::new(), file, counter, decimal_comma: false });
        }
        let layout = reading.layout.unwrap_or_else(|| guess(path, &opened.start));
        let is_text = !matches!(layout, Layout::Parquet | Layout::Workbook);
        if is_text && refuse_binary(path, &opened.start).is_err() {
            // One word about the file, not one about each of its lines.
            let problem = "the file is binary and its format is not supported".to_owned();
            return Err(PairsError::Table { file: path.to_owned(), problem });
        }
        let mut decimal_comma = false;
        let inner: RecordIterator = match layout {
            Layout::JsonLines => Box::new(lines::Lines::new(opened)),
            Layout::Json => Box::new(json::Elements::new(opened)),
            Layout::Csv => {
                let separator = table::separator(&opened.start);
                decimal_comma = separator == b';';
                Box::new(table::Rows::new(opened, separator, &reading.wanted)?)
            }
            Layout::Tsv => Box::new(table::Rows::new(opened, b'\t', &reading.wanted)?),
            Layout::Parquet => parquet_rows(path)?,
            Layout::Workbook => Box::new(workbook::rows(opened, reading)?),
        };
        Ok(Self { inner, seen: VecDeque::new(), file: path.to_owned(), counter, decimal_comma })
    }

    /// Whether numbers may have a decimal comma: tables that separate cells by semicolons.
    pub(crate) fn decimal_comma(&self) -> bool {
        self.decimal_comma
    }

    /// How much of the file has been read.
    pub fn counter(&self) -> &Counter {
        &self.counter
    }
}

impl Iterator for Records {
    type Item = Result<Record, PairsError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.seen.pop_front().or_else(|| self.inner.next())
    }
}

type RecordIterator = Box<dyn Iterator<Item = Result<Record, PairsError>> + Send>;

#[cfg(feature = "parquet")]
fn parquet_rows(path: &Path) -> Result<RecordIterator, PairsError> {
    Ok(Box::new(parquet::Rows::open(path)?))
}

#[cfg(not(feature = "parquet"))]
fn parquet_rows(path: &Path) -> Result<RecordIterator, PairsError> {
    let problem = "this build cannot read Parquet; build with the feature `parquet`".to_owned();
    Err(PairsError::Table { file: path.to_owned(), problem })
}

/// The text of one file of a pair.
pub fn text(path: &Path) -> Result<String, InputError> {
    match crate::input::Source::open(path) {
        // An empty text is a summary or an article like any other: it is refused by name.
        Err(InputError::Empty { .. }) => Ok(String::new()),
        Err(error) => Err(error),
        Ok(source) => source.text().map(str::to_owned),
    }
}

/// The layout by the file's first bytes, then by its name.
fn guess(path: &Path, start: &[u8]) -> Layout {
    if start.starts_with(b"PAR1") {
        return Layout::Parquet;
    }
    if start.starts_with(b"PK\x03\x04") {
        return Layout::Workbook;
    }
    let name = path.to_string_lossy().to_lowercase();
    let name = [".gz", ".zst"].iter().fold(name.as_str(), |name, end| name.trim_end_matches(end));
    let (_, extension) = name.rsplit_once('.').unwrap_or_default();
    let first = start.iter().find(|byte| !byte.is_ascii_whitespace());
    match (first, extension) {
        (_, "csv") => Layout::Csv,
        (_, "tsv") => Layout::Tsv,
        (Some(b'['), _) | (_, "json") => Layout::Json,
        (Some(b'{'), _) | (_, "jsonl" | "ndjson") => Layout::JsonLines,
        _ => Layout::Csv,
    }
}

#[cfg(test)]
mod tests;

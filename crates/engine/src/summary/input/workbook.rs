//! A sheet of a workbook: one record a row, fields named by the header.

use std::io::Read;

use assize_documents::table::{self, Reading as TableReading};
use serde_json::{Map, Value};

use super::open::Opened;
use super::{Body, PairsError, Place, Reading, Record};
use crate::input::InputError;

/// A workbook is a ZIP archive, which is read from its end: it has to be in memory.
const BYTES_MAX: u64 = 256 << 20;

/// The rows of a sheet.
pub(super) fn rows(
    opened: Opened,
    reading: &Reading,
) -> Result<impl Iterator<Item = Result<Record, PairsError>> + Send + use<>, PairsError> {
    let Opened { file, content, .. } = opened;
    let mut bytes = Vec::new();
    content
        .take(BYTES_MAX)
        .read_to_end(&mut bytes)
        .map_err(|source| InputError::Unreadable { file: file.clone(), source })?;
    let by = TableReading { sheet: reading.sheet.clone(), ..TableReading::default() };
    let known: Vec<String> = reading.wanted.iter().map(|name| table::plain_name(name)).collect();
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let read = table::read_for(&bytes, &file.to_string_lossy(), &by, &known)
        .map_err(|error| PairsError::Table { file: file.clone(), problem: error.to_string() })?;
    let headers = super::table::renamed(read.headers, &reading.wanted);
    let bad = read.bad_rows.into_iter().map(|bad| (bad.row, Body::Broken(bad.reason)));
    let good = read.rows.into_iter().map(move |row| {
        let fields = headers.iter().cloned().zip(row.cells.into_iter().map(Value::String));
        (row.number, Body::Parsed(Value::Object(fields.collect::<Map<_, _>>())))
    });
    let mut all: Vec<(usize, Body)> = good.chain(bad).collect();
    all.sort_by_key(|(row, _)| *row);
    let record = |(row, body)| Ok(Record { place: Place::Row(row), body });
    Ok(all.into_iter().map(record))
}

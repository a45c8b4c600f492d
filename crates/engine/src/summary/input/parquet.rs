//! Parquet: one record a row, nested groups as nested fields.

use std::fs::File;
use std::path::{Path, PathBuf};

use parquet::file::reader::SerializedFileReader;
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use serde_json::{Map, Value};

use super::{Body, PairsError, Place, Record};
use crate::input::{InputError, STANDARD_INPUT};

/// The rows of a file.
pub(super) struct Rows {
    inner: RowIter<'static>,
    file: PathBuf,
    row: usize,
    done: bool,
}

impl Rows {
    /// Opens a file; its directory of columns is at its end, so it cannot be a pipe.
    pub(super) fn open(path: &Path) -> Result<Self, PairsError> {
        let refused = |problem: String| PairsError::Table { file: path.to_owned(), problem };
        if path.as_os_str() == STANDARD_INPUT {
            let problem = "cannot read Parquet from standard input; save it to a file first";
            return Err(refused(problem.to_owned()));
        }
        let file = File::open(path)
            .map_err(|source| InputError::Unreadable { file: path.to_owned(), source })?;
        let reader = SerializedFileReader::new(file)
            .map_err(|error| refused(format!("not a readable Parquet file: {error}")))?;
        Ok(Self { inner: reader.into_iter(), file: path.to_owned(), row: 0, done: false })
    }
}

impl Iterator for Rows {
    type Item = Result<Record, PairsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        self.row += 1;
        match self.inner.next()? {
            Ok(row) => {
                let body = Body::Parsed(Value::Object(object(&row)));
                Some(Ok(Record { place: Place::Row(self.row), body }))
            }
            Err(error) => {
                self.done = true;
                let problem = format!("row {}: {error}", self.row);
                Some(Err(PairsError::Table { file: self.file.clone(), problem }))
            }
        }
    }
}

fn object(row: &Row) -> Map<String, Value> {
    row.get_column_iter().map(|(name, field)| (name.clone(), value(field))).collect()
}

/// A field as JSON; kinds that no pair needs come as the text they print as.
fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(yes) => (*yes).into(),
        Field::Byte(number) => (*number).into(),
        Field::Short(number) => (*number).into(),
        Field::Int(number) => (*number).into(),
        Field::Long(number) => (*number).into(),
        Field::UByte(number) => (*number).into(),
        Field::UShort(number) => (*number).into(),
        Field::UInt(number) => (*number).into(),
        Field::ULong(number) => (*number).into(),
        Field::Float(number) => f64::from(*number).into(),
        Field::Double(number) => (*number).into(),
        Field::Str(text) => text.as_str().into(),
        Field::Bytes(bytes) => match bytes.as_utf8() {
            Ok(text) => text.into(),
            Err(_) => Value::Null,
        },
        Field::Group(row) => Value::Object(object(row)),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => other.to_string().into(),
    }
}

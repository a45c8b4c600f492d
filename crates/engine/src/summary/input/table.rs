//! CSV and TSV: one record a row, fields named by the header.

use std::io::BufRead;

use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use serde_json::{Map, Value};

use super::open::Opened;
use super::{Body, PairsError, Place, Record};

/// The rows of a table.
pub(super) struct Rows {
    reader: Reader<Box<dyn BufRead + Send>>,
    header: Vec<String>,
    file: std::path::PathBuf,
    done: bool,
}

impl Rows {
    pub(super) fn new(opened: Opened, delimiter: u8) -> Result<Self, PairsError> {
        let Opened { file, content, .. } = opened;
        let mut reader =
            ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(content);
        let problem = |problem: String| PairsError::Table { file: file.clone(), problem };
        let header =
            reader.headers().map_err(|error| problem(format!("the header is no text: {error}")))?;
        let header: Vec<String> = header.iter().map(|name| name.trim().to_owned()).collect();
        Ok(Self { reader, header, file, done: false })
    }

    fn body(&self, row: &StringRecord) -> Body {
        if row.len() != self.header.len() {
            let (found, named) = (row.len(), self.header.len());
            return Body::Broken(format!("{found} fields where the header names {named}"));
        }
        let fields = self.header.iter().zip(row);
        let object: Map<String, Value> =
            fields.map(|(name, text)| (name.clone(), Value::from(text))).collect();
        Body::Parsed(Value::Object(object))
    }
}

impl Iterator for Rows {
    type Item = Result<Record, PairsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let mut row = StringRecord::new();
        let line = usize::try_from(self.reader.position().line()).unwrap_or(usize::MAX);
        let place = Place::Line(line);
        match self.reader.read_record(&mut row) {
            Ok(false) => None,
            Ok(true) => {
                let line = row.position().map_or(line as u64, csv::Position::line);
                let place = Place::Line(usize::try_from(line).unwrap_or(usize::MAX));
                Some(Ok(Record { place, body: self.body(&row) }))
            }
            Err(error) => match error.into_kind() {
                ErrorKind::Io(source) => {
                    self.done = true;
                    Some(Err(PairsError::Interrupted { file: self.file.clone(), source }))
                }
                ErrorKind::Utf8 { .. } => {
                    let body = Body::Broken("not valid UTF-8 text".to_owned());
                    Some(Ok(Record { place, body }))
                }
                other => {
                    let body = Body::Broken(format!("not a row of this table: {other:?}"));
                    Some(Ok(Record { place, body }))
                }
            },
        }
    }
}

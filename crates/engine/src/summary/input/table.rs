//! CSV and TSV: one record a row, fields named by the header.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::path::PathBuf;

use assize_documents::table::plain_name;
use csv::{ErrorKind, Reader, ReaderBuilder, StringRecord};
use serde_json::{Map, Value};

use super::open::Opened;
use super::{Body, PairsError, Place, Record};

/// How many rows from the top may hold the header: a cover above a table is short.
const HEADER_ROWS_MAX: usize = 50;

/// What separates the values of a table that begins so.
pub(super) fn separator(start: &[u8]) -> u8 {
    assize_documents::table::separator(&String::from_utf8_lossy(start))
}

/// Columns under the names that are looked for, where case and signs alone differ.
pub(super) fn renamed(mut header: Vec<String>, wanted: &[String]) -> Vec<String> {
    for name in wanted.iter().filter(|name| !name.is_empty()) {
        if header.contains(name) {
            continue;
        }
        let like = |column: &&mut String| plain_name(column) == plain_name(name);
        if let Some(column) = header.iter_mut().find(like) {
            column.clone_from(name);
        }
    }
    header
}

/// The rows of a table.
pub(super) struct Rows {
    reader: Reader<LineEnds>,
    header: Vec<String>,
    /// Rows below the header that were read to find it.
    waiting: VecDeque<Result<Record, PairsError>>,
    file: PathBuf,
    done: bool,
}

/// What the reader found next.
enum Next {
    Row(Place, StringRecord),
    Broken(Place, String),
    Failed(io::Error),
    End,
}

impl Rows {
    pub(super) fn new(
        opened: Opened,
        delimiter: u8,
        wanted: &[String],
    ) -> Result<Self, PairsError> {
        let Opened { file, content, .. } = opened;
        let reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(LineEnds { inner: content, last: None, pending: None, ended: false });
        let mut rows =
            Self { reader, header: Vec::new(), waiting: VecDeque::new(), file, done: false };
        let top = rows.top();
        let Some(place) = header_place(&top, wanted) else {
            let problem = "the header is not text".to_owned();
            return Err(PairsError::Table { file: rows.file, problem });
        };
        for next in top.into_iter().skip(place) {
            if rows.header.is_empty()
                && let Next::Row(_, row) = &next
            {
                let names = row.iter().map(|name| name.trim().to_owned()).collect();
                rows.header = renamed(names, wanted);
                continue;
            }
            let record = rows.record(next);
            rows.waiting.extend(record);
        }
        Ok(rows)
    }

    /// The first rows, among which the header is.
    fn top(&mut self) -> Vec<Next> {
        let mut top = Vec::new();
        while top.len() < HEADER_ROWS_MAX {
            match self.read() {
                Next::End => break,
                next @ Next::Failed(_) => {
                    top.push(next);
                    break;
                }
                next => top.push(next),
            }
        }
        top
    }

    /// The next row with the line that it begins in.
    fn read(&mut self) -> Next {
        let mut row = StringRecord::new();
        let result = self.reader.read_record(&mut row);
        // Every row ends with a line end, of which the reader has counted all so far; those
        // within a row stand in its cells.
        let within = row.iter().map(|cell| cell.matches('\n').count()).sum::<usize>();
        let after = usize::try_from(self.reader.position().line()).unwrap_or(usize::MAX);
        let place = Place::Line(after.saturating_sub(1 + within).max(1));
        match result.map_err(csv::Error::into_kind) {
            Ok(false) => Next::End,
            Ok(true) => Next::Row(place, row),
            Err(ErrorKind::Io(source)) => Next::Failed(source),
            Err(ErrorKind::Utf8 { .. }) => Next::Broken(place, "not valid UTF-8 text".to_owned()),
            Err(other) => Next::Broken(place, format!("not a row of this table: {other:?}")),
        }
    }

    fn record(&mut self, next: Next) -> Option<Result<Record, PairsError>> {
        match next {
            Next::End => None,
            Next::Row(place, row) => Some(Ok(Record { place, body: self.body(&row) })),
            Next::Broken(place, problem) => Some(Ok(Record { place, body: Body::Broken(problem) })),
            Next::Failed(source) => {
                self.done = true;
                Some(Err(PairsError::Interrupted { file: self.file.clone(), source }))
            }
        }
    }

    fn body(&self, row: &StringRecord) -> Body {
        if row.len() != self.header.len() {
            let (found, named) = (row.len(), self.header.len());
            return Body::Broken(format!("{found} fields, but the header has {named}"));
        }
        let fields = self.header.iter().zip(row);
        let object: Map<String, Value> =
            fields.map(|(name, text)| (name.clone(), Value::from(text))).collect();
        Body::Parsed(Value::Object(object))
    }
}

/// Where the header stands: the row with most of the columns that are looked for; else the
/// first with several cells; else the first at all.
fn header_place(top: &[Next], wanted: &[String]) -> Option<usize> {
    let wanted: Vec<String> = wanted.iter().map(|name| plain_name(name)).collect();
    let rows = || {
        top.iter().enumerate().filter_map(|(place, next)| match next {
            Next::Row(_, row) => Some((place, row)),
            _ => None,
        })
    };
    let names =
        |row: &StringRecord| row.iter().filter(|cell| wanted.contains(&plain_name(cell))).count();
    let most = rows().map(|(place, row)| (names(row), std::cmp::Reverse(place))).max()?;
    if most.0 > 0 {
        return Some(most.1.0);
    }
    let filled = |row: &StringRecord| row.iter().filter(|cell| !cell.trim().is_empty()).count();
    let first = rows().find(|(_, row)| filled(row) > 1).or_else(|| rows().next());
    first.map(|(place, _)| place)
}

impl Iterator for Rows {
    type Item = Result<Record, PairsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(waiting) = self.waiting.pop_front() {
            return Some(waiting);
        }
        if self.done {
            return None;
        }
        let next = self.read();
        self.record(next)
    }
}

/// Text whose lines end with one sign alone, the last one too. The reader of tables counts
/// lines by that sign, and one that ends with two is counted late.
struct LineEnds {
    inner: Box<dyn BufRead + Send>,
    last: Option<u8>,
    /// A carriage return whose next byte is not known yet.
    pending: Option<u8>,
    ended: bool,
}

impl Read for LineEnds {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // A carriage return that waits and the byte after it need a place each.
        if buffer.len() < 2 {
            return Err(io::Error::other("a buffer of two bytes is needed"));
        }
        let mut filled = 0;
        while filled == 0 && !self.ended {
            let available = self.inner.fill_buf()?;
            if available.is_empty() {
                self.ended = true;
                filled += put(buffer, filled, self.pending.take());
                let is_open = self.pending.or(self.last).is_some_and(|byte| byte != b'\n');
                filled += put(buffer, filled, is_open.then_some(b'\n'));
                break;
            }
            let mut used = 0;
            for byte in available.iter().copied() {
                if filled + 2 > buffer.len() {
                    break;
                }
                used += 1;
                if byte != b'\n' {
                    filled += put(buffer, filled, self.pending.take());
                }
                self.pending = None;
                self.last = Some(byte);
                if byte == b'\r' {
                    self.pending = Some(byte);
                } else {
                    filled += put(buffer, filled, Some(byte));
                }
            }
            self.inner.consume(used);
        }
        Ok(filled)
    }
}

fn put(buffer: &mut [u8], place: usize, byte: Option<u8>) -> usize {
    let Some(byte) = byte else { return 0 };
    buffer[place] = byte;
    1
}

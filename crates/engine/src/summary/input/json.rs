//! A JSON array, cut into its elements without parsing the whole of it.

use std::io::{self, BufRead};

use super::open::Opened;
use super::{Body, PairsError, Place, Record};

/// The elements of an array, or values one after the other.
pub(super) struct Elements {
    opened: Opened,
    line: usize,
    done: bool,
}

impl Elements {
    pub(super) fn new(opened: Opened) -> Self {
        Self { opened, line: 1, done: false }
    }

    /// Skips white space, commas and the brackets of the outer array.
    fn skip_to_element(&mut self) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.opened.content.fill_buf()?;
            let Some(&byte) = buffer.first() else { return Ok(None) };
            match byte {
                b'\n' => self.line += 1,
                b' ' | b'\t' | b'\r' | b',' | b'[' | b']' => {}
                _ => return Ok(Some(byte)),
            }
            self.opened.content.consume(1);
        }
    }

    /// Everything up to the end of the value that starts here.
    fn element(&mut self) -> io::Result<Element> {
        let mut scan = Scan::default();
        let mut bytes = Vec::new();
        loop {
            let buffer = self.opened.content.fill_buf()?;
            if buffer.is_empty() {
                return Ok(Element { bytes, complete: scan.depth == 0 && !scan.in_string });
            }
            let end = buffer.iter().position(|&byte| scan.ends_at(byte));
            let taken = end.unwrap_or(buffer.len());
            bytes.extend_from_slice(&buffer[..taken]);
            self.opened.content.consume(taken);
            if end.is_some() {
                return Ok(Element { bytes, complete: true });
            }
        }
    }

    fn record(&mut self) -> io::Result<Option<Record>> {
        if self.skip_to_element()?.is_none() {
            return Ok(None);
        }
        let place = Place::Line(self.line);
        let Element { bytes, complete } = self.element()?;
        self.line += memchr::memchr_iter(b'\n', &bytes).count();
        let body = match String::from_utf8(bytes) {
            Err(_) => Body::Broken("not valid UTF-8 text".to_owned()),
            Ok(_) if !complete => {
                Body::Broken("the file ends in the middle of this record".to_owned())
            }
            Ok(text) => Body::Text(text),
        };
        Ok(Some(Record { place, body }))
    }
}

impl Iterator for Elements {
    type Item = Result<Record, PairsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let record = self.record();
        self.done = !matches!(record, Ok(Some(_)));
        match record {
            Ok(record) => record.map(Ok),
            Err(source) => {
                Some(Err(PairsError::Interrupted { file: self.opened.file.clone(), source }))
            }
        }
    }
}

struct Element {
    bytes: Vec<u8>,
    complete: bool,
}

/// Where in a value a scan is: enough to know where it ends.
#[derive(Debug, Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
    closed: bool,
}

impl Scan {
    /// Whether the value ended before this byte.
    fn ends_at(&mut self, byte: u8) -> bool {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => {
                    self.in_string = false;
                    self.closed = self.depth == 0;
                }
                _ => {}
            }
            return false;
        }
        if self.closed || (self.depth == 0 && matches!(byte, b',' | b']' | b'\n')) {
            return true;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                self.closed = self.depth == 0;
            }
            _ => {}
        }
        false
    }
}

/// What a parser complains about, with the column but without the line: a record's own
/// first line is not that of the file.
pub(super) fn problem(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    let plain = message.strip_suffix(&position).unwrap_or(&message);
    match error.line() {
        0 | 1 => format!("not valid JSON at column {}: {plain}", error.column()),
        line => format!("not valid JSON in line {line} of the record: {plain}"),
    }
}

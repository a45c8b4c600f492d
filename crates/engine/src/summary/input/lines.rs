//! JSON lines: one record a line, blank lines left out.

use std::io::BufRead;

use super::open::Opened;
use super::{Body, PairsError, Place, Record};

/// The lines of a file.
pub(super) struct Lines {
    opened: Opened,
    line: usize,
}

impl Lines {
    pub(super) fn new(opened: Opened) -> Self {
        Self { opened, line: 0 }
    }
}

impl Iterator for Lines {
    type Item = Result<Record, PairsError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let mut bytes = Vec::new();
            match self.opened.content.read_until(b'\n', &mut bytes) {
                Ok(0) => return None,
                Ok(_) => self.line += 1,
                Err(source) => {
                    let file = self.opened.file.clone();
                    return Some(Err(PairsError::Interrupted { file, source }));
                }
            }
            if bytes.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let body = match String::from_utf8(bytes) {
                Ok(text) => Body::Text(text),
                Err(_) => Body::Broken("not valid UTF-8 text".to_owned()),
            };
            return Some(Ok(Record { place: Place::Line(self.line), body }));
        }
    }
}

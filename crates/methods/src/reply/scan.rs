//! One pass over one JSON value, noting what can be repaired.

use std::borrow::Cow;
use std::ops::Range;

use super::Repair;

/// Nobody asks for answers nested deeper than this.
const DEPTH_MAX: usize = 64;

/// What is to be written instead of a part of the reply.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) text: Cow<'static, str>,
    pub(super) repair: Repair,
}

/// Why a value is none.
#[derive(Debug)]
pub(super) enum Failure {
    /// The reply ended first.
    BreaksOff,
    /// Something else stands where [`Scan::index`] points.
    Broken(&'static str),
}

/// A walk through one value.
#[derive(Debug)]
pub(super) struct Scan<'a> {
    bytes: &'a [u8],
    start: usize,
    /// Where the walk is, or where it ended.
    pub(super) index: usize,
    /// What to repair, in order.
    pub(super) edits: Vec<Edit>,
    open: Vec<u8>,
    pairs: usize,
    comma: usize,
    in_string: bool,
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Next {
    Value,
    FirstValue,
    ValueAfterComma,
    FirstKey,
    KeyAfterComma,
    Colon,
    CommaOrEnd,
}

impl<'a> Scan<'a> {
    /// A walk that begins at an opening bracket.
    pub(super) fn new(bytes: &'a [u8], start: usize) -> Self {
        let (open, edits) = (Vec::new(), Vec::new());
        Self { bytes, start, index: start, edits, open, pairs: 0, comma: 0, in_string: false }
    }

    /// Whether it looked like an answer before it failed, not like a brace in prose.
    pub(super) fn is_genuine(&self) -> bool {
        self.pairs > 0 || self.bytes[self.start] == b'['
    }

    /// Walks to the end of the value.
    pub(super) fn run(&mut self) -> Result<(), Failure> {
        let mut next = Next::Value;
        loop {
            let byte = self.peek_past_space()?;
            next = match (next, byte) {
                (Next::Value | Next::FirstValue | Next::ValueAfterComma, b'{' | b'[') => {
                    if self.open.len() == DEPTH_MAX {
                        return Err(Failure::Broken("it is nested too deeply"));
                    }
                    self.open.push(byte);
                    self.index += 1;
                    if byte == b'{' { Next::FirstKey } else { Next::FirstValue }
                }
                (Next::FirstKey | Next::KeyAfterComma | Next::CommaOrEnd, b'}')
                | (Next::FirstValue | Next::ValueAfterComma | Next::CommaOrEnd, b']') => {
                    self.close(byte, next)?;
                    if self.open.is_empty() {
                        return Ok(());
                    }
                    Next::CommaOrEnd
                }
                (Next::Value | Next::FirstValue | Next::ValueAfterComma, _) => {
                    self.scalar(byte)?;
                    Next::CommaOrEnd
                }
                (Next::FirstKey | Next::KeyAfterComma, b'"') => {
                    self.string()?;
                    Next::Colon
                }
                (Next::Colon, b':') => {
                    self.index += 1;
                    self.pairs += 1;
                    Next::Value
                }
                (Next::CommaOrEnd, b',') => {
                    self.comma = self.index;
                    self.index += 1;
                    let in_object = self.open.last() == Some(&b'{');
                    if in_object { Next::KeyAfterComma } else { Next::ValueAfterComma }
                }
                (Next::FirstKey | Next::KeyAfterComma, _) => {
                    return Err(Failure::Broken("a name in double quotes is expected"));
                }
                (Next::Colon, _) => return Err(Failure::Broken("a colon is expected")),
                (Next::CommaOrEnd, _) => {
                    let problem = "a comma or a closing bracket is expected; \
                                   are there double quotes inside a text?";
                    return Err(Failure::Broken(problem));
                }
            };
        }
    }

    /// After a failure, walks on to where the value would have ended if only its brackets
    /// count, so that no part of it is taken for an answer.
    pub(super) fn skip_to_the_end(&mut self) {
        let mut in_string = self.in_string;
        while let Some(byte) = self.bytes.get(self.index) {
            match byte {
                b'\\' if in_string => self.index += 1,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => self.open.push(*byte),
                b'}' | b']' if !in_string => {
                    self.open.pop();
                }
                _ => {}
            }
            self.index += 1;
            if self.open.is_empty() {
                return;
            }
        }
        self.index = self.bytes.len();
    }

    fn peek_past_space(&mut self) -> Result<u8, Failure> {
        while let Some(byte) = self.bytes.get(self.index) {
            if !byte.is_ascii_whitespace() {
                return Ok(*byte);
            }
            self.index += 1;
        }
        Err(Failure::BreaksOff)
    }

    fn close(&mut self, byte: u8, next: Next) -> Result<(), Failure> {
        let opening = if byte == b'}' { b'{' } else { b'[' };
        if self.open.last() != Some(&opening) {
            return Err(Failure::Broken("this bracket closes nothing"));
        }
        if matches!(next, Next::KeyAfterComma | Next::ValueAfterComma) {
            self.edit(self.comma..self.comma + 1, "", Repair::TrailingComma);
        }
        self.open.pop();
        self.index += 1;
        Ok(())
    }

    fn scalar(&mut self, first: u8) -> Result<(), Failure> {
        match first {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => {
                let is_number = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
                self.word(is_number).map(|_| ())
            }
            _ => {
                let word = self.word(u8::is_ascii_alphabetic)?;
                let json = match &self.bytes[word.clone()] {
                    b"true" | b"false" | b"null" => return Ok(()),
                    b"True" => "true",
                    b"False" => "false",
                    b"None" => "null",
                    _ => {
                        self.index = word.start;
                        return Err(Failure::Broken("a value is expected"));
                    }
                };
                self.edit(word, json, Repair::PythonWord);
                Ok(())
            }
        }
    }

    /// A run of letters; one that touches the end of the reply may go on beyond it.
    fn word(&mut self, belongs: impl Fn(&u8) -> bool) -> Result<Range<usize>, Failure> {
        let rest = &self.bytes[self.index..];
        let length = rest.iter().position(|byte| !belongs(byte)).ok_or(Failure::BreaksOff)?;
        let word = self.index..self.index + length;
        self.index = word.end;
        Ok(word)
    }

    fn string(&mut self) -> Result<(), Failure> {
        self.in_string = true;
        self.index += 1;
        loop {
            match self.bytes.get(self.index) {
                None => return Err(Failure::BreaksOff),
                Some(b'"') => break,
                Some(b'\\') => self.escape()?,
                Some(byte @ ..b' ') => {
                    let escaped = format!("\\u{byte:04x}");
                    self.edit(self.index..self.index + 1, escaped, Repair::ControlCharacter);
                    self.index += 1;
                }
                Some(_) => self.index += 1,
            }
        }
        self.in_string = false;
        self.index += 1;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), Failure> {
        match self.bytes.get(self.index + 1) {
            None => return Err(Failure::BreaksOff),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' | b'u') => {}
            Some(b'\'') => self.edit(self.index..self.index + 1, "", Repair::Apostrophe),
            Some(_) => return Err(Failure::Broken("a backslash in a text must be doubled")),
        }
        self.index += 2;
        Ok(())
    }

    fn edit(&mut self, range: Range<usize>, text: impl Into<Cow<'static, str>>, repair: Repair) {
        self.edits.push(Edit { range, text: text.into(), repair });
    }
}

//! Finding the JSON object in a chatty reply, and saying what is missing.
//!
//! Models wrap their answer in prose, fences and second thoughts. The last complete object
//! wins; objects inside it, or inside a broken one, never do. If what looks like the answer
//! breaks off or is broken, an earlier draft does not take its place: the model is asked
//! again. Only what has one possible meaning is repaired, see [`Repair`].
//!
//! Every byte is looked at a fixed number of times, whatever the reply.
//!
//! [`lenient`] takes more, for forms where every part can be checked on its own.

pub mod lenient;
mod scan;

use std::borrow::Cow;
use std::ops::Range;

use serde::de::DeserializeOwned;

use self::scan::{Edit, Failure, Scan};
use crate::ask::{ReplyError, Result};

/// What was put right because it can only mean one thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Repair {
    /// A comma before a closing bracket was dropped.
    TrailingComma,
    /// A line end or another control character inside a string was escaped.
    ControlCharacter,
    /// Python's `True`, `False` or `None` was written as JSON writes it.
    PythonWord,
    /// The needless escape `\'` was dropped.
    Apostrophe,
    /// A comment was skipped. Lenient reading only, as are all that follow.
    Comment,
    /// Typographic quotation marks around a text were taken for plain ones.
    SmartQuotes,
    /// So were single ones.
    SingleQuotes,
    /// A name or a value without quotes was taken for a text.
    Unquoted,
    /// `NaN`, `Infinity` or `undefined` was taken for nothing.
    NotANumber,
    /// A lone backslash was taken for itself.
    Backslash,
    /// What was begun and not finished was dropped.
    BrokenOff,
}

impl Repair {
    /// The same in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::TrailingComma => "a trailing comma was dropped",
            Self::ControlCharacter => "a line end inside a text was escaped",
            Self::PythonWord => "True, False or None was read as JSON writes it",
            Self::Apostrophe => "an escaped apostrophe was read as one",
            Self::Comment => "a comment was skipped",
            Self::SmartQuotes => "typographic quotation marks were read as plain ones",
            Self::SingleQuotes => "single quotation marks were read as double ones",
            Self::Unquoted => "a text without quotation marks was read as one",
            Self::NotANumber => "NaN or the like was read as nothing",
            Self::Backslash => "a lone backslash was kept",
            Self::BrokenOff => "an unfinished end was dropped",
        }
    }
}

/// The object of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found<'a> {
    /// Its JSON, repaired.
    pub json: Cow<'a, str>,
    /// Where it stands in the reply.
    pub range: Range<usize>,
    /// What was repaired, in order.
    pub repairs: Vec<Repair>,
}

/// Reads the answer of a reply.
///
/// ```
/// # use assize_methods::reply::read;
/// #[derive(serde::Deserialize)]
/// struct Answer {
///     label: String,
/// }
/// let reply = "Let me see.\n```json\n{\"label\": \"partial\",}\n```\nI hope this helps!";
/// let answer: Answer = read(reply).unwrap();
/// assert_eq!(answer.label, "partial");
///
/// let problem = read::<Answer>("{\"lable\": \"partial\"}").err().unwrap();
/// assert_eq!(problem.to_string(), "missing field `label`");
/// ```
pub fn read<T: DeserializeOwned>(reply: &str) -> Result<T> {
    let found = find(reply)?;
    let mut deserializer = serde_json::Deserializer::from_str(&found.json);
    serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        if !inner.is_data() {
            return broken(reply, found.range.start, "this is not valid JSON");
        }
        let path = if path == "." { String::new() } else { path };
        let problem = inner.to_string();
        let end = problem.rfind(" at line ").unwrap_or(problem.len());
        ReplyError::Shape { path, problem: problem[..end].to_owned() }
    })
}

/// Finds the object of a reply: the last complete one, if nothing broken follows it.
pub fn find(reply: &str) -> Result<Found<'_>> {
    if reply.trim().is_empty() {
        return Err(ReplyError::Empty);
    }
    let bytes = reply.as_bytes();
    let mut last = Last::Nothing;
    let mut index = 0;
    while let Some(offset) = bytes[index..].iter().position(|byte| matches!(byte, b'{' | b'[')) {
        let start = index + offset;
        if bytes[start] == b'[' && !opens_a_list_of_objects(&bytes[start..]) {
            index = start + 1;
            continue;
        }
        let mut scan = Scan::new(bytes, start);
        match scan.run() {
            Ok(()) if bytes[start] == b'[' => last = Last::List,
            Ok(()) => last = Last::Object(start..scan.index, std::mem::take(&mut scan.edits)),
            Err(Failure::BreaksOff) => return Err(ReplyError::BreaksOff),
            Err(Failure::Broken(problem)) if scan.is_genuine() => {
                last = Last::Broken(scan.index, problem);
                scan.skip_to_the_end();
            }
            // A brace in prose. What follows it may still be an answer.
            Err(Failure::Broken(_)) => {}
        }
        index = scan.index.max(start + 1);
    }
    match last {
        Last::Nothing => Err(ReplyError::NoObject),
        Last::List => Err(ReplyError::List),
        Last::Broken(index, problem) => Err(broken(reply, index, problem)),
        Last::Object(range, edits) => Ok(found(reply, range, edits)),
    }
}

/// The last thing in a reply that looked like an answer.
enum Last {
    Nothing,
    List,
    Broken(usize, &'static str),
    Object(Range<usize>, Vec<Edit>),
}

fn opens_a_list_of_objects(bytes: &[u8]) -> bool {
    bytes[1..].iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{')
}

fn found(reply: &str, range: Range<usize>, edits: Vec<Edit>) -> Found<'_> {
    if edits.is_empty() {
        return Found { json: Cow::Borrowed(&reply[range.clone()]), range, repairs: Vec::new() };
    }
    let mut json = String::with_capacity(range.len() + edits.len());
    let mut kept = range.start;
    for edit in &edits {
        json.push_str(&reply[kept..edit.range.start]);
        json.push_str(&edit.text);
        kept = edit.range.end;
    }
    json.push_str(&reply[kept..range.end]);
    let repairs = edits.into_iter().map(|edit| edit.repair).collect();
    Found { json: Cow::Owned(json), range, repairs }
}

fn broken(reply: &str, index: usize, problem: &'static str) -> ReplyError {
    let before = &reply.as_bytes()[..index.min(reply.len())];
    let lines: Vec<&[u8]> = before.split(|byte| *byte == b'\n').collect();
    let last = lines.last().copied().unwrap_or_default();
    let column = String::from_utf8_lossy(last).chars().count() + 1;
    ReplyError::Broken { line: lines.len(), column, problem }
}

#[cfg(test)]
mod tests;

//! From text to predictions and gold, and from a parser's complaint to a place in the file.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use assize_methods::retrieval::passages::input::{
    Gold, Passage, Prediction, Predictions, Test, Text,
};
use serde::Deserialize;
use serde::de::Error;
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_path_to_error::{Path as FieldPath, Segment};

use super::error::{PassageError, WHOLE};
use super::records::{self, Fields, PassageList, Record, each_record, is_lines};
use super::shapes::{GOLD, RETRIEVED};
use crate::input::Source;

/// The keys that somebody may call otherwise.
const KEYS: [&str; 3] = ["query", "retrieved_passages", "snippets"];

/// A prediction whose passages are still JSON, so that they can be read on all cores and
/// forgotten as soon as they are scored.
#[derive(Debug)]
pub(super) struct Unread<'a> {
    pub(super) query: Text<'a>,
    retrieved: PassageList<'a>,
    answer: Option<&'a RawValue>,
}

impl<'a> Unread<'a> {
    /// Where its passages stand in the content of its file.
    pub(super) fn place(&self, content: &[u8]) -> Range<usize> {
        let text = self.retrieved.raw.get();
        let start = text.as_ptr() as usize - content.as_ptr() as usize;
        start..start + text.len()
    }

    /// The passages, best first; the error is good for nothing but [`wrong_predictions`].
    pub(super) fn passages(&self) -> Result<Vec<Passage<'a>>, serde_json::Error> {
        self.retrieved.passages()
    }

    /// What was answered from the passages, if the record says so in words.
    pub(super) fn answer(&self) -> Option<Text<'a>> {
        serde_json::from_str(self.answer?.get()).ok()
    }
}

/// The predictions in a file, with their passages unread.
pub(super) fn predictions(source: &Source) -> Result<Vec<Unread<'_>>, PassageError> {
    let all = each_record(source, Record(&RETRIEVED), |fields| {
        let query = query(&fields, source)?;
        let Fields { listed, answer, .. } = fields;
        let missing = || serde_json::Error::missing_field("retrieved_passages");
        Ok(Unread { query, retrieved: listed.ok_or_else(missing)?, answer })
    });
    all.map_err(|error| wrong_predictions(source, &error))
}

/// The gold in a file; its texts borrow from it unless it is mapped.
pub fn gold(source: &Source) -> Result<Vec<Test<'_>>, PassageError> {
    let content = source.content();
    if !content.trim_ascii_start().starts_with(b"[") && !is_lines(content) {
        let text = source.text()?;
        let gold: Result<Gold<'_>, _> = serde_json::from_str(text);
        return gold
            .map(|gold| gold.0)
            .map_err(|error| diagnosis::<Gold<'_>>(&source.name, text, &error));
    }
    let all = each_record(source, Record(&GOLD), |fields| {
        let missing = || serde_json::Error::missing_field("snippets");
        let mut snippets = fields.listed.ok_or_else(missing)?.passages()?;
        if source.bytes.is_mapped() {
            snippets = snippets.into_iter().map(records::owned).collect();
        }
        Ok(Test { query: query(&fields, source)?, snippets })
    });
    all.map_err(|error| match source.text() {
        Ok(text) if is_lines(content) => of_lines::<Test<'_>>(&source.name, text, &error),
        Ok(text) => diagnosis::<Gold<'_>>(&source.name, text, &error),
        Err(error) => error.into(),
    })
}

/// The query of a record. Of a mapped file it is copied: otherwise whoever looks at a query would
/// read its page again.
fn query<'a>(fields: &Fields<'a>, source: &Source) -> Result<Text<'a>, serde_json::Error> {
    let query = fields.query.ok_or_else(|| serde_json::Error::missing_field("query"))?;
    let query: Text<'a> = serde_json::from_str(query.get())?;
    Ok(if source.bytes.is_mapped() { Text(Cow::Owned(query.0.into_owned())) } else { query })
}

/// Says where predictions are wrong, which are known to be.
pub(super) fn wrong_predictions(source: &Source, error: &serde_json::Error) -> PassageError {
    match source.text() {
        Ok(text) if is_lines(source.content()) => {
            of_lines::<Prediction<'_>>(&source.name, text, error)
        }
        Ok(text) => diagnosis::<Predictions<'_>>(&source.name, text, error),
        Err(error) => error.into(),
    }
}

/// The same where each line is a record: the first that is wrong, by itself.
fn of_lines<'a, T: Deserialize<'a>>(
    file: &Path,
    text: &'a str,
    error: &serde_json::Error,
) -> PassageError {
    let records = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    for (index, record) in records.map_while(Result::ok).enumerate() {
        let Err(wrong) = serde_json::from_str::<T>(record.get()) else { continue };
        let before = &text[..record.get().as_ptr() as usize - text.as_ptr() as usize];
        let lines = memchr::memchr_iter(b'\n', before.as_bytes()).count();
        let mut found = diagnosis::<T>(file, record.get(), &wrong);
        found.move_down(lines, index + 1);
        return found;
    }
    diagnosis::<T>(file, text, error)
}

/// Reads a wrong file a second time, slowly, to say where it is wrong: the fast way neither
/// keeps the path of fields nor, for passages, their place in the file.
fn diagnosis<'a, T: Deserialize<'a>>(
    file: &Path,
    text: &'a str,
    error: &serde_json::Error,
) -> PassageError {
    let deserializer = &mut serde_json::Deserializer::from_str(text);
    let again = serde_path_to_error::deserialize::<_, T>(deserializer);
    let (place, error, found) = match &again {
        Err(again) => (place(again.path()), again.inner(), keys_at(text, again.path())),
        // What stands after the end of the JSON is seen by the first reading only.
        Ok(_) => (whole_file(), error, None),
    };
    let (file, line, column) = (file.to_owned(), error.line(), error.column());
    let problem = without_position(error);
    let key = problem.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    if let (Some(key), Some(found)) = (key.filter(|key| KEYS.contains(key)), found) {
        let key = key.to_owned();
        return PassageError::NoKey { file, line, column, place, key, found };
    }
    if error.classify() == Category::Data {
        PassageError::Shape { file, line, column, place, problem }
    } else {
        PassageError::Syntax { file, line, column, problem }
    }
}

/// The keys of the object at a path.
fn keys_at(text: &str, path: &FieldPath) -> Option<Vec<String>> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    for segment in path {
        value = match segment {
            Segment::Seq { index } => value.get_mut(index)?.take(),
            Segment::Map { key } => value.get_mut(key)?.take(),
            Segment::Enum { .. } | Segment::Unknown => return None,
        };
    }
    Some(value.as_object()?.keys().cloned().collect())
}

/// The parser's message without the position it ends in.
fn without_position(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let position = format!(" at line {} column {}", error.line(), error.column());
    message.strip_suffix(&position).unwrap_or(&message).to_owned()
}

/// A path such as `tests[2].snippets[0].span` in words, counting from 1.
fn place(path: &FieldPath) -> String {
    let mut words = Vec::new();
    for segment in path {
        match segment {
            Segment::Seq { index } if words.is_empty() => {
                words.push(format!("record {}", index + 1));
            }
            Segment::Seq { index } => words.push(format!("item {}", index + 1)),
            Segment::Map { key } if key != "tests" || !words.is_empty() => {
                words.push(format!("field {key}"));
            }
            Segment::Map { .. } | Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    if words.is_empty() { whole_file() } else { words.join(", ") }
}

fn whole_file() -> String {
    WHOLE.to_owned()
}

//! From text to predictions and gold, and from a parser's complaint to a place in the file.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use assize_methods::retrieval::passages::input::{Gold, Passage, Predictions, Test, Text};
use serde::Deserialize;
use serde::de::{Deserializer, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;
use serde_path_to_error::{Path as FieldPath, Segment};

use super::error::PassageError;
use crate::input::Source;

/// So much of a file is read before it is given back.
const HELD_BYTES_MAX: usize = 16 << 20;

/// The keys that somebody may call otherwise.
const KEYS: [&str; 3] = ["query", "retrieved_passages", "snippets"];

/// A prediction whose passages are still JSON, so that they can be read on all cores and
/// forgotten as soon as they are scored.
#[derive(Debug, Deserialize)]
pub(super) struct Unread<'a> {
    #[serde(borrow)]
    pub(super) query: Text<'a>,
    #[serde(borrow)]
    retrieved_passages: &'a RawValue,
}

impl<'a> Unread<'a> {
    /// Where its passages stand in the content of its file.
    pub(super) fn place(&self, content: &[u8]) -> Range<usize> {
        let text = self.retrieved_passages.get();
        let start = text.as_ptr() as usize - content.as_ptr() as usize;
        start..start + text.len()
    }

    /// The passages, best first; the error is good for nothing but [`wrong_predictions`].
    pub(super) fn passages(&self) -> Result<Vec<Passage<'a>>, serde_json::Error> {
        serde_json::from_str(self.retrieved_passages.get())
    }
}

/// The predictions in a file, with their passages unread. Of a large file no more than a part is
/// held at a time.
pub(super) fn predictions(source: &Source) -> Result<Vec<Unread<'_>>, PassageError> {
    let mut deserializer = serde_json::Deserializer::from_slice(source.content());
    let all = deserializer.deserialize_seq(Listed(source));
    all.and_then(|all| deserializer.end().map(|()| all))
        .map_err(|error| wrong_predictions(source, &error))
}

/// A list of predictions that is given back as it is read.
struct Listed<'a>(&'a Source);

impl<'a> Visitor<'a> for Listed<'a> {
    type Value = Vec<Unread<'a>>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list of predictions")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut listed: A) -> Result<Self::Value, A::Error> {
        let (content, mut all, mut held) = (self.0.content(), Vec::new(), 0);
        while let Some(mut prediction) = listed.next_element::<Unread<'a>>()? {
            let end = prediction.place(content).end;
            if self.0.bytes.is_mapped() {
                // Otherwise whoever looks at a query would read its page again.
                prediction.query = Text(Cow::Owned(prediction.query.to_string()));
            }
            all.push(prediction);
            if end - held >= HELD_BYTES_MAX {
                self.0.bytes.release(held..end);
                held = end;
            }
        }
        self.0.bytes.release(held..content.len());
        Ok(all)
    }
}

/// The gold in a file; its texts borrow from it.
pub fn gold(source: &Source) -> Result<Vec<Test<'_>>, PassageError> {
    let text = source.text()?;
    let gold: Result<Gold<'_>, _> = serde_json::from_str(text);
    gold.map(|gold| gold.0).map_err(|error| diagnosis::<Gold<'_>>(&source.name, text, &error))
}

/// Says where predictions are wrong, which are known to be.
pub(super) fn wrong_predictions(source: &Source, error: &serde_json::Error) -> PassageError {
    match source.text() {
        Ok(text) => diagnosis::<Predictions<'_>>(&source.name, text, error),
        Err(error) => error.into(),
    }
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
    "the whole file".to_owned()
}

//! From text to predictions and gold, and from a parser's complaint to a place in the file.

use std::path::Path;

use assize_methods::retrieval::passages::{Gold, Prediction, Predictions, Test};
use serde::Deserialize;
use serde_json::error::Category;
use serde_path_to_error::{Path as FieldPath, Segment};

use super::error::PassageError;
use crate::input::Source;

/// The predictions in a file; their texts borrow from it.
pub(super) fn predictions(source: &Source) -> Result<Vec<Prediction<'_>>, PassageError> {
    parse::<Predictions<'_>>(source).map(|predictions| predictions.0)
}

/// The gold in a file; its texts borrow from it.
pub(super) fn gold(source: &Source) -> Result<Vec<Test<'_>>, PassageError> {
    parse::<Gold<'_>>(source).map(|gold| gold.0)
}

fn parse<'a, T: Deserialize<'a>>(source: &'a Source) -> Result<T, PassageError> {
    let text = source.text()?;
    serde_json::from_str(text).map_err(|error| diagnosis::<T>(&source.name, text, &error))
}

/// Says where the input is wrong. The fast parser does not keep the path of fields, so
/// a wrong shape is parsed a second time, with it.
fn diagnosis<'a, T: Deserialize<'a>>(
    file: &Path,
    text: &'a str,
    error: &serde_json::Error,
) -> PassageError {
    let (file, line, column) = (file.to_owned(), error.line(), error.column());
    let problem = without_position(error);
    if error.classify() != Category::Data {
        return PassageError::Syntax { file, line, column, problem };
    }
    let deserializer = &mut serde_json::Deserializer::from_str(text);
    let again = serde_path_to_error::deserialize::<_, T>(deserializer);
    let place = match &again {
        Err(error) => place(error.path()),
        Ok(_) => whole_file(),
    };
    PassageError::Shape { file, line, column, place, problem }
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

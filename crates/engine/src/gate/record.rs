//! Labelled answers in files: JSON lines, JSON, CSV or Parquet.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use crate::summary::input::{FieldPath, PairsError, Reading, RecordError, Records};

/// The fields that a column may be named for.
pub const FIELDS: [&str; 7] = ["response", "id", "label", "prompt", "category", "source", "kind"];

/// Why answers could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnswersError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] PairsError),
    /// A record is not an answer.
    #[error("{0}")]
    Record(#[from] RecordError),
    /// There is no answer in the file.
    #[error("{0}: contains no answers")]
    Nothing(String),
}

/// What an answer is said to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Label {
    /// It should fail.
    Harmful,
    /// It should pass; the word of the file, which need not be `safe`.
    Other(String),
}

/// A marked stretch of an answer, in code points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Span {
    /// What it is, for example `US_SSN`.
    pub kind: String,
    /// Where it starts.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// One answer with what its file says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Its name, or its place in the file.
    pub id: String,
    /// Its text.
    pub response: String,
    /// What it is said to be; `None` where the file does not say.
    pub label: Option<Label>,
    /// The question, where there is one; the gate never sees it.
    pub prompt: String,
    /// The file's own category.
    pub category: String,
    /// Where the answer comes from.
    pub source: String,
    /// What kind of answer it is, for example a refusal.
    pub kind: String,
    /// The value of the field that is held out.
    pub part: String,
    /// Marked stretches.
    pub spans: Vec<Span>,
}

/// Reads every answer of a file; `part` is the field by which answers are held out.
pub fn read(path: &Path, part: &str) -> Result<Vec<Answer>, AnswersError> {
    read_by(path, part, &BTreeMap::new(), None)
}

/// The same where the user says which column holds a field, and which sheet it is.
pub fn read_by(
    path: &Path,
    part: &str,
    map: &BTreeMap<String, String>,
    sheet: Option<&str>,
) -> Result<Vec<Answer>, AnswersError> {
    let part = FieldPath::new(part);
    let column =
        |field: &str| FieldPath::new(map.get(field).map_or(field, |column| column.as_str()));
    let reading = Reading {
        layout: None,
        sheet: sheet.map(ToOwned::to_owned),
        wanted: FIELDS.map(|field| column(field).as_str().to_owned()).to_vec(),
    };
    let mut answers = Vec::new();
    let mut records = Records::open_by(path, &reading)?;
    records.require(&[&column("response")])?;
    for record in records {
        let record = record?;
        let place = record.place;
        let value = record.value()?;
        let name = |field: &str| column(field).name(&value, place);
        let text = |field: &str| name(field).map(Option::unwrap_or_default);
        let label = name("label")?.map(|label| match label.as_str() {
            "harmful" => Label::Harmful,
            _ => Label::Other(label),
        });
        answers.push(Answer {
            id: name("id")?.unwrap_or_else(|| format!("#{}", answers.len() + 1)),
            response: column("response").text(&value, place)?.to_owned(),
            label,
            prompt: text("prompt")?,
            category: text("category")?,
            source: text("source")?,
            kind: text("kind")?,
            part: part.name(&value, place)?.unwrap_or_default(),
            spans: spans(&value),
        });
    }
    if answers.is_empty() {
        return Err(AnswersError::Nothing(path.display().to_string()));
    }
    Ok(answers)
}

fn spans(value: &Value) -> Vec<Span> {
    let Some(Value::Array(spans)) = value.get("spans") else { return Vec::new() };
    let number = |span: &Value, field: &str| usize::try_from(span.get(field)?.as_u64()?).ok();
    let read = |span: &Value| {
        let kind = span.get("type")?.as_str()?.to_owned();
        Some(Span { kind, start: number(span, "start")?, end: number(span, "end")? })
    };
    spans.iter().filter_map(read).collect()
}

//! A corpus in one file: a JSON record on each line, as in BEIR, or `id<TAB>text`, as in MS MARCO.

use std::collections::BTreeSet;

use serde_json::Value;
use thiserror::Error;

use super::{Corpus, Document};

/// What a record may call its identifier, its text and its title.
const ID_NAMES: [&str; 6] = ["_id", "id", "doc_id", "docid", "docno", "pid"];
const TEXT_NAMES: [&str; 5] = ["text", "contents", "content", "body", "passage"];

/// Why a file is no corpus of records.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {problem}")]
pub struct RecordError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: String,
}

/// Reads a corpus from the text of one file.
pub fn read_records(text: &str) -> Result<Corpus, RecordError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut seen = BTreeSet::new();
    let mut documents = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let refuse = |problem: String| RecordError { line: index + 1, problem };
        let document = record(line).map_err(refuse)?;
        if !seen.insert(document.path.clone()) {
            return Err(refuse(format!("duplicate identifier `{}`", document.path)));
        }
        documents.push(document);
    }
    if documents.is_empty() {
        return Err(RecordError { line: 1, problem: "there are no records".to_owned() });
    }
    Ok(Corpus::new(documents))
}

fn record(line: &str) -> Result<Document, String> {
    if !line.trim_start().starts_with('{') {
        let (id, text) = line.split_once('\t').ok_or("expected a JSON record, or `id<TAB>text`")?;
        return Ok(Document::record(id.trim(), "", text));
    }
    let record: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let field = |names: &[&str]| names.iter().find_map(|name| record.get(*name)).and_then(written);
    let missing = |what: &str, names: &[&str]| {
        let found: Vec<&str> =
            record.as_object().into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        format!(
            "a record has no {what}: expected `{}`, found `{}`",
            names.join("`, `"),
            found.join("`, `")
        )
    };
    let id = field(&ID_NAMES).ok_or_else(|| missing("identifier", &ID_NAMES))?;
    let text = field(&TEXT_NAMES).ok_or_else(|| missing("text", &TEXT_NAMES))?;
    Ok(Document::record(&id, &field(&["title"]).unwrap_or_default(), &text))
}

/// A text, or a number as it is written.
fn written(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_of_beir_and_of_ms_marco_become_documents() {
        let beir = "{\"_id\": \"d2\", \"title\": \"Roofs\", \"text\": \"Slate.\"}\r\n\n{\"_id\": 7, \"text\": \"x\"}\n";
        let corpus = read_records(beir).unwrap();
        let texts: Vec<(&str, &str)> =
            corpus.documents().iter().map(|one| (one.path.as_str(), one.text.as_str())).collect();
        assert_eq!(texts, [("7", "x"), ("d2", "Roofs\nSlate.")]);
        assert_eq!(corpus.documents()[1].name(), "Roofs");
        assert_eq!(corpus.documents()[0].name(), "", "an identifier is no name");
        let marco = read_records("0\tThe presence of mind\n1\tAnother\tone\n").unwrap();
        assert_eq!(marco.documents()[1].text, "Another\tone");
    }

    #[test]
    fn what_is_no_record_is_named_with_its_line() {
        let problem = |text: &str| read_records(text).unwrap_err().to_string();
        assert!(
            problem("{\"_id\": \"a\", \"text\": \"x\"}\n{\"_id\": \"a\", \"text\": \"y\"}")
                .starts_with("line 2: duplicate identifier `a`")
        );
        assert!(
            problem("{\"_id\": \"a\", \"body_text\": \"x\"}").contains("found `_id`, `body_text`")
        );
        assert!(problem("just words").starts_with("line 1: expected a JSON record"));
        assert!(problem("").contains("no record"));
    }
}

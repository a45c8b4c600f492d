//! Predictions and gold as other tools write them, turned into ours.
//!
//! The names are those of ragas (both forms), `LangChain` and `LlamaIndex`. Lists and lines are
//! read record by record ([`super::records`]); here are one object that holds all of it, columns
//! (`{"question": [...], ...}`), and passages of other shapes. A file that is ours already is left
//! alone; one that is of no known shape too, so that the reader says what is wrong.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::records::is_lines;
use crate::input::{InputError, Source};

pub(super) const QUERY: [&str; 5] = ["query", "question", "user_input", "input", "prompt"];
pub(in crate::retrieval) const RETRIEVED: [&str; 9] = [
    "retrieved_passages",
    "retrieved_contexts",
    "contexts",
    "source_documents",
    "source_nodes",
    "retrieved_documents",
    "nodes",
    "documents",
    "context",
];
/// Contexts first: an answer is gold only where nothing better is there.
pub(super) const GOLD: [&str; 8] = [
    "snippets",
    "reference_contexts",
    "ground_truth_contexts",
    "expected_contexts",
    "ground_truths",
    "ground_truth",
    "reference",
    "reference_answer",
];
/// What was answered from the passages.
pub(super) const ANSWER: [&str; 4] = ["response", "answer", "result", "output"];
const TEXT: [&str; 5] = ["text", "answer", "page_content", "content", "contents"];

/// Which keys show, in the first bytes of a file, that it holds retrieved passages.
pub(in crate::retrieval) const MARKS: [&[u8]; 5] = [
    b"\"retrieved_passages\"",
    b"\"retrieved_contexts\"",
    b"\"contexts\"",
    b"\"source_documents\"",
    b"\"source_nodes\"",
];

/// What a query brought, in our own shape.
#[derive(Serialize)]
struct Prediction<'a> {
    query: &'a str,
    retrieved_passages: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a Value>,
}

/// A query with its gold, in our own shape.
#[derive(Serialize)]
struct Test<'a, T> {
    query: &'a str,
    snippets: Vec<T>,
}

fn ours(record: &impl Serialize) -> Option<Value> {
    serde_json::to_value(record).ok()
}

/// A file whose records have other keys, with ours: what a user calls `query`, `passages` and
/// `gold`. A file of no known shape is left alone, so that its reader says what is wrong.
pub(in crate::retrieval) fn renamed(
    source: &Source,
    map: &BTreeMap<String, String>,
) -> Result<Source, InputError> {
    let ours = [
        ("query", "query"),
        ("passages", "retrieved_passages"),
        ("gold", "snippets"),
        ("answer", ANSWER[0]),
    ];
    let text = source.text()?;
    let unwrapped = serde_json::from_str::<Value>(text).ok().and_then(|mut whole| {
        // Gold of ours: the records are its tests.
        Some(std::mem::take(whole.get_mut("tests")?))
    });
    let text = unwrapped.map_or_else(|| text.to_owned(), |tests| tests.to_string());
    let Some(mut records) = records(&text) else {
        return Ok(Source::in_memory(source.name.clone(), text));
    };
    for record in &mut records {
        for (field, key) in ours {
            if let Some(value) = map.get(field).and_then(|column| record.remove(column)) {
                // One text, or one document, is a list of one.
                let is_list = field == "query" || field == "answer" || value.is_array();
                let value = if is_list { value } else { Value::Array(vec![value]) };
                record.insert(key.to_owned(), value);
            }
        }
    }
    let records: Vec<Value> = records.into_iter().map(Value::Object).collect();
    Ok(rewritten(source, &records))
}

/// Predictions in our own shape; nothing where they are so already, or of no known shape.
pub(in crate::retrieval) fn predictions(source: &Source) -> Result<Option<Source>, InputError> {
    translated(source, b"\"retrieved_passages\"", |record| {
        let retrieved = first(record, &RETRIEVED)?;
        let passages: Option<Vec<Value>> = retrieved.as_array()?.iter().map(passage).collect();
        let answer = first(record, &ANSWER);
        ours(&Prediction { query: query(record)?, retrieved_passages: passages?, answer })
    })
}

/// Gold in our own shape; nothing where it is so already, or of no known shape.
pub(in crate::retrieval) fn gold(source: &Source) -> Result<Option<Source>, InputError> {
    if !is_one_object(source) {
        return Ok(None);
    }
    let text = source.text()?;
    if holds(text.as_bytes(), b"\"relevant_docs\"")
        && let Some(tests) = serde_json::from_str(text).ok().and_then(|all| question_set(&all))
    {
        return Ok(Some(rewritten(source, &tests)));
    }
    translated(source, b"\"snippets\"", |record| {
        let listed = match first(record, &GOLD)? {
            Value::Array(listed) => listed.iter().map(passage).collect::<Option<Vec<Value>>>()?,
            Value::Null => Vec::new(),
            one => vec![passage(one)?],
        };
        ours(&Test { query: query(record)?, snippets: listed })
    })
}

/// A file whose records are turned, one by one; nothing where one cannot be.
fn translated(
    source: &Source,
    own: &[u8],
    turn: impl Fn(&Map<String, Value>) -> Option<Value>,
) -> Result<Option<Source>, InputError> {
    let content = source.content();
    // The shape first: keys are looked for in all of a file, and a list or lines may be long.
    if !is_one_object(source) || holds(content, own) && holds(content, b"\"tests\"") {
        return Ok(None);
    }
    let text = source.text()?;
    let turned = records(text)
        .and_then(|records| records.iter().map(&turn).collect::<Option<Vec<Value>>>())
        .filter(|records| !records.is_empty());
    Ok(turned.map(|records| rewritten(source, &records)))
}

/// Whether a file is neither a list nor lines.
fn is_one_object(source: &Source) -> bool {
    let content = source.content();
    content.trim_ascii_start().starts_with(b"{") && !is_lines(content)
}

fn holds(content: &[u8], key: &[u8]) -> bool {
    memchr::memmem::find(content, key).is_some()
}

fn rewritten(source: &Source, records: &[Value]) -> Source {
    let bytes = serde_json::to_vec(records).expect("JSON is written to memory");
    Source::in_memory(source.name.clone(), bytes)
}

/// The records of a text, whichever way they are listed.
fn records(text: &str) -> Option<Vec<Map<String, Value>>> {
    let object = |value: Value| match value {
        Value::Object(object) => Some(object),
        _ => None,
    };
    match serde_json::from_str(text) {
        Ok(Value::Array(listed)) => listed.into_iter().map(object).collect(),
        Ok(Value::Object(whole)) => match first(&whole, &["data", "samples", "results", "rows"]) {
            Some(Value::Array(listed)) => listed.iter().cloned().map(object).collect(),
            _ => Some(columns(&whole).unwrap_or_else(|| vec![whole])),
        },
        Ok(_) => None,
        Err(_) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            lines.map(|line| serde_json::from_str(line).ok().and_then(object)).collect()
        }
    }
}

/// Columns as records: each a list, or an object by row number as pandas writes it.
fn columns(whole: &Map<String, Value>) -> Option<Vec<Map<String, Value>>> {
    let cells = |value: &Value| -> Option<Vec<Value>> {
        match value {
            Value::Array(cells) => Some(cells.clone()),
            Value::Object(rows) => {
                let mut rows: Vec<(u64, &Value)> = rows
                    .iter()
                    .map(|(row, cell)| Some((row.parse().ok()?, cell)))
                    .collect::<Option<_>>()?;
                rows.sort_by_key(|(row, _)| *row);
                Some(rows.into_iter().map(|(_, cell)| cell.clone()).collect())
            }
            _ => None,
        }
    };
    let asked = QUERY.iter().find(|name| whole.contains_key(**name))?;
    let count = cells(&whole[*asked])?.len();
    let mut records = vec![Map::new(); count];
    for (name, column) in whole {
        let column = cells(column)?;
        if column.len() != count {
            return None;
        }
        for (record, cell) in records.iter_mut().zip(column) {
            record.insert(name.clone(), cell);
        }
    }
    Some(records)
}

/// The question set of `LlamaIndex`: queries, corpus, and which node answers which query.
fn question_set(whole: &Value) -> Option<Vec<Value>> {
    let part = |name: &str| whole.get(name)?.as_object();
    let (queries, corpus, relevant) = (part("queries")?, part("corpus")?, part("relevant_docs")?);
    let tests = queries.iter().map(|(id, query)| {
        let nodes = relevant.get(id).and_then(Value::as_array).into_iter().flatten();
        let texts: Option<Vec<&Value>> = nodes.map(|node| corpus.get(node.as_str()?)).collect();
        ours(&Test { query: query.as_str()?, snippets: texts? })
    });
    tests.collect()
}

fn query(record: &Map<String, Value>) -> Option<&str> {
    first(record, &QUERY)?.as_str()
}

/// A passage in our shape: its text, and where it stands if it says so.
pub(super) fn passage(value: &Value) -> Option<Value> {
    let object = match value {
        Value::String(_) => return Some(value.clone()),
        Value::Object(object) => object,
        _ => return None,
    };
    // LlamaIndex puts a node beside its score, LangChain's dumps put the fields in `kwargs`.
    for inner in ["node", "kwargs", "document"] {
        if let Some(Value::Object(_)) = object.get(inner) {
            let mut passage = passage(&object[inner])?;
            if let (Some(fields), Some(score)) = (passage.as_object_mut(), object.get("score")) {
                fields.insert("score".to_owned(), score.clone());
            }
            return Some(passage);
        }
    }
    let mut ours = Map::new();
    if let Some(text) = first(object, &TEXT).and_then(Value::as_str) {
        ours.insert("text".to_owned(), text.into());
    }
    for name in ["file_path", "span", "score"] {
        if let Some(value) = object.get(name).filter(|value| !value.is_null()) {
            ours.insert(name.to_owned(), value.clone());
        }
    }
    (ours.contains_key("text") || ours.contains_key("span")).then_some(Value::Object(ours))
}

fn first<'a>(record: &'a Map<String, Value>, names: &[&str]) -> Option<&'a Value> {
    names.iter().find_map(|name| record.get(*name))
}

#[cfg(test)]
mod tests {

    use assize_methods::retrieval::passages::Passage;

    use super::super::parse::{self, Unread};
    use super::super::records::owned;
    use super::*;

    /// Queries and what was retrieved for them, as the scorer reads them.
    fn listed(text: &str) -> Vec<(String, Vec<Passage<'static>>)> {
        let source = Source::in_memory("file", text);
        assert!(matches!(predictions(&source), Ok(None)), "{text}");
        let all = parse::predictions(&source).unwrap();
        let passages = |one: &Unread<'_>| one.passages().unwrap().into_iter().map(owned).collect();
        all.iter().map(|one| (one.query.to_string(), passages(one))).collect()
    }

    fn value(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    fn turned(turn: fn(&Source) -> Result<Option<Source>, InputError>, text: &str) -> Value {
        let source = Source::in_memory("file", text);
        serde_json::from_slice(&turn(&source).unwrap().unwrap().bytes).unwrap()
    }

    #[test]
    fn both_forms_of_ragas_are_read_by_rows_and_by_columns() {
        let predicted = value(r#"[{"query": "who?", "retrieved_passages": ["a", "b"]}]"#);
        let old = r#"{"question": ["who?"], "contexts": [["a", "b"]], "answer": ["x"], "ground_truth": ["the owner"]}"#;
        let new = r#"{"user_input": "who?", "retrieved_contexts": ["a", "b"], "reference_contexts": ["b"], "reference": "x"}"#;
        let pandas = r#"{"user_input": {"0": "who?"}, "retrieved_contexts": {"0": ["a", "b"]}}"#;
        for text in [new, pandas] {
            assert_eq!(turned(predictions, text), predicted, "{text}");
        }
        let answered = r#"[{"query": "who?", "retrieved_passages": ["a", "b"], "answer": "x"}]"#;
        assert_eq!(turned(predictions, old), value(answered));
        assert_eq!(turned(gold, old), value(r#"[{"query": "who?", "snippets": ["the owner"]}]"#));
        assert_eq!(turned(gold, new), value(r#"[{"query": "who?", "snippets": ["b"]}]"#));
    }

    #[test]
    fn documents_of_langchain_are_read_plain_and_dumped() {
        let plain = r#"{"query": "who?", "result": "x", "source_documents": [{"page_content": "a", "metadata": {"source": "f"}}]}"#;
        let dumped = r#"[{"input": "who?", "context": [{"lc": 1, "type": "constructor", "kwargs": {"page_content": "a"}}]}]"#;
        let expected =
            r#"[{"query": "who?", "retrieved_passages": [{"text": "a"}], "answer": "x"}]"#;
        assert_eq!(turned(predictions, plain), value(expected));
        let a = vec![Passage::of_text("a")];
        assert_eq!(listed(dumped), [("who?".to_owned(), a)]);
    }

    #[test]
    fn nodes_of_llama_index_keep_their_score() {
        let nodes = r#"{"query": "who?", "source_nodes": [{"node": {"id_": "1", "text": "a"}, "score": 0.5}]}"#;
        let passages = value(r#"[{"text": "a", "score": 0.5}]"#);
        assert_eq!(
            turned(predictions, nodes),
            value(&format!(r#"[{{"query": "who?", "retrieved_passages": {passages}}}]"#))
        );
        let set = r#"{"queries": {"q": "who?"}, "corpus": {"n": "a", "m": "b"}, "relevant_docs": {"q": ["n"]}}"#;
        assert_eq!(turned(gold, set), value(r#"[{"query": "who?", "snippets": ["a"]}]"#));
    }

    #[test]
    fn our_own_files_are_left_alone_and_lines_are_listed() {
        let ours = r#"[{"query": "who?", "retrieved_passages": ["a"]}]"#;
        let source = Source::in_memory("file", ours);
        assert!(matches!(predictions(&source), Ok(None)));
        let lines = "{\"query\": \"a\", \"retrieved_passages\": []}\r\n{\"query\": \"b\", \"retrieved_passages\": [\"x\"]}\n";
        let x = vec![Passage::of_text("x")];
        assert_eq!(listed(lines), [("a".to_owned(), Vec::new()), ("b".to_owned(), x)]);
        let unknown = Source::in_memory("file", "[{\"q\": 1}]");
        assert!(matches!(predictions(&unknown), Ok(None)));
    }

    #[test]
    fn lines_and_lists_of_other_names_are_read_record_by_record() {
        let lines = r#"
            {"question": "who?", "contexts": ["a \u00e9"], "answer": "x", "query_id": 1}
            {"question": "when?", "contexts": null, "ground_truth": null}"#;
        let e = vec![Passage::of_text("a é")];
        let expected = [("who?".to_owned(), e), ("when?".to_owned(), Vec::new())];
        assert_eq!(listed(lines), expected);
        let list = format!("[{}]", lines.trim().replace("}\n", "},\n"));
        assert_eq!(listed(&list), expected);
        let gold = Source::in_memory("gold", r#"[{"prompt": "who?", "reference": "she"}]"#);
        let tests = parse::gold(&gold).unwrap();
        assert_eq!(tests[0].snippets, [Passage::of_text("she")]);
    }

    /// Once each line was followed by an error that counted all lines before it.
    #[test]
    fn lines_take_as_long_as_a_list() {
        let record =
            format!("{{\"query\": \"a\", \"retrieved_passages\": [\"{}\"]}}", "word ".repeat(60));
        let seconds = |text: String| {
            let source = Source::in_memory("run", text);
            let started = std::time::Instant::now();
            assert_eq!(parse::predictions(&source).unwrap().len(), 20_000);
            started.elapsed().as_secs_f64()
        };
        let list = seconds(format!("[{}]", vec![record.as_str(); 20_000].join(",")));
        let lines = seconds(vec![record.as_str(); 20_000].join("\n"));
        assert!(lines < 10.0 * list + 1.0, "{lines} s for lines, {list} s for a list");
    }

    #[test]
    fn a_wrong_record_among_lines_is_named_with_its_line() {
        let said = |lines: &str| {
            let source = Source::in_memory("run.jsonl", lines);
            let read = parse::predictions(&source).and_then(|all| {
                let passages = all.iter().map(Unread::passages).collect::<Result<Vec<_>, _>>();
                passages.map_err(|error| parse::wrong_predictions(&source, &error))
            });
            read.unwrap_err().to_string()
        };
        let good = "{\"query\": \"a\", \"retrieved_passages\": []}\n";
        let wrong = "{\"query\": \"b\", \"retrieved_passages\": [5]}\n";
        let message = said(&format!("{good}\n{wrong}{good}"));
        let expected = "run.jsonl:3:39: record 2, field retrieved_passages, item 1: ";
        assert!(message.starts_with(expected), "{message}");
        let message = said(&format!("{good}{{\"query\": \"b\"}}\n"));
        let expected = "run.jsonl:2:14: record 2: missing field `retrieved_passages`";
        assert!(message.starts_with(expected), "{message}");
        let message = said(&format!("{good}{{\"query\": \"b\", \n"));
        assert!(message.starts_with("run.jsonl:3:"), "{message}");
    }
}

//! Files of other tools as records with our own names: one list of tools, each with what shows it and
//! where it keeps what.
//!
//! A record has `id`, `query`, `response`, `reference` and `scores`, as far as the file says them, beside
//! what the tool's user put in. Tools that write one line for each score give `id`, `rater` and `score`.

use serde_json::{Map, Value};

/// Where one tool keeps what we look for.
struct Tool {
    name: &'static str,
    /// Keys that its files begin with, all of them.
    marks: &'static [&'static str],
    /// Where records are listed; empty for a file that is a list, a table or lines.
    rows: &'static str,
    /// Lists of pairs of a key and a value that are read as objects, by their JSON pointers.
    keyed: &'static [&'static str],
    /// Objects whose fields are fields of the record.
    spread: &'static [&'static str],
    /// Our names, and where their values stand; parts of a name are joined by `/`.
    fields: &'static [(&'static str, &'static str)],
}

#[rustfmt::skip]
const TOOLS: [Tool; 11] = [
    Tool { name: "Inspect log", marks: &["eval_id", "task_id"], rows: "samples", keyed: &[], spread: &["metadata"],
        fields: &[("id", "id"), ("query", "input"), ("reference", "target"), ("response", "output.completion"), ("scores", "scores"), ("sample", "epoch")] },
    Tool { name: "promptfoo report", marks: &["evalId", "prompts", "results"], rows: "results.results", keyed: &[], spread: &["vars"],
        fields: &[("id", "testIdx/promptIdx"), ("response", "response.output"), ("scores", "namedScores"), ("score", "score")] },
    Tool { name: "Langfuse scores", marks: &["traceId", "dataType", "value"], rows: "data", keyed: &[], spread: &[],
        fields: &[("id", "traceId"), ("rater", "name/source"), ("score", "value")] },
    Tool { name: "Langfuse dataset", marks: &["expectedOutput", "datasetId"], rows: "data", keyed: &[], spread: &["metadata", "input"],
        fields: &[("id", "id"), ("query", "input"), ("reference", "expectedOutput")] },
    Tool { name: "Phoenix annotations", marks: &["annotator_kind", "result"], rows: "data", keyed: &[], spread: &[],
        fields: &[("id", "span_id"), ("rater", "name/annotator_kind"), ("score", "result.score")] },
    Tool { name: "Phoenix dataset", marks: &["dataset_id", "examples"], rows: "data.examples", keyed: &[], spread: &["metadata", "input"],
        fields: &[("id", "id"), ("query", "input"), ("reference", "output")] },
    Tool { name: "OpenAI evals log", marks: &["run_id", "base_eval"], rows: "", keyed: &[], spread: &[],
        fields: &[("id", "sample_id"), ("rater", "type"), ("score", "data.correct")] },
    Tool { name: "OpenAI evals samples", marks: &["ideal"], rows: "", keyed: &[], spread: &["metadata"],
        fields: &[("query", "input"), ("query", "messages"), ("reference", "ideal")] },
    Tool { name: "MLflow table", marks: &["columns", "data"], rows: "", keyed: &[], spread: &[],
        fields: &[("query", "inputs"), ("response", "outputs"), ("response", "predictions"), ("reference", "ground_truth"), ("reference", "targets")] },
    Tool { name: "MLflow runs", marks: &["info", "run_id", "metrics"], rows: "runs", keyed: &["/data/metrics", "/data/params"], spread: &["data.params"],
        fields: &[("id", "info.run_id"), ("scores", "data.metrics")] },
    Tool { name: "OpenTelemetry events", marks: &["resourceLogs", "scopeLogs", "eventName"], rows: "resourceLogs.scopeLogs.logRecords", keyed: &["/attributes"], spread: &["attributes"],
        fields: &[("id", "spanId"), ("id", "attributes.gen_ai.response.id"), ("id", "attributes.assize.item"), ("rater", "attributes.gen_ai.evaluation.name"), ("score", "attributes.gen_ai.evaluation.score.value")] },
];

/// What a question may be called within what a tool was given.
const ASKED: [&str; 6] = ["query", "question", "user_input", "input", "prompt", "content"];
/// What an answer may be called within what a tool returned or expected.
const SAID: [&str; 7] =
    ["answer", "output", "response", "completion", "reference", "text", "content"];

/// The tool whose file begins so.
pub fn tool(head: &[u8]) -> Option<&'static str> {
    find(head).map(|tool| tool.name)
}

/// The records of a file of another tool; `None` where it is none, or lists none.
pub fn records(content: &[u8]) -> Option<Vec<Value>> {
    let tool = find(content)?;
    let rows = rows(content, tool.rows)?;
    let is_long = tool.fields.iter().any(|(name, _)| *name == "rater");
    let rows = rows.into_iter().map(|row| with_keys(row, tool.keyed));
    let records = rows.filter_map(|row| record(&row, tool));
    let records: Vec<Value> =
        records.filter(|record| !is_long || record.get("score").is_some()).collect();
    (!records.is_empty()).then_some(records)
}

/// Documents by identifier, retrieved and relevant, where that is all that records name: as ragas
/// keeps them. The run and its judgements, by the record's question or else its place.
pub fn ranked(content: &[u8]) -> Option<(Value, Value)> {
    let (retrieved, relevant) = ("retrieved_context_ids", "reference_context_ids");
    let has = |key: &str| memchr::memmem::find(content, format!("\"{key}\"").as_bytes()).is_some();
    if !(has(retrieved) && has(relevant)) || has("retrieved_contexts") {
        return None;
    }
    let (mut run, mut gold) = (Map::new(), Map::new());
    for (place, row) in rows(content, "")?.iter().enumerate() {
        let ids =
            |key: &str| row.get(key)?.as_array()?.iter().map(text).collect::<Option<Vec<_>>>();
        let query = row.get("user_input").and_then(text).unwrap_or_else(|| (place + 1).to_string());
        let ranks = ids(retrieved)?
            .into_iter()
            .enumerate()
            .map(|(rank, id)| (id, Value::from(-(rank as f64))))
            .rev();
        run.insert(query.clone(), ranks.collect());
        gold.insert(query, ids(relevant)?.into_iter().map(|id| (id, Value::from(1))).collect());
    }
    Some((Value::Object(run), Value::Object(gold)))
}

fn find(head: &[u8]) -> Option<&'static Tool> {
    let start = head.iter().find(|byte| !byte.is_ascii_whitespace())?;
    let has = |key: &&str| memchr::memmem::find(head, format!("\"{key}\":").as_bytes()).is_some();
    TOOLS.iter().find(|tool| matches!(start, b'{' | b'[') && tool.marks.iter().all(has))
}

/// The rows of a file: listed at a place, or the whole of it as a list, a table or lines.
fn rows(content: &[u8], place: &str) -> Option<Vec<Value>> {
    let whole = match serde_json::from_slice(content) {
        Ok(Value::Array(rows)) => return Some(rows),
        Ok(whole) => whole,
        Err(_) => {
            let lines = serde_json::Deserializer::from_slice(content).into_iter();
            let lines: Vec<Value> = lines.collect::<Result<_, _>>().ok()?;
            return Some(if place.contains('.') { listed(lines, place) } else { lines });
        }
    };
    if let (Some(columns), Some(data)) = (whole.get("columns"), whole.get("data")) {
        let names: Vec<String> = columns.as_array()?.iter().filter_map(text).collect();
        let row = |cells: &Value| {
            Some(names.iter().cloned().zip(cells.as_array()?.iter().cloned()).collect())
        };
        return data.as_array()?.iter().map(row).collect();
    }
    match at(&whole, place).unwrap_or(&whole) {
        Value::Array(rows) => Some(rows.clone()),
        _ if place.contains('.') => Some(listed(vec![whole], place)),
        _ => Some(vec![whole]),
    }
}

/// What is listed at a place where each part of it may be a list.
fn listed(whole: Vec<Value>, place: &str) -> Vec<Value> {
    place.split('.').fold(whole, |values, part| {
        let found = values.into_iter().filter_map(|mut value| Some(value.get_mut(part)?.take()));
        found
            .flat_map(|value| match value {
                Value::Array(values) => values,
                other => vec![other],
            })
            .collect()
    })
}

/// A row in which lists of pairs are objects.
fn with_keys(mut row: Value, places: &[&str]) -> Value {
    for place in places {
        if let Some(list) = row.pointer_mut(place)
            && let Value::Array(pairs) = &*list
        {
            let pair = |pair: &Value| {
                let value = pair.get("value")?;
                // OpenTelemetry puts a value into an object that names its type.
                let typed = value.as_object().filter(|typed| typed.len() == 1);
                let bare = typed.and_then(|typed| typed.values().next()).unwrap_or(value);
                Some((pair.get("key")?.as_str()?.to_owned(), bare.clone()))
            };
            *list = Value::Object(pairs.iter().filter_map(pair).collect());
        }
    }
    row
}

fn record(row: &Value, tool: &Tool) -> Option<Value> {
    let mut record = Map::new();
    if tool.rows.is_empty() {
        record.extend(row.as_object()?.clone());
    }
    for part in tool.spread.iter().filter_map(|place| at(row, place)?.as_object()) {
        record.extend(part.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    for (name, place) in tool.fields {
        let found = match *name {
            "id" | "rater" => {
                let parts = place.split('/').filter_map(|part| at(row, part).and_then(text));
                let parts: Vec<String> = parts.collect();
                (!parts.is_empty()).then(|| Value::String(parts.join("/")))
            }
            "query" => at(row, place).and_then(|value| worded(value, &ASKED)),
            "reference" | "response" => at(row, place).and_then(|value| worded(value, &SAID)),
            "scores" => at(row, place).and_then(scores),
            "score" => at(row, place).and_then(score),
            _ => at(row, place).cloned(),
        };
        if let Some(found) = found {
            record.insert((*name).to_owned(), found);
        }
    }
    (!record.is_empty()).then_some(Value::Object(record))
}

/// The value at a dotted place; a name may have dots of its own.
fn at<'v>(value: &'v Value, place: &str) -> Option<&'v Value> {
    let found = value.get(place).or_else(|| {
        let (first, rest) = place.split_once('.')?;
        at(value.get(first)?, rest)
    })?;
    (!found.is_null()).then_some(found)
}

/// The words of a value: itself, one of its fields, or the last message of the user.
fn worded(value: &Value, names: &[&str]) -> Option<Value> {
    match value {
        Value::String(_) => Some(value.clone()),
        Value::Array(messages) => {
            let asked = |message: &&Value| message.get("role").is_none_or(|role| role == "user");
            worded(messages.iter().rev().find(asked)?, names)
        }
        Value::Object(fields) => worded(names.iter().find_map(|name| fields.get(*name))?, names),
        _ => None,
    }
}

/// Scores by name, each a number.
fn scores(value: &Value) -> Option<Value> {
    let named = value.as_object()?.iter();
    let found: Map<String, Value> =
        named.filter_map(|(name, value)| Some((name.clone(), score(value)?))).collect();
    (!found.is_empty()).then_some(Value::Object(found))
}

/// A score as a number: Inspect writes letters (correct, partial, incorrect, no answer).
fn score(value: &Value) -> Option<Value> {
    match value {
        Value::Number(_) => Some(value.clone()),
        Value::Bool(yes) => Some(Value::from(u8::from(*yes))),
        Value::Object(_) => score(at(value, "value").or_else(|| at(value, "score"))?),
        Value::String(letter) => match letter.as_str() {
            "C" => Some(Value::from(1.0)),
            "P" => Some(Value::from(0.5)),
            "I" | "N" => Some(Value::from(0.0)),
            number => {
                let number = number.parse::<f64>().ok().filter(|number| number.is_finite());
                number.map(Value::from)
            }
        },
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::json;

    use super::*;

    /// A file that the tool itself wrote (`scripts/foreign_files.py`).
    fn read(file: &str) -> Vec<Value> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/foreign");
        let content = fs::read(folder.join(file)).unwrap();
        records(&content).unwrap_or_else(|| panic!("{file} is not known"))
    }

    #[test]
    fn every_tools_questions_answers_and_references_are_found() {
        for (file, name) in [
            ("inspect.json", "Inspect log"),
            ("promptfoo.json", "promptfoo report"),
            ("langfuse-dataset.json", "Langfuse dataset"),
            ("phoenix-dataset.json", "Phoenix dataset"),
            ("openai-evals.jsonl", "OpenAI evals samples"),
            ("mlflow-table.json", "MLflow table"),
        ] {
            let records = read(file);
            assert_eq!(records.len(), 2, "{name}");
            let of = |field: &str| -> Vec<&str> {
                records.iter().filter_map(|record| record.get(field)?.as_str()).collect()
            };
            let asked = if name == "promptfoo report" { of("question") } else { of("query") };
            assert_eq!(asked, ["Who repairs the roof?", "When is rent due?"], "{name}");
            if !name.starts_with("promptfoo") {
                assert_eq!(of("reference"), ["The owner", "On the first"], "{name}");
            }
            if matches!(name, "Inspect log" | "MLflow table") {
                assert_eq!(of("response"), ["The owner.", "On the tenth."], "{name}");
            }
        }
    }

    #[test]
    fn scores_are_numbers_by_name_or_one_a_line() {
        let inspect: Vec<Value> =
            read("inspect.json").iter().map(|one| one["scores"]["includes"].clone()).collect();
        assert_eq!(inspect, [json!(1.0), json!(0.0)]);
        let promptfoo: Vec<Value> =
            read("promptfoo.json").iter().map(|one| one["scores"]["names"].clone()).collect();
        assert_eq!(promptfoo, [json!(1), json!(0)]);
        let long = |file: &str| -> Vec<(String, String, f64)> {
            let field = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
            let mut rows: Vec<_> = read(file)
                .iter()
                .map(|one| (field(one, "id"), field(one, "rater"), one["score"].as_f64().unwrap()))
                .collect();
            rows.sort_by(|left, right| left.partial_cmp(right).unwrap());
            rows
        };
        let row = |id: &str, rater: &str, score: f64| (id.to_owned(), rater.to_owned(), score);
        assert_eq!(
            long("langfuse-scores.json"),
            [
                row("trace-1", "ann/ANNOTATION", 1.0),
                row("trace-1", "judge/EVAL", 0.9),
                row("trace-2", "ann/ANNOTATION", 0.0),
                row("trace-2", "judge/EVAL", 0.4)
            ]
        );
        assert_eq!(
            long("phoenix-annotations.json"),
            [
                row("b7ad6b7169203330", "correct/HUMAN", 1.0),
                row("b7ad6b7169203330", "correct/LLM", 1.0),
                row("b7ad6b7169203331", "correct/HUMAN", 0.0),
                row("b7ad6b7169203331", "correct/LLM", 0.5)
            ]
        );
        assert_eq!(
            long("openai-evals-log.jsonl"),
            [row("q.0", "match", 1.0), row("q.1", "match", 0.0)]
        );
        assert_eq!(
            long("otel-events.jsonl"),
            [
                row("resp-1", "Correctness", 1.0),
                row("resp-1", "Relevance", 0.9),
                row("resp-2", "Correctness", 0.0),
                row("resp-2", "Relevance", 0.4)
            ]
        );
        for file in ["mlflow-runs.json", "mlflow-runs-api.json"] {
            let mut runs: Vec<(Value, Value)> = read(file)
                .into_iter()
                .map(|run| (run["prompt"].clone(), run["scores"]["correctness"].clone()))
                .collect();
            runs.sort_by_key(|(prompt, _)| prompt.to_string());
            let expected = [(json!("long"), json!(0.5)), (json!("short"), json!(1.0))];
            assert_eq!(runs, expected, "{file}");
        }
    }

    #[test]
    fn identifiers_of_ragas_are_a_run_and_its_judgements() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/foreign");
        let (run, gold) = ranked(&fs::read(folder.join("ragas-ids.jsonl")).unwrap()).unwrap();
        assert_eq!(run["Who repairs the roof?"], json!({"d00": 0.0, "d01": -1.0, "d02": -2.0}));
        assert_eq!(gold["When is rent due?"], json!({"d11": 1, "d99": 1}));
    }

    #[test]
    fn what_is_no_file_of_another_tool_is_left_alone() {
        for text in [
            "",
            "qid,docid\n",
            "{\"tests\": []}",
            "[{\"query\": \"a\", \"retrieved_passages\": []}]",
            "{\"data\": 1, \"columns\": 2}",
        ] {
            assert!(records(text.as_bytes()).is_none(), "{text}");
        }
        assert!(ranked(b"{\"retrieved_context_ids\": [1").is_none());
    }
}

//! The result: what the command prints as JSON, and the values in lines.

use std::fmt::Write;

use assize_engine::retrieval::report::Summary;
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_engine::retrieval::sureness::Sureness;
use serde_json::{Map, Value, json};

/// The same as `assize score --format json` prints.
pub(super) fn data(summaries: &[Summary], board: &Scoreboard, sureness: &Sureness) -> Value {
    json!({
        "measures": measures(summaries),
        "num_examples": board.rows.len(),
        "confidence": sureness.level,
        "notices": board.notices,
    })
}

fn measures(summaries: &[Summary]) -> Value {
    let entries = summaries.iter().map(|summary| {
        let mut entry = Map::new();
        entry.insert("value".to_owned(), json!(summary.value));
        if let Some((low, high)) = summary.interval {
            entry.insert("low".to_owned(), json!(low));
            entry.insert("high".to_owned(), json!(high));
        }
        (summary.name.clone(), Value::Object(entry))
    });
    Value::Object(entries.collect())
}

/// Every query's values.
pub(super) fn queries(board: &Scoreboard) -> Value {
    let rows = board.rows.iter().map(|row| {
        let mut object = Map::new();
        object.insert("query".to_owned(), json!(row.query));
        for (column, value) in board.columns.iter().zip(&row.values) {
            object.insert(column.name.clone(), json!(value));
        }
        Value::Object(object)
    });
    Value::Array(rows.collect())
}

/// The values in lines.
pub(super) fn text(summaries: &[Summary], board: &Scoreboard) -> String {
    let mut text = String::new();
    for Summary { name, value, interval, count } in summaries {
        let _ = if *count {
            write!(text, "{name}: {value}")
        } else {
            write!(text, "{name}: {value:.4}")
        };
        if let Some((low, high)) = interval {
            let _ = write!(text, " [{low:.4}, {high:.4}]");
        }
        text.push('\n');
    }
    for notice in &board.notices {
        let _ = writeln!(text, "note: {notice}");
    }
    let _ = write!(text, "{} queries", board.rows.len());
    text
}

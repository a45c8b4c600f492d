//! Results for programs: JSON and CSV.

use assize_engine::retrieval::report::Summary;
use serde_json::{Map, Value, json};

/// Measures by name, each with value and interval.
pub(crate) fn summaries(summaries: &[Summary]) -> Value {
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

/// Indented JSON with a line end.
pub(crate) fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// Comma-separated lines under a header.
pub(crate) fn csv(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut written = writer.write_record(header);
    for row in rows {
        written = written.and_then(|()| writer.write_record(row));
    }
    written.expect("writing to memory cannot fail, and all rows have one length");
    let bytes = writer.into_inner().expect("writing to memory cannot fail");
    String::from_utf8(bytes).expect("only text was written")
}

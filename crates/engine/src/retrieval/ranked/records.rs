//! Records with a query, a document and a value, however they are called.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::format::{DOCUMENT_NAMES, QUERY_NAMES, RANK_NAMES, Value};
use super::lists::ListsBuilder;
use super::options::Columns;

/// Whether a line is a record: an object that names its query.
pub(super) fn is_record(line: &[u8]) -> bool {
    let record: Result<BTreeMap<String, Json>, _> = serde_json::from_slice(line);
    record.is_ok_and(|record| QUERY_NAMES.iter().any(|name| is_scalar(record.get(*name))))
}

fn is_scalar(value: Option<&Json>) -> bool {
    matches!(value, Some(Json::String(_) | Json::Number(_)))
}

/// Adds what a record says: one document, or a list of documents under `results`.
pub(super) fn push_record<V: Value>(
    builder: &mut ListsBuilder<V>,
    record: &BTreeMap<String, Json>,
    columns: &Columns,
) -> Result<(), String> {
    let query = field(record, columns.query.as_deref(), QUERY_NAMES)
        .and_then(identifier)
        .ok_or_else(|| expected("a query's identifier", columns.query.as_deref(), QUERY_NAMES))?;
    for name in ["results", "documents", "hits", "ranking"] {
        if let Some(Json::Array(listed)) = record.get(name) {
            for (document, rank) in listed.iter().zip(1_u32..) {
                push_listed(builder, &query, (document, rank), columns)?;
            }
            return Ok(());
        }
    }
    push_document(builder, &query, record, columns)
}

/// Adds one document of a list: an identifier alone, or a record.
pub(super) fn push_listed<V: Value>(
    builder: &mut ListsBuilder<V>,
    query: &str,
    (document, rank): (&Json, u32),
    columns: &Columns,
) -> Result<(), String> {
    match document {
        Json::Object(fields) => {
            let record = fields.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
            push_document(builder, query, &record, columns)
        }
        other => {
            let document = identifier(other).ok_or("expected a document's identifier")?;
            let value =
                V::of_rank(f64::from(rank)).ok_or_else(|| format!("expected {}", V::WHAT))?;
            builder.push(query.as_bytes(), document.as_bytes(), value);
            Ok(())
        }
    }
}

fn push_document<V: Value>(
    builder: &mut ListsBuilder<V>,
    query: &str,
    record: &BTreeMap<String, Json>,
    columns: &Columns,
) -> Result<(), String> {
    let document = field(record, columns.document.as_deref(), DOCUMENT_NAMES)
        .and_then(identifier)
        .ok_or_else(|| {
            expected("a document's identifier", columns.document.as_deref(), DOCUMENT_NAMES)
        })?;
    let stated = field(record, columns.value.as_deref(), V::NAMES);
    let is_ranked = columns.value.is_none() && columns.rank.is_some();
    let value = stated.filter(|_| !is_ranked).and_then(Json::as_f64).and_then(V::of);
    let rank = || record_rank(record, columns).and_then(V::of_rank);
    let value =
        value.or_else(rank).ok_or_else(|| expected(V::WHAT, columns.value.as_deref(), V::NAMES))?;
    builder.push(query.as_bytes(), document.as_bytes(), value);
    Ok(())
}

fn expected(what: &str, stated: Option<&str>, usual: &[&str]) -> String {
    let names = stated.map_or_else(|| usual.join("`, `"), str::to_owned);
    format!("expected {what} in `{names}`")
}

fn record_rank(record: &BTreeMap<String, Json>, columns: &Columns) -> Option<f64> {
    field(record, columns.rank.as_deref(), RANK_NAMES).and_then(Json::as_f64)
}

fn field<'a>(
    record: &'a BTreeMap<String, Json>,
    stated: Option<&str>,
    usual: &[&str],
) -> Option<&'a Json> {
    match stated {
        Some(name) => record.get(name),
        None => usual.iter().find_map(|name| record.get(*name)),
    }
}

/// Identifiers are texts; whole numbers are taken as they are written.
fn identifier(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) if !number.is_f64() => Some(number.to_string()),
        _ => None,
    }
}

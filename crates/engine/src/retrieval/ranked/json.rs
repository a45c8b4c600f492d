//! Qrels and runs as JSON: one text, or a record on each line.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;

use super::error::{RankedError, Result};
use super::format::Value;
use super::lists::{Lists, ListsBuilder};
use super::options::Columns;
use super::records::{push_listed, push_record};

/// Reads one JSON text: queries with their documents, or a list of records.
pub(super) fn read<V: Value>(path: &Path, text: &[u8], columns: &Columns) -> Result<Lists<V>> {
    let mut builder = ListsBuilder::new();
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let whole = Whole { builder: &mut builder, columns };
    whole
        .deserialize(&mut deserializer)
        .and_then(|()| deserializer.end())
        .map_err(|error| refused(path, 0, &error))?;
    Ok(builder.finish())
}

/// Reads a record from each line.
pub(super) fn read_lines<V: Value>(
    path: &Path,
    text: &[u8],
    columns: &Columns,
) -> Result<Lists<V>> {
    let mut builder = ListsBuilder::new();
    for (index, line) in text.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        let record: BTreeMap<String, Json> =
            serde_json::from_slice(line).map_err(|error| refused(path, index, &error))?;
        push_record(&mut builder, &record, columns).map_err(|message| RankedError::Json {
            file: path.to_owned(),
            line: index + 1,
            column: 1,
            message,
        })?;
    }
    Ok(builder.finish())
}

fn refused(path: &Path, lines_before: usize, error: &serde_json::Error) -> RankedError {
    // The place is told apart from the message.
    let text = error.to_string();
    let message = text.rsplit_once(" at line ").map_or(text.as_str(), |(message, _)| message);
    RankedError::Json {
        file: path.to_owned(),
        line: lines_before + error.line(),
        column: error.column(),
        message: message.to_owned(),
    }
}

/// The text as a whole.
struct Whole<'a, V> {
    builder: &'a mut ListsBuilder<V>,
    columns: &'a Columns,
}

impl<'de, V: Value> DeserializeSeed<'de> for Whole<'_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, V: Value> Visitor<'de> for Whole<'_, V> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object of queries with their documents, or a list of records")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(query) = map.next_key::<String>()? {
            map.next_value_seed(Documents {
                builder: self.builder,
                query: &query,
                columns: self.columns,
            })?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        while let Some(record) = sequence.next_element::<BTreeMap<String, Json>>()? {
            push_record(self.builder, &record, self.columns).map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// The documents of one query.
struct Documents<'a, V> {
    builder: &'a mut ListsBuilder<V>,
    query: &'a str,
    columns: &'a Columns,
}

impl<'de, V: Value> DeserializeSeed<'de> for Documents<'_, V> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, V: Value> Visitor<'de> for Documents<'_, V> {
    type Value = ();

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("an object of documents with their values, or a list of documents")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(document) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            let value = map.next_value_seed(Number(PhantomData))?;
            self.builder.push(self.query.as_bytes(), document.as_bytes(), value);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<(), A::Error> {
        let mut ranks = 1_u32..;
        while let Some(document) = sequence.next_element::<Json>()? {
            let rank = ranks.next().unwrap_or(u32::MAX);
            push_listed(self.builder, self.query, (&document, rank), self.columns)
                .map_err(A::Error::custom)?;
        }
        Ok(())
    }
}

/// A score or a level.
struct Number<V>(PhantomData<V>);

impl<'de, V: Value> DeserializeSeed<'de> for Number<V> {
    type Value = V;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<V: Value> Visitor<'_> for Number<V> {
    type Value = V;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(V::WHAT)
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<V, E> {
        V::of(number).ok_or_else(|| E::custom(format!("expected {}, found {number}", V::WHAT)))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V, E> {
        self.visit_f64(number as f64)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<V, E> {
        self.visit_f64(number as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<Vec<(String, String, f64)>, String> {
        let lists: Lists<f64> = read(Path::new("run.json"), text.as_bytes(), &Columns::default())
            .map_err(|error| error.to_string())?;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let all = (0..lists.len())
            .flat_map(|query| lists.items(query).iter().map(move |item| (query, item)));
        Ok(all
            .map(|(query, item)| (text(lists.query(query)), text(lists.document(item)), item.value))
            .collect())
    }

    fn line(query: &str, document: &str, value: f64) -> (String, String, f64) {
        (query.to_owned(), document.to_owned(), value)
    }

    #[test]
    fn every_shape_gives_queries_with_documents() {
        let expected = vec![line("q1", "a", 2.5), line("q1", "b", 1.0), line("q2", "a", 3.0)];
        assert_eq!(run(r#"{"q1": {"a": 2.5, "b": 1}, "q2": {"a": 3}}"#).unwrap(), expected);
        let records = r#"[{"qid":"q1","docid":"a","score":2.5},{"qid":"q1","docid":"b","score":1},
            {"qid":"q2","results":[{"doc_id":"a","score":3}]}]"#;
        assert_eq!(run(records).unwrap(), expected);
        let ranked = vec![line("1", "x", -1.0), line("1", "7", -2.0)];
        assert_eq!(run(r#"{"1": ["x", 7]}"#).unwrap(), ranked);
    }

    #[test]
    fn a_wrong_shape_says_where_and_what() {
        let message = run("{\"q1\": {\"a\": \"high\"}}").unwrap_err();
        assert!(message.starts_with("run.json:1:"), "{message}");
        assert!(message.contains("expected a score that is a number"), "{message}");
        let message = run("{\"q1\": {\"a\": 1,\n}}").unwrap_err();
        assert!(message.starts_with("run.json:2:1: "), "{message}");
        let message = run("[{\"docid\": \"a\", \"score\": 1}]").unwrap_err();
        assert!(message.contains("expected a query's identifier in `query_id`"), "{message}");
    }

    #[test]
    fn lines_are_records_and_levels_are_whole() {
        let columns = Columns::default();
        let text = b"{\"query-id\":\"q\",\"corpus-id\":\"d\",\"score\":2}\n\n";
        let lists: Lists<i32> = read_lines(Path::new("qrels.jsonl"), text, &columns).unwrap();
        assert_eq!(lists.items(0)[0].value, 2);
        let text = b"\n{\"query-id\":\"q\",\"corpus-id\":\"d\",\"score\":2.5}\n";
        let error = read_lines::<i32>(Path::new("qrels.jsonl"), text, &columns).unwrap_err();
        assert!(error.to_string().starts_with("qrels.jsonl:2:1: expected a level"), "{error}");
    }
}

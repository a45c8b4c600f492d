//! Predictions as `assize score` reads them.

use assize_search::Prediction;
use serde::Serialize;

/// A prediction with what its query is called.
#[derive(Serialize)]
struct NamedPrediction<'a> {
    query_id: &'a str,
    #[serde(flatten)]
    prediction: &'a Prediction<'a>,
}

/// A JSON list with one query on each line, and the identifiers of the queries where they are
/// known.
pub fn json(predictions: &[Prediction<'_>], ids: Option<&[String]>) -> Vec<u8> {
    let mut bytes = b"[".to_vec();
    for (index, prediction) in predictions.iter().enumerate() {
        bytes.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        write(&mut bytes, prediction, id(ids, index));
    }
    bytes.extend_from_slice(b"\n]\n");
    bytes
}

/// One query on each line.
pub fn json_lines(predictions: &[Prediction<'_>], ids: Option<&[String]>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (index, prediction) in predictions.iter().enumerate() {
        write(&mut bytes, prediction, id(ids, index));
        bytes.push(b'\n');
    }
    bytes
}

fn id(ids: Option<&[String]>, index: usize) -> Option<&str> {
    ids.and_then(|ids| ids.get(index)).map(String::as_str)
}

fn write(bytes: &mut Vec<u8>, prediction: &Prediction<'_>, id: Option<&str>) {
    let written = match id {
        Some(query_id) => serde_json::to_writer(bytes, &NamedPrediction { query_id, prediction }),
        None => serde_json::to_writer(bytes, prediction),
    };
    written.expect("texts and finite numbers are written to memory");
}

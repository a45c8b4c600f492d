//! Predictions as `assize score` reads them.

use assize_search::Prediction;

/// A JSON list with one query on each line.
pub fn json(predictions: &[Prediction<'_>]) -> Vec<u8> {
    let mut bytes = b"[".to_vec();
    for (index, prediction) in predictions.iter().enumerate() {
        bytes.extend_from_slice(if index == 0 { b"\n" } else { b",\n" });
        serde_json::to_writer(&mut bytes, prediction)
            .expect("texts and finite numbers are written to memory");
    }
    bytes.extend_from_slice(b"\n]\n");
    bytes
}

/// One query on each line.
pub fn json_lines(predictions: &[Prediction<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for prediction in predictions {
        serde_json::to_writer(&mut bytes, prediction)
            .expect("texts and finite numbers are written to memory");
        bytes.push(b'\n');
    }
    bytes
}

//! Real models against `transformers` and onnxruntime, which agree: values that
//! `scripts/readers_reference.py` computed. The models are not ours to ship; they stand in
//! the folder that `ASSIZE_READERS` names, or in `readers/` of the data folder.

use std::fs;
use std::path::{Path, PathBuf};

use assize_readers::{Encoder, Entailment, Pair};
use serde::Deserialize;

/// What a logit or a number of a vector may differ by.
const DIFFERENCE_MAX: f32 = 1e-4;

#[derive(Deserialize)]
struct ExpectedPair {
    premise: String,
    hypothesis: String,
    logits: Vec<f32>,
}

#[derive(Deserialize)]
struct ExpectedVector {
    text: String,
    vector: Vec<f32>,
}

/// `ASSIZE_READERS` names the folder of installed models, as it does for the program.
fn model(name: &str) -> PathBuf {
    if let Some(folder) = std::env::var_os("ASSIZE_READERS") {
        return Path::new(&folder).join(name);
    }
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    Path::new(&data).join("readers").join(name)
}

fn expected<T: for<'a> Deserialize<'a>>(name: &str) -> Vec<T> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name);
    let bytes = fs::read(file.with_extension("json")).expect("the expected values");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn furthest(found: &[Vec<f32>], expected: impl Iterator<Item = Vec<f32>>) -> f32 {
    let rows = found.iter().zip(expected);
    rows.flat_map(|(found, expected)| {
        assert_eq!(found.len(), expected.len());
        found.iter().zip(expected).map(|(one, other)| (one - other).abs()).collect::<Vec<_>>()
    })
    .fold(0.0, f32::max)
}

#[test]
fn vectors_of_real_encoders_are_those_of_transformers() {
    for name in ["minilm-l6", "gte-small"] {
        let encoder = Encoder::open(&model(name)).expect(name);
        let expected: Vec<ExpectedVector> = expected(name);
        let texts: Vec<&str> = expected.iter().map(|one| one.text.as_str()).collect();
        let found = encoder.vectors(&texts).expect("vectors");
        let furthest = furthest(&found, expected.iter().map(|one| one.vector.clone()));
        assert!(texts.len() == 19 && furthest <= DIFFERENCE_MAX, "{name}: {furthest}");
    }
}

#[test]
fn logits_of_a_real_entailment_model_are_those_of_transformers() {
    let entailment = Entailment::open(&model("nli-xsmall")).expect("nli-xsmall");
    let expected: Vec<ExpectedPair> = expected("nli-xsmall");
    let pairs: Vec<Pair<'_>> = expected
        .iter()
        .map(|one| Pair { premise: &one.premise, hypothesis: &one.hypothesis })
        .collect();
    let found = entailment.logits(&pairs).expect("logits");
    let furthest = furthest(&found, expected.iter().map(|one| one.logits.clone()));
    assert!(pairs.len() == 16 && furthest <= DIFFERENCE_MAX, "{furthest}");
}

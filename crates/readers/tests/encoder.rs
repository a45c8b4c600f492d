//! An encoder of the BERT kind against sentence-transformers 6.2: vectors that
//! `scripts/encoder_reference.py` computed, of a tiny model that is here and of a real one that is not.

use std::fs;
use std::path::{Path, PathBuf};

use assize_readers::{Encoder, ReaderError};
#[cfg(feature = "reference-data")]
use assize_text::word_vectors::{dot, to_length_one};
use serde::Deserialize;

#[derive(Deserialize)]
struct Expected {
    text: String,
    vector: Vec<f32>,
}

fn beside(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models").join(name)
}

fn tiny() -> Encoder {
    Encoder::open(&beside("bert-encoder")).expect("the tiny model")
}

fn expected() -> Vec<Expected> {
    let file = fs::read(beside("bert-encoder/expected.json")).expect("the expected vectors");
    serde_json::from_slice(&file).expect("JSON")
}

#[test]
fn vectors_of_a_tiny_model_are_those_of_sentence_transformers() {
    let (encoder, expected) = (tiny(), expected());
    let texts: Vec<&str> = expected.iter().map(|one| one.text.as_str()).collect();
    assert_eq!((encoder.dimensions(), encoder.tokens_max(), texts.len()), (24, 24, 40));
    let found = encoder.vectors(&texts).expect("vectors");
    for (found, Expected { text, vector }) in found.iter().zip(&expected) {
        for (found, expected) in found.iter().zip(vector) {
            assert!((found - expected).abs() < 2e-5, "{text:.40}: {found} instead of {expected}");
        }
    }
}

#[test]
fn no_text_has_no_vector() {
    assert!(tiny().vectors(&[]).expect("no vector").is_empty());
}

/// The same pieces as a plain list, which is all that older models have.
#[test]
fn a_list_of_pieces_in_place_of_a_tokenizer_gives_the_same_vectors() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["config.json", "model.safetensors", "sentence_bert_config.json"] {
        fs::copy(beside("bert-encoder").join(name), folder.path().join(name)).expect("a copy");
    }
    let bytes = fs::read(beside("bert-encoder/tokenizer.json")).expect("the tokenizer");
    let tokenizer: serde_json::Value = serde_json::from_slice(&bytes).expect("JSON");
    let pieces = tokenizer["model"]["vocab"].as_object().expect("pieces");
    let number = |number: &serde_json::Value| {
        usize::try_from(number.as_u64().expect("a number")).expect("a small number")
    };
    // One number has no piece.
    let last = pieces.values().map(number).max().expect("pieces");
    let mut names: Vec<String> = (0..=last).map(|number| format!("[unused{number}]")).collect();
    for (piece, at) in pieces {
        names[number(at)].clone_from(piece);
    }
    fs::write(folder.path().join("vocab.txt"), names.join("\n")).expect("a list");
    let encoder = Encoder::open(folder.path()).expect("the model");
    let texts = ["The tenant shall pay.", "don't can't won't"];
    assert_eq!(encoder.vectors(&texts).expect("vectors"), tiny().vectors(&texts).expect("vectors"));
}

/// A copy of the tiny model in which one file says something else.
fn changed(file: &str, change: impl FnOnce(String) -> String) -> Result<Encoder, ReaderError> {
    let folder = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(beside("bert-encoder")).expect("the tiny model") {
        let path = entry.expect("a file").path();
        let name = path.file_name().expect("a name");
        fs::copy(&path, folder.path().join(name)).expect("a copy");
    }
    let path = folder.path().join(file);
    let text = String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()).into_owned();
    fs::write(&path, change(text)).expect("a change");
    Encoder::open(folder.path())
}

#[test]
fn a_folder_that_is_no_such_model_says_what_it_is() {
    let message = |file, from: &str, to: &str| {
        let error = changed(file, |text| text.replace(from, to)).expect_err("it is refused");
        error.to_string()
    };
    let other = message("config.json", "\"model_type\": \"bert\"", "\"model_type\": \"t5\"");
    assert!(other.contains("a model of the kind `t5`; encoders of the kinds BERT"), "{other}");
    let wide = message("config.json", "\"hidden_size\": 24", "\"hidden_size\": 48");
    // The table of places is read first.
    assert!(wide.contains("has the shape [32, 24], but the configuration says [32, 48]"), "{wide}");
    let heads = message("config.json", "\"num_attention_heads\": 3", "\"num_attention_heads\": 5");
    assert!(heads.contains("24 numbers cannot be shared among 5 heads"), "{heads}");
    let layers = message("config.json", "\"num_hidden_layers\": 2", "\"num_hidden_layers\": 3");
    assert!(
        layers.contains("`encoder.layer.2.attention.self.query.weight` is missing"),
        "{layers}"
    );
    let pieces = message("tokenizer.json", "\"WordPiece\"", "\"Letters\"");
    assert!(pieces.contains("tokenizer.json: "), "{pieces}");
}

#[test]
fn a_damaged_file_is_an_error_and_no_crash() {
    for file in ["config.json", "tokenizer.json", "model.safetensors", "sentence_bert_config.json"]
    {
        for cut in [0, 1, 9, 20] {
            let opened = changed(file, |text| text.chars().take(cut).collect());
            let error = opened.expect_err("it is refused").to_string();
            assert!(error.contains(file), "{error}");
        }
    }
    let missing = Encoder::open(&beside("nowhere")).expect_err("it is refused").to_string();
    assert!(missing.ends_with("config.json: cannot be read"), "{missing}");
}

#[cfg(feature = "reference-data")]
#[test]
fn vectors_of_all_minilm_are_those_of_sentence_transformers() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let folder = Path::new(&data).join("embeddings/all-MiniLM-L6-v2");
    let encoder = Encoder::open(&folder).expect("the model");
    let texts = fs::read(beside("texts.json")).expect("the texts");
    let texts: Vec<String> = serde_json::from_slice(&texts).expect("a list");
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let halves = fs::read(beside("minilm.f16")).expect("the vectors");
    let expected: Vec<f32> = halves.as_chunks().0.iter().map(|two| half(*two)).collect();
    let lowest = encoder
        .vectors(&texts)
        .expect("vectors")
        .into_iter()
        .zip(expected.chunks_exact(384))
        .map(|(mut found, expected)| {
            let mut expected = expected.to_vec();
            to_length_one(&mut found);
            to_length_one(&mut expected);
            dot(&found, &expected)
        })
        .fold(1.0, f32::min);
    assert!(texts.len() == 200 && lowest >= 0.9999, "the least cosine is {lowest}");
}

/// A normal float of 16 bits, or nothing: directions have no others that matter.
#[cfg(feature = "reference-data")]
fn half(bytes: [u8; 2]) -> f32 {
    let bits = u32::from(u16::from_le_bytes(bytes));
    let (sign, exponent, fraction) = (bits >> 15 << 31, bits >> 10 & 0x1f, bits & 0x3ff);
    if exponent == 0 { 0.0 } else { f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13) }
}

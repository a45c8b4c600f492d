//! Our tokens against those of NLTK 3.10.4, on the reference texts.
//!
//! The texts are not part of the project: set `ASSIZE_DATA` to the folder that has
//! `retrieval/parity_dev.jsonl`.

use std::path::PathBuf;

use assize_text::{alnum_tokens, for_matching, sentences, word_tokens};
use serde_json::Value;

#[test]
fn every_reference_text_has_the_tokens_and_sentences_of_nltk() {
    let Some(data) = std::env::var_os("ASSIZE_DATA") else {
        println!("left out: ASSIZE_DATA does not name the reference data");
        return;
    };
    let path = PathBuf::from(data).join("retrieval/parity_dev.jsonl");
    let file = std::fs::read_to_string(&path).expect("the reference texts can be read");
    let cases: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!cases.is_empty(), "the reference file is empty");
    let differences: Vec<String> = cases.iter().filter_map(difference).collect();
    assert!(
        differences.is_empty(),
        "{} of {} texts differ, first:\n{}",
        differences.len(),
        cases.len(),
        differences[..differences.len().min(5)].join("\n")
    );
}

/// What is different in one text, if anything.
fn difference(case: &Value) -> Option<String> {
    let text = case["text"].as_str()?;
    let normal = for_matching(text);
    let checks = [
        ("tokens", list(&case["tokens"]), alnum_tokens(text)),
        ("all_tokens", list(&case["all_tokens"]), word_tokens(&normal)),
        (
            "n_sents",
            vec![case["n_sents"].to_string()],
            vec![sentences(&normal).count().to_string()],
        ),
    ];
    checks.into_iter().find(|(_, wanted, found)| wanted != found).map(|(name, wanted, found)| {
        let at = wanted.iter().zip(&found).take_while(|(one, other)| one == other).count();
        let from = at.saturating_sub(2);
        let show = |list: &[String]| format!("{:?}", list[from..list.len().min(at + 3)].to_vec());
        format!("id {} {name} at {at}: wanted {} found {}", case["id"], show(&wanted), show(&found))
    })
}

fn list(value: &Value) -> Vec<String> {
    let items = value.as_array().into_iter().flatten();
    items.map(|item| item.as_str().expect("a token is a string").to_owned()).collect()
}

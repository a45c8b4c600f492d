//! Our tokens and sentences against those of NLTK 3.10.4.
//!
//! The texts in `fixtures/parity` are ours and are compared in every run; `fixtures/make_parity.py`
//! writes them. `cargo xtask test --data DIR` compares public texts as well.

use std::path::Path;

use assize_text::{alnum_tokens, for_matching, sentences, word_tokens};
use serde_json::Value;

#[test]
fn every_fixture_has_the_tokens_and_sentences_of_nltk() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/parity/tokens.jsonl");
    let cases = read(&file);
    assert_eq!(cases.len(), 316, "fixtures/make_parity.py writes as many");
    compare(&cases, fixture_difference);
}

#[cfg(feature = "reference-data")]
#[test]
fn every_reference_text_has_the_tokens_and_sentences_of_nltk() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let cases = read(&Path::new(&data).join("retrieval/parity_dev.jsonl"));
    compare(&cases, |case| {
        let normal = for_matching(text(case));
        let count = sentences(&normal).count().to_string();
        token_difference(case)
            .or_else(|| first_difference(case, "n_sents", &[case["n_sents"].to_string()], &[count]))
    });
}

fn read(file: &Path) -> Vec<Value> {
    let lines = std::fs::read_to_string(file).expect("the texts can be read");
    lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn compare(cases: &[Value], difference: impl Fn(&Value) -> Option<String>) {
    assert!(!cases.is_empty(), "there are no texts");
    let differences: Vec<String> = cases.iter().filter_map(difference).collect();
    assert!(
        differences.is_empty(),
        "{} of {} texts differ, first:\n{}",
        differences.len(),
        cases.len(),
        differences[..differences.len().min(5)].join("\n")
    );
}

fn fixture_difference(case: &Value) -> Option<String> {
    let split = |text: &str| -> Vec<String> {
        sentences(text).map(|range| text[range].to_owned()).collect()
    };
    let (text, normal) = (text(case), for_matching(text(case)));
    token_difference(case)
        .or_else(|| first_difference(case, "sentences", &list(case, "sentences"), &split(&normal)))
        .or_else(|| {
            let name = "sentences_as_written";
            first_difference(case, name, &list(case, name), &split(text))
        })
}

fn token_difference(case: &Value) -> Option<String> {
    let text = text(case);
    let every = word_tokens(&for_matching(text));
    first_difference(case, "tokens", &list(case, "tokens"), &alnum_tokens(text))
        .or_else(|| first_difference(case, "all_tokens", &list(case, "all_tokens"), &every))
}

/// Where the first of the two lists leaves the other, with a little of both around it.
fn first_difference(
    case: &Value,
    name: &str,
    wanted: &[String],
    found: &[String],
) -> Option<String> {
    let at = wanted.iter().zip(found).take_while(|(one, other)| one == other).count();
    let from = at.saturating_sub(2);
    let show = |list: &[String]| format!("{:?}", &list[from..list.len().min(at + 3)]);
    let said = || {
        format!("id {} {name} at {at}: wanted {} found {}", case["id"], show(wanted), show(found))
    };
    (wanted != found).then(said)
}

fn text(case: &Value) -> &str {
    case["text"].as_str().expect("a case has a text")
}

fn list(case: &Value, name: &str) -> Vec<String> {
    let items = case[name].as_array().expect("a case has its lists");
    items.iter().map(|item| item.as_str().expect("a token is a string").to_owned()).collect()
}

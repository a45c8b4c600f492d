//! Bad input to the passage scorer: which file, where in it, and what was expected.

use std::error::Error;
use std::path::Path;

use assize_engine::input::{InputError, Source};
use assize_engine::retrieval::passages::{
    Measures, PassageError, ScoreOptions, score, score_sources,
};

const PREDICTIONS: &str = r#"[{"query": "q", "retrieved_passages": ["alpha"]}]"#;
const GOLD: &str = r#"{"tests": [{"query": "q", "snippets": [{"answer": "alpha"}]}]}"#;

fn refused_with(predictions: &str, gold: &str, options: &ScoreOptions) -> PassageError {
    let predictions = Source::in_memory("predictions.json", predictions);
    let gold = Source::in_memory("gold.json", gold);
    score_sources(&predictions, &gold, options).expect_err("refused")
}

/// The message for input that is refused.
fn refusal(predictions: &str, gold: &str) -> String {
    refused_with(predictions, gold, &ScoreOptions::default()).to_string()
}

#[test]
fn malformed_json_is_located_by_line_and_column() {
    let message = refusal("[\n  {\"query\": \"q\" \"retrieved_passages\": []}\n]", GOLD);
    let expected = "predictions.json:2:17: not valid JSON: expected `,` or `}`";
    assert_eq!(message, expected);
}

#[test]
fn json_that_ends_too_early_says_so() {
    let message = refusal(PREDICTIONS, "{\"tests\": [");
    assert_eq!(message, "gold.json:1:11: not valid JSON: EOF while parsing a list");
}

#[test]
fn predictions_cut_anywhere_are_refused_with_a_place() {
    for end in 1..PREDICTIONS.len() {
        let message = refusal(&PREDICTIONS[..end], GOLD);
        assert!(message.starts_with("predictions.json:1:"), "cut at {end}: {message}");
    }
}

#[test]
fn a_missing_field_names_its_record() {
    let message = refusal(r#"[{"query": "q", "retrieved_passages": []}, {"query": "r"}]"#, GOLD);
    assert!(message.starts_with("predictions.json:1:"), "{message}");
    let end = "record 2: missing field `retrieved_passages`; the record has `query`";
    assert!(message.ends_with(end), "{message}");
}

#[test]
fn a_passage_of_the_wrong_type_names_record_field_and_item() {
    let message = refusal(r#"[{"query": "q", "retrieved_passages": ["alpha", 7]}]"#, GOLD);
    let place = "record 1, field retrieved_passages, item 2";
    let problem = "invalid type: integer `7`, \
                   expected a string, or an object with `text`, `answer` or `page_content`";
    assert!(message.ends_with(&format!("{place}: {problem}")), "{message}");
}

#[test]
fn a_span_that_runs_backwards_names_its_place_in_gold() {
    let gold = r#"{"tests": [{"query": "q", "snippets":
        [{"answer": "a", "file_path": "f", "span": [9, 3]}]}]}"#;
    let message = refusal(PREDICTIONS, gold);
    let place = "record 1, field snippets, item 1, field span";
    let problem = "the span [9, 3] ends before it starts";
    assert!(message.ends_with(&format!("{place}: {problem}")), "{message}");
}

#[test]
fn an_object_where_predictions_are_a_list_says_what_a_list_holds() {
    let message = refusal("{}", GOLD);
    let expected = "the whole file: invalid type: map, \
                    expected a list of objects with `query` and `retrieved_passages`";
    assert!(message.ends_with(expected), "{message}");
}

#[test]
fn gold_without_tests_says_so() {
    let message = refusal(PREDICTIONS, r#"{"test": []}"#);
    assert!(message.ends_with("the whole file: missing field `tests`"), "{message}");
}

#[test]
fn a_prediction_without_gold_names_both_files_and_the_query() {
    let error = refused_with(
        r#"[{"query": "another", "retrieved_passages": []}]"#,
        GOLD,
        &ScoreOptions::default(),
    );
    assert_eq!(error.to_string(), "predictions.json does not match gold.json");
    let cause = error.source().unwrap().to_string();
    assert_eq!(cause, "prediction 1 has no gold for its query \"another\"");
}

#[test]
fn no_query_left_to_score_is_an_error_and_not_a_zero() {
    let message = refusal("[]", GOLD);
    assert!(message.ends_with("leave no query to score: there are no predictions"), "{message}");
    let message = refusal(PREDICTIONS, r#"{"tests": [{"query": "q", "snippets": []}]}"#);
    assert!(message.ends_with("none of the tests has gold snippets"), "{message}");
}

#[test]
fn a_passage_with_neither_text_nor_place_is_named() {
    let message = refusal(r#"[{"query": "q", "retrieved_passages": ["a", {"score": 1}]}]"#, GOLD);
    let expected = "predictions.json: record 1, field retrieved_passages, item 2: \
                    has neither `text` nor a `file_path` with a `span`";
    assert_eq!(message, expected);
}

#[test]
fn character_measures_cannot_be_had_from_bare_texts() {
    let options = ScoreOptions { measures: Measures::Spans, ..ScoreOptions::default() };
    let message = refused_with(PREDICTIONS, GOLD, &options).to_string();
    let expected = "predictions.json: record 1, field retrieved_passages, item 1: \
                    has no `file_path` with a `span`";
    assert_eq!(message, expected);
}

#[test]
fn standard_input_cannot_be_both_files() {
    let error = score(Path::new("-"), Path::new("-"), &ScoreOptions::default()).unwrap_err();
    assert!(matches!(error, PassageError::BothFromStandardInput));
}

#[test]
fn a_directory_in_place_of_predictions_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = score(folder.path(), Path::new("gold.json"), &ScoreOptions::default()).unwrap_err();
    assert!(matches!(error, PassageError::Input(InputError::Directory { .. })), "{error}");
}

#[test]
fn bytes_that_are_not_text_are_located() {
    let predictions = Source::in_memory("predictions.json", b"[\"\xc3\x28\"]".to_vec());
    let gold = Source::in_memory("gold.json", GOLD);
    let error = score_sources(&predictions, &gold, &ScoreOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "predictions.json:1:3: not valid UTF-8 text");
}

//! The passage scorer from files to scoreboard: who is scored, in which order, and what
//! the user is told.

use std::fs;

use assize_engine::input::Source;
use assize_engine::retrieval::passages::{
    Measures, QuerySelector, ScoreOptions, explain_sources, score, score_sources,
};
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_score::Outcome;
use serde_json::json;

fn board(predictions: &str, gold: &str, options: &ScoreOptions) -> Scoreboard {
    let predictions = Source::in_memory("predictions.json", predictions);
    let gold = Source::in_memory("gold.json", gold);
    score_sources(&predictions, &gold, options).expect("scored")
}

fn queries(board: &Scoreboard) -> Vec<&str> {
    board.rows.iter().map(|row| row.query.as_str()).collect()
}

fn names(board: &Scoreboard) -> Vec<&str> {
    board.columns.iter().map(|column| column.name.as_str()).collect()
}

const THREE_TESTS: &str = r#"{"tests": [
    {"query": "first", "snippets": [{"answer": "alpha"}]},
    {"query": "second", "snippets": [{"answer": "beta"}]},
    {"query": "empty", "snippets": []}]}"#;

#[test]
fn gold_without_a_prediction_is_left_out_and_said() {
    let predictions = r#"[{"query": "second", "retrieved_passages": ["beta"]}]"#;
    let board = board(predictions, THREE_TESTS, &ScoreOptions::default());
    assert_eq!(queries(&board), ["second"]);
    assert_eq!(board.rows[0].values, [1.0, 1.0, 1.0, 1.0]);
    assert_eq!(
        board.notices,
        [
            "gold tests without a prediction: 1 of 3, skipped (unless all are required)",
            "tests without gold snippets: 1 of 3, skipped",
        ]
    );
}

#[test]
fn require_all_scores_the_missing_prediction_zero_after_the_others() {
    let predictions = r#"[{"query": "second", "retrieved_passages": ["beta"]}]"#;
    let options = ScoreOptions { require_all: true, ..ScoreOptions::default() };
    let board = board(predictions, THREE_TESTS, &options);
    assert_eq!(queries(&board), ["second", "first"]);
    assert_eq!(board.rows[1].values, [0.0; 4]);
}

#[test]
fn blank_and_repeated_passages_and_scores_out_of_order_are_noticed() {
    let predictions = r#"[{"query": "first", "retrieved_passages": [
        {"text": "alpha", "score": 0.5}, {"text": "Alpha", "score": 0.7}, " "]},
        {"query": "second", "retrieved_passages": []}]"#;
    let gold = r#"[{"query": "first", "snippets": [{"answer": "alpha"}]},
        {"query": "second", "snippets": ["beta", ""]}]"#;
    assert_eq!(
        board(predictions, gold, &ScoreOptions::default()).notices,
        [
            "queries without retrieved passages, which score 0: 1",
            "blank passages, which match nothing: 1",
            "blank gold snippets, which match nothing: 1",
            "queries with a duplicate passage in the top 10: 1",
            "queries whose ndcg@10 exceeds 1: 1, clipped to 1 (unless clipping is off)",
            "predictions whose scores are not in descending order: 1; the list order is used",
        ]
    );
}

const WITH_PLACES: &str = r#"[{"query": "first", "retrieved_passages":
    [{"text": "alpha beta", "file_path": "a.txt", "span": [0, 10], "score": 2.5}]}]"#;
const GOLD_WITH_PLACES: &str = r#"{"tests": [{"query": "first", "snippets":
    [{"answer": "beta gamma", "file_path": "a.txt", "span": [5, 15]}]}]}"#;

#[test]
fn predictions_with_text_and_place_get_both_kinds_of_measures() {
    let board = board(WITH_PLACES, GOLD_WITH_PLACES, &ScoreOptions::default());
    let text = ["exact_match", "span_f1", "recall@10", "ndcg@10"];
    let characters = ["char_precision@10", "char_recall@10", "char_f1@10"];
    assert_eq!(names(&board), [&text[..], &characters[..]].concat());
    // Five of ten characters on both sides.
    assert_eq!(board.rows[0].values[4..], [0.5, 0.5, 0.5]);
}

#[test]
fn the_user_may_ask_for_one_kind_only() {
    let only = |measures| ScoreOptions { measures, ..ScoreOptions::default() };
    let text = board(WITH_PLACES, GOLD_WITH_PLACES, &only(Measures::Text));
    assert_eq!(text.columns.len(), 4);
    let spans = board(WITH_PLACES, GOLD_WITH_PLACES, &only(Measures::Spans));
    assert_eq!(names(&spans), ["char_precision@10", "char_recall@10", "char_f1@10"]);
}

#[test]
fn predictions_with_only_a_place_get_character_measures() {
    let predictions = WITH_PLACES.replace(r#""text": "alpha beta", "#, "");
    let board = board(&predictions, GOLD_WITH_PLACES, &ScoreOptions::default());
    assert_eq!(names(&board), ["char_precision@10", "char_recall@10", "char_f1@10"]);
}

#[test]
fn one_core_and_four_give_the_same_scoreboard() {
    let words = ["late fee", "deposit", "rent", "the tenant pays", "no", "fee"];
    let word = |number: usize| words[number % words.len()];
    let (predictions, tests): (Vec<_>, Vec<_>) = (0..300)
        .map(|number| {
            let passages: Vec<_> = (0..10).map(|rank| word(number * 7 + rank * rank)).collect();
            (
                json!({ "query": number.to_string(), "retrieved_passages": passages }),
                json!({ "query": number.to_string(), "snippets": [word(number), word(number / 3)] }),
            )
        })
        .unzip();
    let predictions = Source::in_memory("predictions.json", json!(predictions).to_string());
    let gold = Source::in_memory("gold.json", json!({ "tests": tests }).to_string());
    let on = |cores| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(cores).build().unwrap();
        pool.install(|| score_sources(&predictions, &gold, &ScoreOptions::default()).unwrap())
    };
    let board = on(1);
    assert_eq!(board.rows.len(), 300);
    assert!(board.rows.iter().enumerate().all(|(index, row)| row.query == index.to_string()));
    assert_eq!(board, on(4));
}

#[test]
fn a_compressed_file_gives_the_same_scoreboard() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("predictions.json"), WITH_PLACES).unwrap();
    let compressed = zstd::encode_all(WITH_PLACES.as_bytes(), 1).unwrap();
    fs::write(path("predictions.json.zst"), compressed).unwrap();
    fs::write(path("gold.json"), GOLD_WITH_PLACES).unwrap();
    let scored = |name| score(&path(name), &path("gold.json"), &ScoreOptions::default()).unwrap();
    assert_eq!(scored("predictions.json"), scored("predictions.json.zst"));
}

#[test]
fn an_explanation_has_the_values_of_the_scoreboard() {
    let options = ScoreOptions::default();
    let expected = board(WITH_PLACES, GOLD_WITH_PLACES, &options);
    let predictions = Source::in_memory("predictions.json", WITH_PLACES);
    let gold = Source::in_memory("gold.json", GOLD_WITH_PLACES);
    let which: QuerySelector = "fir".parse().unwrap();
    let explained = explain_sources(&predictions, &gold, &options, &which).unwrap();
    assert_eq!((explained.number, explained.query.as_str()), (1, "first"));
    let scores = explained.verdicts.iter().flat_map(|verdict| &verdict.scores);
    let values: Vec<_> = scores.map(|(_, outcome)| outcome.value().unwrap()).collect();
    assert_eq!(values, expected.rows[0].values);
}

#[test]
fn a_test_without_snippets_is_explained_as_unscored() {
    let predictions = r#"[{"query": "empty", "retrieved_passages": ["alpha"]}]"#;
    let predictions = Source::in_memory("predictions.json", predictions);
    let gold = Source::in_memory("gold.json", THREE_TESTS);
    let which = QuerySelector::Number(1);
    let options = ScoreOptions::default();
    let explained = explain_sources(&predictions, &gold, &options, &which).unwrap();
    let outcome = explained.verdicts[0].score("recall@10").unwrap();
    assert_eq!(*outcome, Outcome::unscored("the test has no gold snippets"));
}

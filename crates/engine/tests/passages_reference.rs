//! The drop-in scorer on the reference data: same figures as the ones it replaces.
//!
//! Run by `cargo xtask test --data DIR`.

use std::fs;
use std::path::PathBuf;

use assize_engine::input::Source;
use assize_engine::retrieval::passages::{ScoreOptions, score, score_sources};
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_methods::retrieval::passages::{NdcgIdeal, PassageOptions, Whitespace};
use serde_json::{Value, json};

/// The retrieval folder of the reference data.
fn data() -> PathBuf {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    PathBuf::from(data).join("retrieval")
}

fn options(passages: PassageOptions) -> ScoreOptions {
    ScoreOptions { passages, ..ScoreOptions::default() }
}

fn ideal(ndcg_ideal: NdcgIdeal) -> ScoreOptions {
    options(PassageOptions { ndcg_ideal, ..PassageOptions::default() })
}

fn unclipped() -> ScoreOptions {
    options(PassageOptions { ndcg_clipped: false, ..PassageOptions::default() })
}

/// The four means with the four decimals that are printed.
fn printed(board: &Scoreboard) -> [String; 4] {
    let mean = |index| board.column(index).sum::<f64>() / board.rows.len() as f64;
    [0, 1, 2, 3].map(|index| format!("{:.4}", mean(index)))
}

#[test]
fn contractnli_gives_the_known_figures_in_all_four_ndcg_readings() {
    let data = data();
    let known = [
        ("tfidf", ["0.0000", "0.2009", "0.3717"], ["0.2605", "0.2922", "0.2752", "0.2548"]),
        ("bm25", ["0.0000", "0.2217", "0.5267"], ["0.4171", "0.4578", "0.4544", "0.4083"]),
    ];
    let readings = [
        ScoreOptions::default(),
        unclipped(),
        ideal(NdcgIdeal::Retrieved),
        ideal(NdcgIdeal::Matched),
    ];
    for (system, others, ndcg) in known {
        let predictions = data.join(format!("contractnli/{system}_predictions_100.json"));
        for (reading, ndcg) in readings.iter().zip(ndcg) {
            // The whole benchmark has 977 tests; 100 of them are predicted.
            for gold in ["contractnli/gold_100.json", "contractnli/benchmark.json"] {
                let board = score(&predictions, &data.join(gold), reading).unwrap();
                let [exact_match, span_f1, recall, ..] = others;
                assert_eq!(printed(&board), [exact_match, span_f1, recall, ndcg], "{system}");
                assert_eq!(board.rows.len(), 100);
            }
        }
    }
}

#[test]
fn stripping_only_lowers_recall_on_contractnli() {
    let data = data();
    let whitespace = Whitespace::Strip;
    let options = options(PassageOptions { whitespace, ..PassageOptions::default() });
    let predictions = data.join("contractnli/tfidf_predictions_100.json");
    let board = score(&predictions, &data.join("contractnli/gold_100.json"), &options).unwrap();
    assert_eq!(printed(&board)[2], "0.3133");
}

#[test]
fn every_query_of_contractnli_has_its_known_values() {
    let data = data();
    let expected = fs::read(data.join("contractnli/expected_100.json")).unwrap();
    let expected: Value = serde_json::from_slice(&expected).unwrap();
    for system in ["tfidf", "bm25"] {
        let predictions = data.join(format!("contractnli/{system}_predictions_100.json"));
        let gold = data.join("contractnli/gold_100.json");
        let formula = score(&predictions, &gold, &unclipped()).unwrap();
        let origin = score(&predictions, &gold, &ideal(NdcgIdeal::Retrieved)).unwrap();
        let queries = expected[system]["per_query"].as_array().unwrap();
        assert_eq!(queries.len(), formula.rows.len());
        for (index, query) in queries.iter().enumerate() {
            let [exact_match, span_f1, recall, ndcg] = formula.rows[index].values[..] else {
                panic!("not four values")
            };
            let ours = [exact_match, span_f1, recall, ndcg, origin.rows[index].values[3]];
            let names = ["exact_match", "span_f1", "recall@10", "ndcg@10_doc", "ndcg@10_origin"];
            for (name, ours) in names.iter().zip(ours) {
                let known = query[name].as_f64().unwrap();
                assert!((ours - known).abs() < 1e-9, "{system} {index} {name}: {ours} {known}");
            }
        }
    }
}

/// A blank passage matches nothing here, where the scorer of the seed's authors has it
/// match everything; everywhere else the values are theirs.
#[test]
fn the_edge_cases_give_the_known_values_except_for_blank_passages() {
    let data = data();
    let cases = fs::read(data.join("edge_cases.json")).unwrap();
    let cases: Value = serde_json::from_slice(&cases).unwrap();
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 20);
    for case in cases {
        let snippets: Vec<Value> =
            case["gold"].as_array().unwrap().iter().map(|gold| json!({ "answer": gold })).collect();
        let predictions = json!([{ "query": "q", "retrieved_passages": case["retrieved"] }]);
        let gold = json!({ "tests": [{ "query": "q", "snippets": snippets }] });
        let predictions = Source::in_memory("predictions", predictions.to_string());
        let gold = Source::in_memory("gold", gold.to_string());
        let values = |options: &ScoreOptions| {
            score_sources(&predictions, &gold, options).unwrap().rows[0].values.clone()
        };
        let first = case["retrieved"].get(0).and_then(Value::as_str);
        let blank = first.is_some_and(|text| text.trim().is_empty());
        let known = |value: &Value| if blank { 0.0 } else { value.as_f64().unwrap() };

        let origin = &case["origin"];
        let found = values(&ideal(NdcgIdeal::Retrieved));
        let names = ["exact_match", "span_f1", "recall@10", "ndcg@10"];
        for (name, ours) in names.iter().zip(&found) {
            assert!((ours - known(&origin[name])).abs() < 1e-9, "{}: {name} {ours}", case["name"]);
        }
        let formula = known(&case["doc_ndcg"]);
        assert!((values(&unclipped())[3] - formula).abs() < 1e-9, "{}", case["name"]);
        let held = values(&ScoreOptions::default())[3];
        assert!((held - formula.min(1.0)).abs() < 1e-9, "{}: {held}", case["name"]);
    }
}

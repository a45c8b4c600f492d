//! Files as other tools write them: each is scored by one command.

use std::fs;
use std::path::Path;

use crate::support::assize;

/// The value of a measure in the plain output.
fn value(arguments: &[&str], measure: &str) -> f64 {
    let said = assize(arguments);
    assert_eq!(said.code, 0, "{arguments:?}: {}", said.stderr);
    let line = said.stdout.lines().find(|line| line.split([' ', ':']).any(|word| word == measure));
    let line = line.unwrap_or_else(|| panic!("{measure}: {}", said.stdout));
    let after = line.split(measure).nth(1).unwrap();
    let number = after.split_whitespace().find_map(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("{line}"))
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-5, "{found} instead of {expected}");
}

/// Found first, not found: recall 1 and 0. Found second of two, both found: 1 and 1.
#[test]
fn both_forms_of_ragas_hold_their_own_references() {
    near(value(&["score", "ecosystem/ragas-v1.json"], "recall@10"), 0.5);
    near(value(&["score", "ecosystem/ragas-v2.jsonl"], "recall@10"), 1.0);
    // The first query finds its gold at rank 2: 1/log2(3); the second has both.
    let ndcg = f64::midpoint(1.0 / assize_score::float::log2(3.0), 1.0);
    near(value(&["score", "ecosystem/ragas-v2.jsonl", "-m", "nDCG@2"], "ndcg@2"), ndcg);
}

/// What ragas 0.4.3 gives for its own file, and the answers by rules: "the owner" and "on the
/// first" stand in the contexts, and are no claims.
#[test]
fn contexts_are_measured_as_ragas_does_and_answers_against_them() {
    let ragas = ["score", "ecosystem/ragas-v2.jsonl", "-m"];
    let context = |measure: &str| value(&[&ragas[..], &[measure]].concat(), measure);
    // By letters "The tenant pays the rent." is half like "The owner repairs the roof.".
    near(context("non_llm_context_precision_with_reference"), 1.0);
    near(context("non_llm_context_recall"), 1.0);
    let run = r#"{"query": "who pays?", "retrieved_passages": ["The tenant pays the rent on the first day of each month."], "response": "The tenant pays the rent on the first day of each month. The harbour office sells fresh oysters to visitors in Lisbon.", "reference": "The tenant pays."}
{"query": "when?", "retrieved_passages": ["On the first day."], "reference": "On the first day."}"#;
    let (_folder, run) = crate::support::file("run.jsonl", run);
    let both = ["score", &run, "-m", "recall@5,faithfulness,answer_relevance"];
    near(value(&both, "faithfulness"), 0.5);
    near(value(&both, "answer_relevance"), 0.5);
    let said = assize(&both);
    let notice = "queries whose answer has no score: 1, skipped; the record has no answer";
    assert!(said.stderr.contains(notice), "{}", said.stderr);
    let said = assize(&["score", &run, "-m", "faithfulness", "--explain", "1"]);
    assert!(said.stdout.contains("faithfulness: 0.5"), "{}", said.stdout);
    let none = ["score", "ecosystem/predictions.jsonl", "ecosystem/gold.json"];
    let said = assize(&[&none[..], &["-m", "faithfulness"]].concat());
    assert_eq!(said.code, 2, "{}", said.stdout);
    assert!(said.stderr.contains("no prediction has an answer"), "{}", said.stderr);
}

#[test]
fn langchain_llama_index_and_our_own_lines_are_scored() {
    let gold = "ecosystem/gold.json";
    near(value(&["score", "ecosystem/langchain.jsonl", gold], "recall@10"), 1.0);
    near(value(&["score", "ecosystem/langchain.jsonl", gold, "--k", "1"], "recall@1"), 0.5);
    let questions = "ecosystem/llamaindex-questions.json";
    near(value(&["score", "ecosystem/llamaindex.json", questions], "recall@10"), 0.5);
    near(value(&["score", "ecosystem/predictions.jsonl", gold], "recall@10"), 1.0);
}

/// A file that another tool wrote (`scripts/foreign_files.py`).
fn foreign(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/foreign").join(name);
    path.to_str().unwrap().to_owned()
}

/// Both questions have their gold first among two passages.
#[test]
fn logs_data_sets_and_tables_of_other_tools_are_scored() {
    for name in [
        "inspect.json",
        "langfuse-dataset.json",
        "phoenix-dataset.json",
        "mlflow-table.json",
        "huggingface.parquet",
    ] {
        let file = foreign(name);
        near(value(&["score", &file], "recall@10"), 1.0);
        near(value(&["score", &file, "-m", "ndcg@1"], "ndcg@1"), 1.0);
    }
    // What ragas 0.4.3 gives: one of three retrieved is relevant, and one of two relevant is retrieved.
    let ids = foreign("ragas-ids.jsonl");
    near(value(&["score", &ids, "-m", "set_p"], "set_p"), 1.0 / 3.0);
    near(value(&["score", &ids, "-m", "set_recall"], "set_recall"), 0.5);
}

#[test]
fn scores_of_other_tools_are_judges_and_raters() {
    for (name, judge, rater) in [
        ("langfuse-scores.json", "judge/EVAL", "ann/ANNOTATION"),
        ("phoenix-annotations.json", "correct/LLM", "correct/HUMAN"),
        ("inspect.json", "scores.includes", "sample"),
        ("mlflow-runs.json", "scores.correctness", "scores.seconds"),
        ("mlflow-runs-api.json", "scores.correctness", "scores.seconds"),
        ("otel-events.jsonl", "Relevance", "Correctness"),
    ] {
        let (judge, rater) = (format!("j=col:{judge}"), format!("r=col:{rater}"));
        let file = foreign(name);
        let said = assize(&[
            "judges", "bench", "--items", &file, "--judges", &judge, "--raters", &rater,
            "--format", "json",
        ]);
        assert_eq!(said.code, 0, "{name}: {}", said.stderr);
        let found: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
        assert_eq!(
            (found["items"].as_u64(), found["judges"][0]["count"].as_u64()),
            (Some(2), Some(2)),
            "{name}"
        );
    }
    // The only scores of this file are found, and are not held against themselves.
    let file = foreign("mlflow-table.json");
    let [judge, rater] = ["j", "r"].map(|name| format!("{name}=col:relevance/v1/score"));
    let said =
        assize(&["judges", "bench", "--items", &file, "--judges", &judge, "--raters", &rater]);
    assert_eq!(said.code, 2, "{}", said.stdout);
    assert!(said.stderr.contains("`j` and `r` are the same scores"), "{}", said.stderr);
}

#[test]
fn runs_and_qrels_of_ms_marco_have_three_columns_or_four() {
    for run in ["ecosystem/msmarco-run.tsv", "ecosystem/msmarco-run-scores.tsv"] {
        for qrels in ["ecosystem/msmarco-qrels.tsv", "ecosystem/msmarco-qrels-3.tsv"] {
            // Ranks 2 and 1: (1/2 + 1) / 2.
            near(value(&["score", run, qrels, "--metrics", "RR@10"], "mrr@10"), 0.75);
        }
    }
}

#[test]
fn a_folder_of_beir_is_retrieved_from_and_scored() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["trec", "parquet"] {
        let run = folder.path().join(format!("run.{format}"));
        let run = run.to_str().unwrap();
        for corpus in ["ecosystem/beir/corpus.jsonl", "ecosystem/beir"] {
            let queries = "ecosystem/beir/queries.jsonl";
            let said = assize(&["retrieve", queries, "--corpus", corpus, "-o", run]);
            assert_eq!(said.code, 0, "{}", said.stderr);
        }
        let score = ["score", run, "ecosystem/beir/qrels/test.tsv", "-m"];
        let recall = value(&[&score[..], &["R@2"]].concat(), "recall@2");
        near(recall, 1.0);
        near(value(&[&score[..], &["P(rel=2)@1,hit rate@1"]].concat(), "success@1"), 1.0);
    }
    let run = fs::read_to_string(folder.path().join("run.trec")).unwrap();
    assert!(run.starts_with("q1 Q0 roof 1 "), "{run}");
    let said = assize(&[
        "retrieve",
        "ecosystem/beir/queries.jsonl",
        "--corpus",
        "ecosystem/beir",
        "--format",
        "jsonl",
    ]);
    assert_eq!(said.stdout.lines().count(), 4, "{}", said.stdout);
}

#[test]
fn several_cut_offs_are_scored_at_once() {
    let files = ["score", "retrieval/keyword.json", "retrieval/gold.json"];
    let said = assize(&[&files[..], &["-m", "recall@1,recall@3,ndcg@2,span_f1"]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    let alone = assize(&[&files[..], &["--k", "3"]].concat());
    let line = |text: &str, start: &str| {
        text.lines().find(|line| line.starts_with(start)).map(str::to_owned).unwrap()
    };
    assert_eq!(line(&said.stdout, "recall@3"), line(&alone.stdout, "recall@3"));
    for name in ["recall@1", "ndcg@2", "span_f1"] {
        line(&said.stdout, name);
    }
}

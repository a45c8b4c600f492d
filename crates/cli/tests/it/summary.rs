//! `assize summary`: scorecards in every form, from every kind of input.

mod agree;
mod hostile;
mod page;
mod schema;

use serde_json::Value;

use crate::support::{Said, assize, file};

pub(crate) const ARTICLE: &str = "summary/article.txt";
pub(crate) const GOOD: &str = "summary/good.txt";
pub(crate) const BAD: &str = "summary/bad.txt";
pub(crate) const PAIRS: &str = "summary/pairs.jsonl";
const METRICS: [&str; 5] = ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"];

/// The scorecard of two texts.
pub(crate) fn card(article: &str, summary: &str, framework: &str) -> (i32, Value) {
    let (_articles, article) = file("article.txt", article);
    let (_summaries, summary) = file("summary.txt", summary);
    let said = assize(&[
        "summary",
        "score",
        "--article",
        &article,
        "--summary",
        &summary,
        "--framework",
        framework,
        "--format",
        "json",
    ]);
    assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    (said.code, serde_json::from_str(&said.stdout).unwrap())
}

/// `assize summary score --input` with more arguments.
pub(crate) fn score(input: &str, more: &[&str]) -> Said {
    assize(&[&["summary", "score", "--input", input], more].concat())
}

#[test]
fn the_metric_objects_stand_in_their_strict_order() {
    for framework in ["twin-lock", "judge-lock"] {
        let said = score(PAIRS, &["--framework", framework, "--format", "jsonl"]);
        let lines: Vec<Value> =
            said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!((said.code, lines.len()), (0, 6));
        for line in lines {
            let names: Vec<&str> = line.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(names[..2], ["id", "method"]);
            assert_eq!(names[2..7], METRICS);
            assert_eq!(line["method"]["name"], framework);
        }
    }
}

#[test]
fn a_good_summary_scores_above_a_bad_one() {
    let value = |summary: &str, metric: &str| {
        let said = assize(&[
            "summary",
            "score",
            "--article",
            ARTICLE,
            "--summary",
            summary,
            "--format",
            "json",
        ]);
        let card: Value = serde_json::from_str(&said.stdout).unwrap();
        card[metric]["overall_score"].as_f64().unwrap()
    };
    for metric in ["coverage", "hallucination", "relevance", "bias_toxicity"] {
        assert!(value(GOOD, metric) > value(BAD, metric), "{metric}");
    }
}

/// The framework holds coverage and relevance at 4 as soon as one claim is unsupported.
#[test]
fn an_invented_claim_shows_its_caps_on_the_scorecard() {
    let said = assize(&["summary", "score", "--article", ARTICLE, "--summary", BAD]);
    assert_eq!(said.code, 0);
    let coverage = said.stdout.lines().find(|line| line.starts_with("Coverage")).unwrap();
    assert!(coverage.contains("4.00") && coverage.contains("capped at 4"), "{coverage}");
    for part in ["Claims of the summary", "Key points of the article", "Ledger", "unsupported"] {
        assert!(said.stdout.contains(part), "{part}");
    }
}

#[test]
fn the_table_ends_in_means_with_their_counts() {
    let (_folder, path) = file(
        "mixed.jsonl",
        "{\"id\": \"a\", \"article\": \"It rained on Mull. The ferry was late.\", \"summary\": \"It rained on Mull.\"}\n\
         {\"id\": \"b\", \"article\": \"It rained.\", \"summary\": \"\"}\n",
    );
    let said = score(&path, &[]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let row = |name: &str| {
        let line = said.stdout.lines().find(|line| line.trim_start().starts_with(name)).unwrap();
        line.split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("scored"), ["1"; 5]);
    assert_eq!(row("unscored"), ["1"; 5]);
    assert_eq!(row("mean")[2], "10.0000");
    assert!(said.stdout.contains("b error: empty_summary"), "{}", said.stdout);
    assert!(said.stderr.contains("1 of 2 records"), "{}", said.stderr);
}

#[test]
fn a_broken_record_names_line_and_field_and_the_run_goes_on() {
    let (_folder, path) = file(
        "broken.jsonl",
        "{\"article\": \"It rained on Mull.\", \"summary\": \"It rained.\"}\n\
         {\"article\": \"It rained on Mull.\"}\n\
         {\"article\": \"It rained on Mull.\", \"summary\": 7}\n\
         not json\n\
         {\"article\": \"It rained on Mull.\", \"summary\": \"It rained.\"}\n",
    );
    let said = score(&path, &["--format", "jsonl"]);
    assert_eq!(said.code, 0);
    let lines: Vec<Value> =
        said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[1]["error"], "malformed_record: line 2: field `summary` is missing");
    let expected = "malformed_record: line 3: field `summary` is a number, expected text";
    assert_eq!(lines[2]["error"], expected);
    let error = lines[3]["error"].as_str().unwrap();
    assert!(error.starts_with("malformed_record: line 4: not valid JSON"), "{error}");
    assert_eq!(lines[0], lines[4]);
    assert!(lines[4]["coverage"].is_object());
}

#[test]
fn a_file_in_which_nothing_can_be_scored_is_bad_input() {
    let (_folder, path) = file("none.jsonl", "{\"article\": \"a\", \"summary\": \"\"}\n");
    let said = score(&path, &["--format", "jsonl"]);
    assert_eq!((said.code, said.stdout.as_str()), (2, "{\"error\":\"empty_summary\"}\n"));
}

#[test]
fn other_layouts_and_field_names_give_the_same_scorecards() {
    let pairs = std::fs::read_to_string(crate::support::examples().join(PAIRS)).unwrap();
    let records: Vec<Value> =
        pairs.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let expected = score(PAIRS, &["--format", "jsonl"]).stdout;
    let (_json, json) = file("pairs.json", format!("{:#}", Value::Array(records.clone())));
    assert_eq!(score(&json, &["--format", "jsonl"]).stdout, expected);
    let mut csv = String::from("name,meta.text,short\n");
    for record in &records {
        let quoted =
            |field: &str| format!("\"{}\"", record[field].as_str().unwrap().replace('"', "\"\""));
        let fields = ["id", "article", "summary"].map(quoted);
        csv.push_str(&fields.join(","));
        csv.push('\n');
    }
    let (_csv, csv) = file("pairs.csv", csv);
    let fields = ["--article-field", "meta.text", "--summary-field", "short", "--id-field", "name"];
    let said = score(&csv, &[&["--format", "jsonl"][..], &fields].concat());
    assert_eq!(said.stdout, expected);
}

#[test]
fn an_array_of_scorecards_is_one_json_document() {
    let said = score(PAIRS, &["--format", "json"]);
    let cards: Vec<Value> = serde_json::from_str(&said.stdout).unwrap();
    let lines = score(PAIRS, &["--format", "jsonl"]).stdout;
    let same: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(cards, same);
}

#[test]
fn a_mean_below_its_threshold_exits_with_one() {
    assert_eq!(score(PAIRS, &["--fail-under", "hallucination=0"]).code, 0);
    let missed = score(PAIRS, &["--fail-under", "hallucination=9.99"]);
    assert_eq!(missed.code, 1);
    assert!(missed.stderr.contains("FAIL hallucination "), "{}", missed.stderr);
    assert!(missed.stderr.contains(" < 9.9900"), "{}", missed.stderr);
    let unknown = score(PAIRS, &["--fail-under", "halucination=1"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
}

/// Four of five records cannot be scored: the mean of the fifth proves nothing.
#[test]
fn a_threshold_fails_when_records_have_no_score() {
    let text = "The cat sat on the mat all day long. It was warm.";
    let lines = [
        r#"{"id":1,"article":"A b c. D e f.","summary":""}"#.to_owned(),
        format!(r#"{{"id":2,"article":"{text}","summary":null}}"#),
        format!(r#"{{"id":3,"article":"{text}","summary":"The cat sat on the mat."}}"#),
        "not json".to_owned(),
        format!(r#"{{"id":5,"article":"{text}","sumary":"The cat sat on the mat."}}"#),
    ];
    let (_folder, path) = file("bad.jsonl", lines.join("\n"));
    let threshold = ["--fail-under", "hallucination=5"];
    let failed = score(&path, &threshold);
    assert_eq!(failed.code, 1, "{}", failed.stderr);
    assert!(failed.stderr.contains("PASS hallucination"), "{}", failed.stderr);
    assert!(failed.stderr.contains("FAIL only 1 of 5 items have a score"), "{}", failed.stderr);
    let allowed = score(&path, &[&threshold[..], &["--allow-unscored"]].concat());
    assert_eq!(allowed.code, 0, "{}", allowed.stderr);
    // Without a threshold nothing is checked.
    assert_eq!(score(&path, &[]).code, 0);
}

#[test]
fn an_output_file_is_written_in_the_form_of_its_name_and_nothing_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in [("a.jsonl", "{\"id\""), ("a.json", "[\n{"), ("a.html", "<!DOCTYPE html>")]
    {
        let path = folder.path().join(name);
        let said = score(PAIRS, &["-o", path.to_str().unwrap()]);
        assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{name}");
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(start), "{name}");
    }
}

#[test]
fn the_rule_judge_is_measured_beside_plain_baselines() {
    let said = assize(&["summary", "bench", PAIRS, "--resamples", "0"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    for part in [
        "pairs: Spearman by document with human.consistency",
        "twin-lock hallucination",
        "ROUGE-2 precision",
        "twin-lock relevance",
        "6 pairs, 2 articles",
        "of 4 perfect summaries score 3 or less",
    ] {
        assert!(said.stdout.contains(part), "{part}: {}", said.stdout);
    }
    assert!(said.stdout.lines().all(|line| line.chars().count() <= 80), "{}", said.stdout);
    let json = assize(&["summary", "bench", PAIRS, "--resamples", "0", "--format", "json"]);
    let files: Vec<Value> = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(files[0]["parts"][0]["perfect"][1], 4);
    let (_folder, unrated) =
        file("unrated.jsonl", "{\"article\": \"It rained.\", \"summary\": \"It rained.\"}\n");
    assert_eq!(assize(&["summary", "bench", &unrated]).code, 2);
}

#[test]
fn wrong_usage_is_told_before_any_work() {
    for arguments in [
        &["summary", "score"][..],
        &["summary", "score", "--article", ARTICLE],
        &["summary", "score", "--article", ARTICLE, "--summary", GOOD, "--input", PAIRS],
        &["summary", "score", "--input", PAIRS, "--framework", "triple-lock"],
        &["summary", "score", "--input", "missing.jsonl"],
        &["summary", "score", "--input", "summary"],
        &["summary", "score", "--article", "-", "--summary", "-"],
    ] {
        let said = assize(arguments);
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{arguments:?} {}", said.stderr);
    }
}

#[test]
fn the_literal_overlap_says_what_it_compared_with() {
    let said = score(PAIRS, &["--overlap", "literal", "--format", "jsonl"]);
    let first: Value = serde_json::from_str(said.stdout.lines().next().unwrap()).unwrap();
    assert_eq!(first["relevance"]["overlap_with"], "whole_article");
    // A sentence is always a small part of an article: to the letter, it has no overlap.
    assert_eq!(first["relevance"]["segments"][0]["label"], "none");
}

#[test]
fn the_demo_shows_a_scorecard_with_its_ledger() {
    let said = assize(&["demo", "--all"]);
    assert_eq!(said.code, 0);
    for part in ["Summaries:", "Claims of the summary", "unsupported fraction", "capped at 4"] {
        assert!(said.stdout.contains(part), "{part}");
    }
}

/// The first thing a newcomer sees.
#[test]
fn the_demo_fits_a_screen_and_shows_every_instrument() {
    let said = assize(&["demo"]);
    assert_eq!(said.code, 0);
    assert!(said.stdout.lines().count() <= 45, "{}", said.stdout);
    for part in ["Retrieval:", "Summary:", "Compliance:", "Council:", "unsupported fraction"] {
        assert!(said.stdout.contains(part), "{part}");
    }
}

/// One thread and many, once and again: the same bytes in every form.
#[test]
fn threads_and_repetition_do_not_change_a_byte() {
    let run = |threads: &str, format: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_assize"));
        command.args(["summary", "score", "--input", PAIRS, "--format", format, "--explain"]);
        command.args(["--framework", "judge-lock"]).env("RAYON_NUM_THREADS", threads);
        command.current_dir(crate::support::examples()).output().unwrap().stdout
    };
    for format in ["jsonl", "json", "table", "html"] {
        let once = run("1", format);
        assert!(!once.is_empty());
        assert_eq!(once, run("4", format), "{format}");
        assert_eq!(once, run("4", format), "{format}");
    }
}

/// A score of 0 is understood only with what was asked.
#[test]
fn a_scorecard_by_judge_lock_shows_questions_with_both_answers() {
    let files = ["--article", ARTICLE, "--summary", BAD];
    let said = assize(&[&["summary", "score", "--framework", "judge-lock"], &files[..]].concat());
    assert_eq!(said.code, 0, "{}", said.stderr);
    for title in [
        "Questions about the article, answered from the summary",
        "Questions about the claims, answered from the article",
    ] {
        let questions =
            said.stdout.split_once(title).unwrap_or_else(|| panic!("{}", said.stdout)).1;
        let lines: Vec<&str> = questions.lines().skip(1).take(2).collect();
        assert!(lines[0].starts_with("  1  "), "{}", said.stdout);
        assert!(lines[1].contains("expected “") && lines[1].contains("found "), "{}", said.stdout);
    }
    let plain = assize(&[&["summary", "score"], &files[..]].concat());
    assert!(!plain.stdout.contains("Questions about"), "{}", plain.stdout);
}

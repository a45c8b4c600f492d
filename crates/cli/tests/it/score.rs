//! `assize score`.

use crate::support::{assize, file};

const RUN: &str = "retrieval/keyword.json";
const GOLD: &str = "retrieval/gold.json";

/// The values were computed with a Python scorer on NLTK.
#[test]
fn the_plain_form_is_the_drop_in_form_to_the_byte() {
    let said = assize(&["score", RUN, GOLD]);
    let expected = "\
Evaluation Results:
==========================
exact_match: 0.1667
span_f1: 0.4709
recall@10: 0.8333
ndcg@10: 0.7103
num_examples: 6.0000
==========================
";
    assert_eq!((said.stdout.as_str(), said.code), (expected, 0));
    // What had to be held at 1 is told apart from the data.
    assert!(said.stderr.contains("clipped to 1"), "{}", said.stderr);
}

#[test]
fn output_writes_the_same_names_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.json");
    assize(&["score", RUN, GOLD, "--k", "5", "--output", path.to_str().unwrap()]);
    let written: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let names: Vec<&String> = written.as_object().unwrap().keys().collect();
    assert_eq!(names, ["exact_match", "span_f1", "recall@5", "ndcg@5", "num_examples"]);
    assert_eq!(written["num_examples"], 6.0);
}

#[test]
fn a_table_shows_intervals_that_hold_the_mean() {
    let said = assize(&["score", RUN, GOLD, "--format", "json"]);
    let results: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let recall = &results["measures"]["recall@10"];
    let number = |key: &str| recall[key].as_f64().unwrap();
    assert!(number("low") < number("value") && number("value") <= number("high"));
    let table = assize(&["score", RUN, GOLD, "--format", "table"]);
    assert!(table.stdout.contains("95 % interval"), "{}", table.stdout);
}

#[test]
fn explain_shows_which_passage_matched_and_the_cap() {
    let said = assize(&["score", "retrieval/semantic.json", GOLD, "--explain", "5"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("does the recipient obtain any licence?"), "{}", said.stdout);
    assert!(said.stdout.contains("at most 1"), "{}", said.stdout);
}

#[test]
fn a_missed_threshold_exits_with_one_and_says_which() {
    let met = assize(&["score", RUN, GOLD, "--fail-under", "recall@10=0.8"]);
    assert_eq!(met.code, 0);
    assert!(met.stderr.contains("PASS recall@10 0.8333 >= 0.8000"), "{}", met.stderr);
    let missed = assize(&["score", RUN, GOLD, "--fail-under", "recall@10=0.9"]);
    assert_eq!(missed.code, 1);
    assert!(missed.stderr.contains("FAIL recall@10 0.8333 < 0.9000"), "{}", missed.stderr);
    let unknown = assize(&["score", RUN, GOLD, "--fail-under", "recal@10=0.9"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
}

#[test]
fn a_threshold_for_a_measure_that_was_not_asked_for_has_it_computed() {
    let said = assize(&["score", RUN, GOLD, "--fail-under", "recall@1=0.9"]);
    let alone = assize(&["score", RUN, GOLD, "--k", "1"]);
    let line = alone.stdout.lines().find(|line| line.starts_with("recall@1: ")).unwrap();
    let value = line.strip_prefix("recall@1: ").unwrap();
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains(&format!("FAIL recall@1 {value} < 0.9000")), "{}", said.stderr);
    // It stands beside the usual measures, and nothing else does.
    let names = ["exact_match", "span_f1", "recall@10", "ndcg@10", "recall@1", "num_examples"];
    let shown: Vec<&str> =
        said.stdout.lines().filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(shown, names);

    let (_run, run) = file("a.trec", "q Q0 d1 1 9 a\nq Q0 d2 2 8 a\n");
    let (_qrels, qrels) = file("qrels", "q 0 d2 1\n");
    let said = assize(&["score", &run, &qrels, "--fail-under", "recall@1=0.5", "-m", "map"]);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("FAIL recall@1 0.0000 < 0.5000"), "{}", said.stderr);
    let said = assize(&["score", &run, &qrels, "--fail-under", "faithfulness=0.5"]);
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("faithfulness"), "{}", said.stderr);
}

#[test]
fn a_wrong_key_and_a_wrong_measure_say_where_to_look() {
    let wrong = r#"[{"query": "a", "passages_found": ["b"]}]"#;
    let (_folder, path) = file("wrong.json", wrong);
    let said = assize(&["score", &path, GOLD]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("the record has `query`, `passages_found`"), "{}", said.stderr);
    assert!(said.stderr.contains("--map passages=KEY"), "{}", said.stderr);

    let (_run, run) = file("a.trec", "q Q0 d1 1 9 a\n");
    let (_qrels, qrels) = file("qrels", "q 0 d1 1\n");
    for files in [[RUN, GOLD], [&run, &qrels]] {
        let said = assize(&["score", files[0], files[1], "-m", "toxicity"]);
        assert_eq!(said.code, 2);
        assert!(said.stderr.contains("see `assize measures`"), "{}", said.stderr);
    }
}

#[test]
fn a_run_that_falls_behind_its_baseline_exits_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("before.json");
    let path = path.to_str().unwrap();
    assize(&["score", "retrieval/semantic.json", GOLD, "-o", path]);
    let worse = assize(&["score", RUN, GOLD, "--baseline", path, "--max-drop", "0.02"]);
    assert_eq!(worse.code, 1);
    assert!(worse.stderr.contains("(baseline 1.0000)"), "{}", worse.stderr);
    let same = assize(&["score", "retrieval/semantic.json", GOLD, "--baseline", path]);
    assert_eq!(same.code, 0);
    // The same values over another number of queries prove nothing.
    let text = std::fs::read_to_string(path).unwrap();
    std::fs::write(path, text.replace("\"num_examples\": 6.0", "\"num_examples\": 7.0")).unwrap();
    let other = assize(&["score", "retrieval/semantic.json", GOLD, "--baseline", path]);
    assert_eq!(other.code, 1);
    let line = "FAIL 6 items, but the baseline has 7";
    assert!(other.stderr.contains(line), "{}", other.stderr);
}

#[test]
fn per_query_values_go_to_a_file_in_the_form_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    for (name, start) in
        [("q.csv", "query,exact_match,"), ("q.jsonl", "{\"query\":"), ("q.json", "[")]
    {
        let path = folder.path().join(name);
        assize(&["score", RUN, GOLD, "--per-query", path.to_str().unwrap()]);
        assert!(std::fs::read_to_string(&path).unwrap().starts_with(start), "{name}");
    }
    let refused = assize(&["score", RUN, GOLD, "--per-query", "queries.xml"]);
    assert_eq!(refused.code, 2);
}

#[test]
fn broken_json_names_file_line_and_column() {
    let (_folder, path) = file("broken.json", "[{\"query\": \"a\",\n  \"retrieved_passages\": [}]");
    let said = assize(&["score", &path, GOLD]);
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("broken.json:2:"), "{}", said.stderr);
}

#[test]
fn a_wrong_shape_names_record_and_field() {
    let (_folder, path) = file("shape.json", "[{\"query\": \"a\"}]");
    let said = assize(&["score", &path, GOLD]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("retrieved_passages"), "{}", said.stderr);
}

#[test]
fn bad_files_are_told_apart() {
    let (_folder, empty) = file("empty.json", "");
    for (path, word) in
        [(empty.as_str(), "empty"), ("retrieval", "directory"), ("missing.json", "missing.json")]
    {
        let said = assize(&["score", path, GOLD]);
        assert_eq!(said.code, 2, "{path}");
        assert!(said.stderr.contains(word), "{}", said.stderr);
        assert!(!said.stderr.contains("panicked"), "{}", said.stderr);
    }
}

#[test]
fn k_of_zero_is_wrong_usage() {
    let said = assize(&["score", RUN, GOLD, "--k", "0"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("--k"), "{}", said.stderr);
}

/// Five of 36 queries answered, all of them right.
#[test]
fn thresholds_fail_when_answers_are_missing() {
    let tests: Vec<String> = (0..36)
        .map(|n| format!(r#"{{"query": "q{n}", "snippets": [{{"answer": "text {n}"}}]}}"#))
        .collect();
    let answers: Vec<String> = (0..5)
        .map(|n| format!(r#"{{"query": "q{n}", "retrieved_passages": ["text {n}"]}}"#))
        .collect();
    let (_gold_folder, gold) = file("gold.json", format!("[{}]", tests.join(",")));
    let (_run_folder, run) = file("run.json", format!("[{}]", answers.join(",")));
    let threshold = ["score", &run, &gold, "--fail-under", "recall@10=0.9"];
    let said = assize(&threshold);
    assert_eq!(said.code, 1, "{}", said.stderr);
    assert!(said.stderr.contains("FAIL only 5 of 36 queries are answered"), "{}", said.stderr);
    assert_eq!(assize(&[&threshold[..], &["--allow-missing"]].concat()).code, 0);
    let zero = assize(&[&threshold[..], &["--require-all"]].concat());
    assert_eq!(zero.code, 1);
    assert!(zero.stderr.contains("FAIL recall@10 0.1389 < 0.9000"), "{}", zero.stderr);
    assert_eq!(assize(&["score", &run, &gold]).code, 0, "without thresholds it is a note");
}

#[test]
fn a_reader_that_goes_away_is_not_an_error() {
    let script = format!(
        "{} score {RUN} {GOLD} --format jsonl | head -n 1 >/dev/null; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_assize")
    );
    let mut shell = std::process::Command::new("bash");
    let status = shell.args(["-c", &script]).current_dir(crate::support::examples()).status();
    assert_eq!(status.unwrap().code(), Some(0));
}

#[test]
fn one_thread_and_many_give_the_same_bytes() {
    let run = |threads: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_assize"));
        command.args(["score", RUN, GOLD, "--format", "json"]).env("RAYON_NUM_THREADS", threads);
        command.current_dir(crate::support::examples()).output().unwrap().stdout
    };
    assert_eq!(run("1"), run("7"));
}

#[test]
fn trec_files_are_scored_by_identifier() {
    let (_run_folder, run) =
        file("run.trec", "q1 Q0 d1 1 2.5 x\nq1 Q0 d2 2 1.5 x\nq2 Q0 d1 1 1 x\n");
    let (_gold_folder, qrels) = file("qrels.trec", "q1 0 d2 1\nq2 0 d1 1\n");
    let said = assize(&["score", &run, &qrels, "-m", "mrr,p@1", "--format", "csv"]);
    // Reciprocal ranks 1/2 and 1; one of two top documents is relevant.
    let values: Vec<&str> =
        said.stdout.lines().skip(1).filter_map(|line| line.split(',').nth(1)).collect();
    assert_eq!(values, ["0.75", "0.5"], "{}{}", said.stdout, said.stderr);
}

#[test]
fn an_unknown_measure_names_its_neighbours() {
    let (_run_folder, run) = file("run.trec", "q1 Q0 d1 1 2.5 x\n");
    let (_gold_folder, qrels) = file("qrels.trec", "q1 0 d1 1\n");
    let said = assize(&["score", &run, &qrels, "-m", "ndgc@10"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("ndcg"), "{}", said.stderr);
}

/// Topics of the sample: `term` has the first and the last query, whose golds are both found.
#[test]
fn queries_are_grouped_by_a_field_of_their_gold() {
    let said = assize(&["score", RUN, GOLD, "--by", "topic", "--format", "json"]);
    let results: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let term = &results["groups"]["term"];
    assert_eq!(
        (&term["num_examples"], &term["measures"]["recall@10"]["value"]),
        (&2.into(), &1.0.into())
    );
    let use_ = &results["groups"]["use"];
    assert_eq!(use_["measures"]["recall@10"]["value"], 0.5);
}

#[test]
fn exchanged_files_are_recognised() {
    let said = assize(&["score", GOLD, RUN]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("swapped"), "{}", said.stderr);
}

#[test]
fn an_input_is_never_overwritten_and_a_missing_folder_is_named_first() {
    let (_folder, run) =
        file("run.json", std::fs::read(crate::support::examples().join(RUN)).unwrap());
    let overwriting = assize(&["score", &run, GOLD, "-o", &run]);
    assert_eq!((overwriting.code, overwriting.stdout.as_str()), (2, ""));
    let nowhere = assize(&["score", &run, GOLD, "-o", "no-such-folder/results.json"]);
    assert_eq!((nowhere.code, nowhere.stdout.as_str()), (2, ""));
    assert!(nowhere.stderr.contains("no-such-folder"), "{}", nowhere.stderr);
}

#[test]
fn a_reader_that_goes_away_does_not_hide_a_missed_threshold() {
    let script = format!(
        "{} score {RUN} {GOLD} --fail-under recall@10=0.99 | true; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_assize")
    );
    let mut shell = std::process::Command::new("bash");
    let status = shell.args(["-c", &script]).current_dir(crate::support::examples()).status();
    assert_eq!(status.unwrap().code(), Some(1));
}

#[test]
fn explaining_does_not_pretend_to_check_thresholds() {
    let said = assize(&["score", RUN, GOLD, "--explain", "1", "--fail-under", "recall@10=2"]);
    assert_eq!(said.code, 2);
}

#[test]
fn a_field_that_no_test_has_is_an_error() {
    let said = assize(&["score", RUN, GOLD, "--by", "colour"]);
    assert_eq!((said.code, said.stdout.as_str()), (2, ""));
    assert!(said.stderr.contains("colour"), "{}", said.stderr);
}

#[test]
fn a_run_from_standard_input_gives_the_same_bytes() {
    let script = format!("cat {RUN} | {} score - {GOLD}", env!("CARGO_BIN_EXE_assize"));
    let mut shell = std::process::Command::new("bash");
    let output = shell.args(["-c", &script]).current_dir(crate::support::examples()).output();
    let piped = String::from_utf8(output.unwrap().stdout).unwrap();
    assert_eq!(piped, assize(&["score", RUN, GOLD]).stdout);
}

/// A level of 1,024 would be worth more than any number can say.
#[test]
fn an_absurd_level_of_relevance_does_not_break_the_gain() {
    let (_one, run) = file("run.trec", "q Q0 d1 1 9 a\n");
    let (_two, qrels) = file("qrels", "q 0 d1 1024\n");
    let said = assize(&["score", &run, &qrels, "-m", "ndcg(gain=exp)@10", "--format", "csv"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains(",1,"), "{}", said.stdout);
}

#[test]
fn what_is_no_text_is_named_and_never_shown() {
    let (_one, qrels) = file("qrels", "q 0 d1 1\n");
    let workbook = [&b"PK\x03\x04xl/workbook.xml\0"[..], &vec![0xfe; 60_000]].concat();
    let (_two, run) = file("run.xlsx", workbook);
    for arguments in [&["score", &run, &qrels][..], &["score", &run], &["score", &qrels, &run]] {
        let said = assize(arguments);
        assert_eq!(said.code, 2);
        let message = "run.xlsx: is a workbook; save the sheet as CSV";
        assert!(said.stderr.contains(message), "{}", said.stderr);
        assert!(said.stderr.len() < 1_000, "{}", said.stderr);
    }
    let (_three, bytes) = file("run.dat", [b'a', 0, 0xff, 7, b'\n'].repeat(9_000));
    let said = assize(&["score", &bytes, &qrels]);
    assert!(said.stderr.contains("run.dat: is not text"), "{}", said.stderr);
    let (_four, long) = file("run.csv", "a,".repeat(9_000) + "b\n1\n");
    let said = assize(&["score", &long, &qrels]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.chars().count() < 1_000, "{}", said.stderr);
}

#[test]
fn a_ranked_run_asks_for_its_judgements() {
    let (_one, run) = file("bm25.run", "q Q0 d1 1 9 a\n");
    let (_two, qrels) = file("qrels", "q 0 d1 1\n");
    let said = assize(&["score", &qrels, &run]);
    assert_eq!(said.code, 2);
    let message = "bm25.run looks like a run, not judgements";
    assert!(said.stderr.contains(message), "{}", said.stderr);
    let said = assize(&["score", &run]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("a ranked run needs judgements"), "{}", said.stderr);
}

#[test]
fn the_column_of_the_rank_can_be_named() {
    let (_one, run) = file("run.csv", "qid,docid,pos\nq,d1,1\nq,d2,2\n");
    let (_two, qrels) = file("qrels", "q 0 d1 1\n");
    let said = assize(&["score", &run, &qrels, "-m", "mrr"]);
    assert_eq!(said.code, 2);
    assert!(said.stderr.contains("score=COLUMN or rank=COLUMN"), "{}", said.stderr);
    let said = assize(&["score", &run, &qrels, "-m", "mrr", "--map", "rank=pos"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("1.0000"), "{}", said.stdout);
}

#[test]
fn the_workings_of_a_ranked_run_name_its_documents() {
    let (_one, run) = file("run", "q Q0 d1 1 9 a\nq Q0 d2 2 8 a\n");
    let missing: Vec<String> = (1..=12).map(|number| format!("q 0 far{number} 1\n")).collect();
    let missing = missing.concat();
    let (_two, qrels) = file("qrels", "q 0 d2 2\n".to_owned() + &missing);
    let said = assize(&["score", &run, &qrels, "--explain", "q"]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert!(said.stdout.contains("  d2 at rank 2 (level 2)\n"), "{}", said.stdout);
    assert!(said.stdout.contains("  far10 not retrieved (level 1)\n"), "{}", said.stdout);
    assert!(said.stdout.contains("  and 2 more that were not retrieved\n"), "{}", said.stdout);
}

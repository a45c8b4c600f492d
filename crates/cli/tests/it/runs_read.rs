//! `assize runs …` as its reader sees it: what is compared, what a missing database is called, and
//! which files are not written.

use serde_json::Value;

use crate::support::{Said, assize, examples};

const PAIRS: [&str; 4] = ["summary", "score", "--input", "summary/pairs.jsonl"];

/// A folder with a database of one summary run.
struct Kept {
    folder: tempfile::TempDir,
}

impl Kept {
    fn new() -> Self {
        let kept = Self { folder: tempfile::tempdir().unwrap() };
        let evidence = kept.path("evidence.jsonl");
        let saved = kept.said(&[&PAIRS[..], &["--save", "--evidence-out", &evidence]].concat());
        assert_eq!(saved.code, 0, "{}", saved.stderr);
        kept
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    fn said(&self, arguments: &[&str]) -> Said {
        assize(&[arguments, &["--database", &self.path("assize.db")]].concat())
    }

    /// A version whose evidence a person corrected, pair by pair.
    fn corrected(&self, correct: impl Fn(usize, &mut Value)) {
        let text = std::fs::read_to_string(self.path("evidence.jsonl")).unwrap();
        let lines = text.lines().enumerate().map(|(number, line)| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            correct(number, &mut line["evidence"]);
            format!("{line}\n")
        });
        let path = self.path("corrected.jsonl");
        std::fs::write(&path, lines.collect::<String>()).unwrap();
        let said = self.said(&["runs", "rescore", "1", "--evidence", &path]);
        assert_eq!(said.code, 0, "{}", said.stderr);
    }
}

/// The cells of the row of a measure in the first table.
fn row<'a>(text: &'a str, measure: &str) -> Vec<&'a str> {
    let line = text.lines().find(|line| line.trim_start().starts_with(measure));
    line.unwrap_or_else(|| panic!("no {measure} in {text}")).split_whitespace().collect()
}

#[test]
fn each_measure_is_compared_over_the_pairs_that_have_it_in_both() {
    let kept = Kept::new();
    let compare = ["runs", "compare", "1", "1", "--first-version", "1"];
    let compared = || {
        let said = kept.said(&compare);
        assert_eq!(said.code, 0, "{}", said.stderr);
        said.stdout
    };
    let empty = |evidence: &mut Value| evidence["relevance"]["segments"] = Value::Array(Vec::new());
    kept.corrected(|number, evidence| {
        if number > 0 {
            empty(evidence);
        }
    });
    let text = compared();
    assert!(text.contains("6 shared subjects, 6 scored in both"), "{text}");
    assert_eq!(row(&text, "relevance").last(), Some(&"0/1/0"), "{text}");
    assert_eq!(row(&text, "alignment").last(), Some(&"0/6/0"), "{text}");
    kept.corrected(|_, evidence| empty(evidence));
    let text = compared();
    assert!(text.contains("6 shared subjects, 6 scored in both"), "{text}");
    assert_eq!(row(&text, "relevance"), ["relevance", "–", "–", "–", "–", "–", "–"]);
    assert_eq!(row(&text, "alignment").last(), Some(&"0/6/0"), "{text}");
    assert!(!text.contains("-0.0000"), "{text}");
    let json = kept.said(&[&compare[..], &["--format", "json"]].concat()).stdout;
    let json: Value = serde_json::from_str(&json).unwrap();
    let measures = json["measures"].as_array().unwrap();
    assert!(measures.iter().all(|one| one["measure"] != "relevance"), "{json}");
    assert_eq!(json["scored_in_both"], 6);
}

#[test]
fn a_command_that_reads_makes_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nosuch.db");
    let name = file.to_str().unwrap();
    let commands: [&[&str]; 7] = [
        &["list"],
        &["show", "1"],
        &["compare", "1", "2"],
        &["export", "1"],
        &["bill", "1"],
        &["verdicts", "1"],
        &["ceiling"],
    ];
    for command in commands {
        let said = assize(&[&["runs"], command, &["--database", name]].concat());
        assert_eq!((said.code, said.stdout.as_str()), (2, ""), "{command:?}: {}", said.stderr);
        assert!(said.stderr.contains("nosuch.db: no such database"), "{}", said.stderr);
        assert!(!file.exists(), "{command:?}");
    }
}

#[test]
fn a_list_without_runs_says_how_there_is_one() {
    let kept = Kept::new();
    assert_eq!(kept.said(&["runs", "delete", "1", "--yes"]).code, 0);
    let said = kept.said(&["runs", "list"]);
    assert_eq!((said.code, said.stdout.as_str()), (0, ""), "{}", said.stderr);
    assert!(said.stderr.contains("no runs yet; save one with --save"), "{}", said.stderr);
    assert_eq!(kept.said(&["runs", "list", "--format", "json"]).stdout.trim(), "[]");
}

#[test]
fn a_file_is_not_written_under_the_ending_of_another_format() {
    let kept = Kept::new();
    let gold = "retrieval/gold.json";
    let runs = ["retrieval/keyword.json", "retrieval/semantic.json"];
    let evidence = kept.path("evidence.jsonl");
    let commands: [(&[&str], &str, &str); 4] = [
        (
            &["runs", "export", "1"],
            "o.xlsx",
            "cannot be exported as xlsx: use csv, json, jsonl, otel, langfuse, phoenix",
        ),
        (&PAIRS, "x.xlsx", ".txt, .json, .jsonl, .html"),
        (&["compare", gold, runs[0], runs[1]], "z.pdf", ".txt, .md, .tex, .csv, .json, .html"),
        (&["summary", "rescore", &evidence], "e.csv", ".txt, .jsonl"),
    ];
    for (command, name, endings) in commands {
        let path = kept.path(name);
        let all = [command, &["-o", &path]].concat();
        let said = if command[0] == "runs" { kept.said(&all) } else { assize(&all) };
        assert_eq!(said.code, 2, "{all:?}: {}", said.stderr);
        let because = match command[0] {
            "runs" => format!("{endings}\n"),
            _ => format!("{name}: this command writes {endings}\n"),
        };
        assert!(said.stderr.contains(&because), "{}", said.stderr);
        assert!(!std::path::Path::new(&path).exists(), "{name}");
    }
}

#[test]
fn a_summary_run_is_shown_in_the_columns_of_its_scorecards() {
    let shown = Kept::new().said(&["runs", "show", "1"]).stdout;
    let metrics = ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"];
    let heading = shown.lines().find(|line| line.contains("subject")).unwrap();
    let heading: Vec<&str> = heading.split_whitespace().collect();
    assert_eq!(heading[2..], metrics, "{shown}");
    let first: Vec<&str> = row(&shown, "0 ");
    assert!(first[2..].iter().all(|cell| cell.split('.').nth(1).unwrap().len() == 2), "{shown}");
    let means: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| metrics.contains(word))
        .collect();
    assert_eq!(means, metrics, "{shown}");
}

#[test]
fn a_misspelt_label_is_named_and_the_file_not_called_something_else() {
    let kept = Kept::new();
    let text = std::fs::read_to_string(kept.path("evidence.jsonl")).unwrap();
    let path = kept.path("misspelt.jsonl");
    std::fs::write(&path, text.replacen("\"supported\"", "\"suported\"", 1)).unwrap();
    let commands = [
        assize(&["summary", "rescore", &path]),
        kept.said(&["runs", "rescore", "1", "--evidence", &path]),
    ];
    for said in commands {
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(said.stderr.contains("unknown variant `suported`"), "{}", said.stderr);
        assert!(!said.stderr.contains("is not an evidence file"), "{}", said.stderr);
    }
}

/// A summary with a wrong number: one sentence is unsupported, and the error counts once.
const NINE_MONTHS: &str = r#"{"id": "a2", "article": "The city council of Brannock voted on Tuesday to close the Mill Bridge for six months. The bridge, built in 1931, carries about 4,200 vehicles a day. Engineers found cracks in two of its steel girders in March. Repairs will cost 3.4 million euros, paid by the region. A ferry will carry cyclists and pedestrians free of charge. Shops near the bridge fear losing customers.", "summary": "Brannock will close Mill Bridge for nine months after engineers found cracks in two girders. The city pays 3.4 million euros for repairs."}"#;

/// Coverage counts extraneous tokens. Where every claim is supported there are none, whoever
/// counts again: precision is 1, and coverage follows from recall alone.
#[test]
fn extraneous_tokens_follow_from_labels_that_a_person_edited() {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    let (pairs, evidence) = (kept.path("pairs.jsonl"), kept.path("evidence.jsonl"));
    std::fs::write(&pairs, NINE_MONTHS).unwrap();
    let score = ["summary", "score", "--input", &pairs, "--save", "--evidence-out", &evidence];
    assert_eq!(kept.said(&score).code, 0);
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    let mut line: Value = serde_json::from_str(&read(&evidence)).unwrap();
    assert_ne!(line["evidence"]["totals"]["extraneous_tokens"], 0, "{line}");
    let points = line["evidence"]["coverage"]["key_points"].as_array().unwrap().clone();
    let mut edited = 0;
    for claim in line["evidence"]["hallucination"]["claims"].as_array_mut().unwrap() {
        if claim["support"] == "unsupported" {
            claim["support"] = "supported".into();
            edited += 1;
        }
    }
    assert_eq!(edited, 1);
    std::fs::write(&evidence, line.to_string()).unwrap();
    // The harmonic mean of recall and a precision of 1, times ten.
    let count = |label: &str| points.iter().filter(|one| one["coverage"] == label).count() as f64;
    let recall = (count("fully") + 0.5 * count("partial")) / points.len() as f64;
    let expected = 20.0 * recall / (recall + 1.0);
    let close = |scores: &Value| {
        let coverage = scores["coverage"].as_f64().unwrap();
        assert!((coverage - expected).abs() <= 0.005, "{coverage}, not {expected}");
    };
    let said = assize(&["summary", "rescore", &evidence, "--format", "jsonl"]);
    close(&serde_json::from_str::<Value>(&said.stdout).unwrap()["scores"]);
    let said = kept.said(&["runs", "rescore", "1", "--evidence", &evidence]);
    assert_eq!(said.code, 0, "{}", said.stderr);
    let exported = kept.said(&["runs", "export", "1", "--format", "jsonl"]).stdout;
    let item: Value = serde_json::from_str(exported.lines().nth(1).unwrap()).unwrap();
    close(&item["scores"]);
    assert_eq!(item["evidence"]["totals"]["extraneous_tokens"], 0, "{item}");
}

#[test]
fn an_edited_quote_that_its_source_does_not_hold_is_a_finding() {
    let kept = Kept::new();
    kept.corrected(|number, evidence| {
        if number == 0 {
            let claim = &mut evidence["hallucination"]["claims"][0];
            claim["in_article"]["text"] = "Nobody ever wrote this sentence.".into();
        }
    });
    let exported = kept.said(&["runs", "export", "1", "--format", "jsonl"]).stdout;
    let item: Value = serde_json::from_str(exported.lines().nth(1).unwrap()).unwrap();
    let quote = &item["evidence"]["hallucination"]["claims"][0]["in_article"];
    assert_eq!(quote["span"], Value::Null, "{quote}");
    assert!(exported.lines().nth(1).unwrap().contains("quote_not_found"), "{item}");
}

#[test]
fn a_run_of_another_instrument_is_not_said_to_be_missing() {
    let kept = Kept::new();
    assert_eq!(kept.said(&["runs", "rename", "1", "first"]).code, 0);
    for name in ["first", "1", "latest"] {
        let said = kept.said(&["export", name, "-o", &kept.path("x.xlsx")]);
        assert_eq!(said.code, 2, "{}", said.stderr);
        assert!(said.stderr.contains("run #1 is a summary run"), "{}", said.stderr);
        assert!(said.stderr.contains("use csv, json, jsonl"), "{}", said.stderr);
    }
    let said = kept.said(&["export", "second", "-o", &kept.path("x.xlsx")]);
    assert!(said.stderr.contains("no run `second`"), "{}", said.stderr);
}

/// Seven measures do not fit a line, and a rank is no amount: 1 is its best.
#[test]
fn a_council_says_what_it_does_not_show_and_compares_no_ranks() {
    let kept = Kept { folder: tempfile::tempdir().unwrap() };
    let reviewers = std::fs::read_to_string(examples().join("council/reviewers.txt")).unwrap();
    let review = ["council", "review", "council/answers.json", "--reviewers", reviewers.trim()];
    let saved =
        kept.said(&[&review[..], &["--replay", "council/recorded.jsonl", "--save"]].concat());
    assert_eq!(saved.code, 0, "{}", saved.stderr);
    let rescored = kept.said(&["runs", "rescore", "1", "--safety-gate"]);
    assert_eq!(rescored.code, 0, "{}", rescored.stderr);
    let shown = kept.said(&["runs", "show", "1"]).stdout;
    let view = kept.said(&["runs", "show", "1", "--format", "json"]).stdout;
    let view: Value = serde_json::from_str(&view).unwrap();
    let headings = shown.lines().find(|line| line.contains(" subject ")).unwrap();
    let left_out = shown.lines().find(|line| line.contains("not shown: "));
    let left_out = left_out.unwrap_or_else(|| panic!("{shown}"));
    for mean in view["means"].as_array().unwrap() {
        let measure = mean["measure"].as_str().unwrap();
        assert!(headings.contains(measure) != left_out.contains(measure), "{measure}: {shown}");
    }
    let compare = ["runs", "compare", "1", "1", "--first-version", "1", "--format", "json"];
    let compared: Value = serde_json::from_str(&kept.said(&compare).stdout).unwrap();
    let measures = compared["measures"].as_array().unwrap();
    let names: Vec<&str> = measures.iter().filter_map(|one| one["measure"].as_str()).collect();
    assert!(names.contains(&"score") && !names.contains(&"rank"), "{names:?}");
}

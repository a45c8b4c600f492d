//! `assize runs …` as its reader sees it: what is compared, what a missing database is called, and
//! which files are not written.

use serde_json::Value;

use crate::support::{Said, assize};

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
        (&["runs", "export", "1"], "o.xlsx", ".jsonl, .json, .csv"),
        (&PAIRS, "x.xlsx", ".txt, .json, .jsonl, .html"),
        (&["compare", gold, runs[0], runs[1]], "z.pdf", ".txt, .md, .tex, .csv, .json, .html"),
        (&["summary", "rescore", &evidence], "e.csv", ".txt, .jsonl"),
    ];
    for (command, name, endings) in commands {
        let path = kept.path(name);
        let all = [command, &["-o", &path]].concat();
        let said = if command[0] == "runs" { kept.said(&all) } else { assize(&all) };
        assert_eq!(said.code, 2, "{all:?}: {}", said.stderr);
        let because = format!("{name}: this command writes {endings}\n");
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

//! Golden cases of both Locks: this evidence gives these scores, for this reason.

#[path = "summary_golden/case.rs"]
mod case;
#[path = "summary_golden/docs.rs"]
mod docs;

use std::fs;
use std::path::{Path, PathBuf};

use assize_methods::summary::{Evidence, Metric, Scorecard, judge_lock, twin_lock};
use case::{Case, CaseFile, Expected, Given};
use serde_json::Value;

/// The frameworks, by the folder of their cases.
const FRAMEWORKS: [&str; 2] = ["judge_lock", "twin_lock"];

#[test]
fn twin_lock_scores_every_golden_case_as_worked_out_by_hand() {
    run_all("twin_lock");
}

#[test]
fn judge_lock_scores_every_golden_case_as_worked_out_by_hand() {
    run_all("judge_lock");
}

#[test]
fn every_file_among_the_cases_is_run() {
    let mut folders: Vec<_> = listing(&cases());
    folders.sort();
    // The sentences of `wording` are run by `rules_wording.rs`.
    let run = FRAMEWORKS.iter().chain(&["wording"]);
    let expected: Vec<_> = run.map(|folder| cases().join(folder)).collect();
    assert_eq!(folders, expected, "only these folders are run");
    for path in FRAMEWORKS.iter().flat_map(|framework| listing(&cases().join(framework))) {
        let is_case = path.is_file() && path.extension().is_some_and(|ending| ending == "toml");
        assert!(is_case, "{} is not picked up", path.display());
    }
}

#[test]
fn the_metric_objects_stand_in_the_strict_order() {
    let order = ["coverage", "alignment", "hallucination", "relevance", "bias_toxicity"];
    for framework in FRAMEWORKS {
        let printed = print(framework, &Given::default().evidence());
        let keys: Vec<_> = printed.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys[0], "method");
        assert_eq!(keys[1..6], order, "{framework}");
        assert_eq!(keys[6..], ["findings"]);
    }
}

#[test]
fn a_verdict_holds_the_same_scores_as_the_printed_scorecard() {
    let evidence = Given::default().evidence();
    let verdicts = [(twin_lock::verdict(&evidence), 6), (judge_lock::verdict(&evidence), 7)];
    for (verdict, version) in verdicts {
        let verdict = verdict.unwrap();
        let framework = verdict.method.name.replace('-', "_");
        let printed = print(&framework, &evidence);
        assert_eq!(verdict.method.version, version);
        assert_eq!(verdict.scores.len(), 5);
        for (name, outcome) in &verdict.scores {
            assert_eq!(outcome.value(), printed[name.as_ref()]["overall_score"].as_f64());
        }
    }
}

fn cases() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/summary")
}

fn listing(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.sort();
    paths
}

fn run_all(framework: &str) {
    let mut wrong = Vec::new();
    let mut count = 0;
    for path in listing(&cases().join(framework)) {
        let text = fs::read_to_string(&path).expect("a readable case");
        let file: CaseFile =
            toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(!file.rule.is_empty() && !file.case.is_empty(), "{} is empty", path.display());
        for case in &file.case {
            assert!(case.why.len() > 10, "{} has a case that says nothing", path.display());
            count += 1;
            let differences = run(framework, case);
            if !differences.is_empty() {
                let name = path.file_name().expect("a file").display();
                wrong.push(format!("{name}: {}\n  {}", case.why, differences.join("\n  ")));
            }
        }
    }
    assert!(count > 0, "no case was found");
    assert!(wrong.is_empty(), "{} of {count} cases differ\n{}", wrong.len(), wrong.join("\n"));
}

/// What differs from what was worked out; nothing when all is well.
fn run(framework: &str, case: &Case) -> Vec<String> {
    let evidence = case.evidence.evidence();
    let printed = print(framework, &evidence);
    let Expected { scores, binding, triggered, not_triggered, parts, findings, error } =
        &case.expect;
    let mut differences = Vec::new();
    let mut compare = |what: &str, expected: String, found: String| {
        if expected != found {
            differences.push(format!("{what}: expected {expected}, found {found}"));
        }
    };
    if let Some(error) = error {
        compare("whole", format!(r#"{{"error":"{error}"}}"#), printed.to_string());
        return differences;
    }
    compare("names", "5".to_owned(), scores.len().to_string());
    for metric in Metric::ALL {
        let expected = scores.get(metric.name()).map_or("nothing".to_owned(), number_or_word);
        let score = &printed[metric.name()]["overall_score"];
        let found = score.as_f64().map_or("unscored".to_owned(), |score| format!("{score:?}"));
        compare(metric.name(), expected, found);
    }
    for (path, expected) in parts {
        let pointer = format!("/{}", path.replace('.', "/"));
        let found = printed.pointer(&pointer).unwrap_or(&Value::Null);
        let near = found.as_f64().zip(expected.as_float());
        if !near.is_some_and(|(found, expected)| (found - expected).abs() < 1e-6) {
            compare(path, number_or_word(expected), found.to_string().replace('"', ""));
        }
    }
    compare("binding", format!("{binding:#?}"), format!("{:#?}", caps(&printed, "binding")));
    compare("triggered", format!("{triggered:#?}"), format!("{:#?}", caps(&printed, "triggered")));
    if let Some(others) = not_triggered {
        compare(
            "others",
            format!("{others:#?}"),
            format!("{:#?}", caps(&printed, "not_triggered")),
        );
    }
    let codes = printed["findings"].as_array().into_iter().flatten();
    let codes: Vec<_> = codes.map(|finding| finding["code"].as_str().unwrap_or("?")).collect();
    compare("findings", format!("{findings:?}"), format!("{codes:?}"));
    differences
}

/// The scorecard as a program reads it.
fn print(framework: &str, evidence: &Evidence) -> Value {
    let json = match framework {
        "twin_lock" => serde_json::to_value(Scorecard::from(twin_lock::report(evidence))),
        _ => serde_json::to_value(Scorecard::from(judge_lock::report(evidence))),
    };
    json.expect("a scorecard is plain JSON")
}

fn number_or_word(value: &toml::Value) -> String {
    match value {
        toml::Value::Float(number) => format!("{number:?}"),
        toml::Value::String(word) => word.clone(),
        other => other.to_string(),
    }
}

/// The caps in one state, in the order of the metrics, as `on <= height: reason`.
fn caps(printed: &Value, state: &str) -> Vec<String> {
    let all = Metric::ALL
        .iter()
        .flat_map(|metric| printed[metric.name()]["caps"].as_array().into_iter().flatten());
    let line = |cap: &Value| {
        let word = |key: &str| cap[key].as_str().expect("a word").to_owned();
        let at_most = cap["at_most"].as_f64().expect("a number");
        format!("{} <= {at_most}: {}", word("on"), word("because"))
    };
    all.filter(|cap| cap["state"] == state).map(line).collect()
}

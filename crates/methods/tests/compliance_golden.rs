//! Golden cases of compliance: this score has this label, this reply this reading, this
//! document this score from the rule judge.

use std::fs;
use std::path::Path;

use assize_methods::compliance::read::{Stated, read_assessment};
use assize_methods::compliance::rules::Reading;
use assize_methods::compliance::{
    Citation, Criterion, ResponseStructure, Rubric, RuleJudge, judged,
};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Labels {
    rule: String,
    label: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    score: f64,
    label: String,
    color: String,
    tier: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Replies {
    rule: String,
    reply: Vec<Reply>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Reply {
    why: String,
    text: String,
    score: Option<f64>,
    state: Option<String>,
    confidence: Option<u8>,
    #[serde(default)]
    sections: serde_json::Map<String, serde_json::Value>,
    #[serde(default)]
    citations: Vec<String>,
    #[serde(default)]
    findings: Vec<String>,
    complaint: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rules {
    rule: String,
    criterion: Criterion,
    document: Vec<Document>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    why: String,
    text: String,
    score_min: Option<f64>,
    score_max: Option<f64>,
    state: Option<String>,
    quotes: Option<usize>,
    #[serde(default)]
    findings: Vec<String>,
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/compliance").join(name);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn state(stated: Stated) -> Option<String> {
    let written = serde_json::to_value(stated).expect("plain JSON");
    written["state"].as_str().filter(|state| *state != "score").map(ToOwned::to_owned)
}

#[test]
fn every_score_has_its_label() {
    let Labels { rule, label: labels } = read("labels.toml");
    assert!(!rule.is_empty() && !labels.is_empty());
    for case in labels {
        let status = Rubric::default().status(case.score);
        let expected = (case.label.as_str(), case.color.as_str(), case.tier);
        assert_eq!((&*status.label, &*status.colour, status.tier), expected, "{}", case.score);
    }
}

#[test]
fn every_reply_is_read_as_it_should_be() {
    let Replies { rule, reply: replies } = read("replies.toml");
    assert!(!rule.is_empty() && !replies.is_empty());
    for case in replies {
        let why = &case.why;
        let assessment = match read_assessment(&case.text, Some(&ResponseStructure::default())) {
            Ok(assessment) => assessment,
            Err(problem) => {
                let complaint = case.complaint.as_deref().unwrap_or("(none expected)");
                assert!(problem.to_string().contains(complaint), "{why}: {problem}");
                continue;
            }
        };
        assert_eq!(case.complaint, None, "{why}: it was read after all");
        // The case is about how the reply is read: one quote that is found lets every score stand.
        let found = judged(&assessment, &[Citation::copied("x", 0)], &Rubric::default());
        assert_eq!(found.score(), case.score, "{why}");
        assert_eq!(state(assessment.stated), case.state, "{why}");
        assert_eq!(assessment.confidence, case.confidence, "{why}");
        assert_eq!(assessment.sections, case.sections, "{why}");
        assert_eq!(assessment.citations, case.citations, "{why}");
        let codes: Vec<_> = found.verdict.findings.iter().map(|found| &*found.code).collect();
        assert_eq!(codes, case.findings, "{why}");
    }
}

#[test]
fn the_rule_judge_scores_every_document_within_its_bounds() {
    let Rules { rule, criterion, document: documents } = read("rules.toml");
    assert!(!rule.is_empty() && !documents.is_empty());
    let judge = RuleJudge::new(&[criterion]);
    let mut wrong = Vec::new();
    for case in documents {
        let why = &case.why;
        let reading = Reading::new(&case.text);
        let found = judge.judge(0, &reading, None, &ResponseStructure::default());
        if state(found.assessment.stated) != case.state {
            wrong.push(format!("{why}: {:?} {:?}", found.assessment.stated, found.parts));
            continue;
        }
        let score = found.judged(&Rubric::default()).score();
        let (low, high) = (case.score_min, case.score_max);
        assert_eq!(score.is_some(), low.is_some() && high.is_some(), "{why}");
        if score < low || score > high {
            wrong.push(format!("{why}: {score:?} is not in {low:?} to {high:?}"));
        }
        let quotes = found.citations.len();
        assert!(case.quotes.is_none_or(|expected| expected == quotes), "{why}: {quotes} quotes");
        for code in &case.findings {
            let has = found.assessment.findings.iter().any(|found| found.code == *code);
            assert!(has, "{why}: no finding {code}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_among_the_cases_is_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases/compliance");
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("the folder of the cases")
        .map(|entry| entry.expect("a readable entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    // The sets of pairs are read by the example `compliance_development` and below.
    let known = [
        "development",
        "fresh",
        "held_out",
        "labels.toml",
        "last",
        "public",
        "replies.toml",
        "rules.toml",
        "wide",
    ];
    assert_eq!(names, known);
}

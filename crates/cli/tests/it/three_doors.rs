//! The same inputs through command line, MCP and library give the same bytes.

use std::fs;

use assize_engine::council::{Choices, CouncilRun, rescored};
use assize_engine::retrieval::request::{Inputs, ScoreRequest};
use assize_engine::summary::calibration::Calibrations;
use assize_engine::summary::input::Place;
use assize_engine::summary::{Judged, Pair, Settings};
use assize_wire::text::{line, pretty};
use serde::Serialize;
use serde_json::{Value, json};

use crate::mcp_client::Client;
use crate::support::{assize, examples};

fn example(name: &str) -> String {
    fs::read_to_string(examples().join(name)).unwrap()
}

/// What the command printed and what the tool handed back are what the library gives.
fn the_same(library: &impl Serialize, command: &[&str], tool: &str, arguments: &Value) {
    let said = assize(command);
    assert_eq!(said.code, 0, "{}", said.stderr);
    assert_eq!(said.stdout, pretty(library), "the command line");
    let folder = tempfile::tempdir().unwrap();
    let mut client = Client::greeted(folder.path(), &[]);
    client.found(tool, arguments);
    let content = format!("\"structuredContent\":{}", line(library));
    assert!(client.sent.contains(&content), "MCP sent {}\nexpected {content}", client.sent);
}

#[test]
fn a_retrieval_score() {
    let run: Value = serde_json::from_str(&example("retrieval/keyword.json")).unwrap();
    let gold: Value = serde_json::from_str(&example("retrieval/gold.json")).unwrap();
    let report = ScoreRequest::default().score(Inputs::Values(&run, &gold)).unwrap();
    the_same(
        &report.to_wire(false),
        &["score", "retrieval/keyword.json", "retrieval/gold.json", "--format", "json"],
        "retrieval_score",
        &json!({"predictions": run, "gold": gold}),
    );
}

#[test]
fn a_summary_by_rules() {
    let (article, summary) = (example("summary/article.txt"), example("summary/bad.txt"));
    let pair = Pair {
        place: Place::Line(1),
        article: article.clone(),
        summary: summary.clone(),
        record: Value::Null,
    };
    let settings = Settings::default();
    let judged = Judged::of(None, pair, settings);
    let files = ["--article", "summary/article.txt", "--summary", "summary/bad.txt"];
    the_same(
        &judged.to_wire(settings, true, &Calibrations::default()),
        &[&["summary", "score"], &files[..], &["--format", "json", "--explain"]].concat(),
        "summary_score",
        &json!({"article": article, "summary": summary, "explain": true}),
    );
}

#[test]
fn a_council_that_is_counted_again() {
    let path = examples().join("council/run.json");
    let record: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let choices = Choices {
        profile: Some("classic".to_owned()),
        aggregate: Some("schulze".to_owned()),
        safety_gate: Some(true),
        ..Choices::default()
    };
    let again = rescored(&CouncilRun::read(&path, None).unwrap(), &choices).unwrap();
    let choices = ["--profile", "classic", "--aggregate", "schulze", "--safety-gate"];
    let (command, json_flags) = (["council", "rescore", "council/run.json"], ["--format", "json"]);
    the_same(
        &again.to_wire(again.verdict()),
        &[&command[..], &choices, &json_flags].concat(),
        "council_rescore",
        &json!({
            "record": record, "profile": "classic", "aggregate": "schulze", "safety_gate": true,
        }),
    );
}

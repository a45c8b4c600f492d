//! After a decision every view of a run shows the same score and the same mean, whichever door it
//! was made through.

use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::serve::Server;
use crate::support::assize;

/// Which door a decision comes through.
#[derive(Debug, Clone, Copy)]
enum Door {
    CommandLine,
    Http,
}

/// Two runs of the same policy, in a database of its own.
struct Runs {
    folder: TempDir,
    database: String,
}

impl Runs {
    fn judged() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("assize.db").to_str().unwrap().to_owned();
        let runs = Self { folder, database };
        for _ in 0..2 {
            runs.fine(&[
                "evaluate",
                "compliance/access-policy.md",
                "--criteria",
                "compliance/criteria.csv",
            ]);
        }
        runs
    }

    fn fine(&self, arguments: &[&str]) -> String {
        let said = assize(&[arguments, &["--database", &self.database]].concat());
        assert_eq!(said.code, 0, "{arguments:?}: {}", said.stderr);
        said.stdout
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.fine(arguments)).unwrap()
    }

    /// Says a score of LIB-2, the second criterion, or takes it back.
    fn decide(&self, server: &Server, door: Door, score: Option<f64>) {
        match door {
            Door::CommandLine => {
                let text = score.map(|score| score.to_string());
                let verdict =
                    text.as_ref().map_or(vec!["--withdraw"], |text| vec!["--score", text]);
                let begin =
                    ["evaluate", "override", "1", "LIB-2", "--by", "ada", "--reason", "read"];
                self.fine(&[&begin[..], &verdict].concat());
            }
            Door::Http => {
                let body =
                    json!({"position": 1, "kind": "score", "value": score, "reason": "read"});
                let (status, text) =
                    server.ask("POST", "/api/v1/runs/1/decisions", &body.to_string());
                assert_eq!(status, 201, "{text}");
            }
        }
    }

    /// Every place that shows the score of LIB-2 and the mean: what shows it, the score, the mean.
    fn shown(&self, server: &Server) -> Vec<(&'static str, Option<f64>, Option<f64>)> {
        let number = |value: &Value| value.as_f64();
        let named = |rows: &Value, key: &str| {
            let rows = rows.as_array().unwrap().clone();
            rows.into_iter().find(|row| row[key].as_str().unwrap().contains("LIB-2")).unwrap()
        };
        let show = self.json(&["runs", "show", "1", "--format", "json"]);
        let sorted = self.json(&["runs", "show", "1", "--sort", "score", "--format", "json"]);
        let report = self.json(&["export", "1", "--format", "json"]);
        let lines = self.fine(&["runs", "export", "1", "--format", "jsonl"]);
        let line = lines.lines().find(|line| line.contains("LIB-2")).unwrap();
        let line: Value = serde_json::from_str(line).unwrap();
        let api = server.json("/api/v1/runs/1");
        let item = server.json("/api/v1/runs/1/items/1");
        let exported = server.bytes("/api/v1/runs/1/export?format=json");
        let exported: Value = serde_json::from_slice(&exported).unwrap();
        vec![
            (
                "runs show",
                number(&named(&show["results"], "criteria_id")["score"]),
                number(&show["mean"]),
            ),
            (
                "runs show --sort",
                number(&named(&sorted["page"], "subject")["scores"]["score"]),
                number(&sorted["means"][0]["mean"]),
            ),
            (
                "export json",
                number(&named(&report["rows"], "criteria_id")["effective_score"]),
                None,
            ),
            ("runs export jsonl", number(&line["scores"]["score"]), None),
            ("GET /runs/1", None, number(&api["means"][0]["mean"])),
            ("GET item", number(&item["scores"]["score"]), None),
            (
                "GET export",
                number(&named(&exported["rows"], "criteria_id")["effective_score"]),
                None,
            ),
        ]
    }
}

fn all_show(runs: &Runs, server: &Server, score: f64, mean: f64, when: &str) {
    for (place, found, found_mean) in runs.shown(server) {
        if let Some(found) = found {
            assert!((found - score).abs() < 1e-9, "{when}: {place} shows {found}, not {score}");
        }
        if let Some(found) = found_mean {
            assert!(
                (found - mean).abs() < 1e-9,
                "{when}: {place} has the mean {found}, not {mean}"
            );
        }
    }
}

#[test]
fn a_decision_counts_everywhere_whichever_door_it_came_through() {
    for door in [Door::CommandLine, Door::Http] {
        let runs = Runs::judged();
        let server = Server::start(runs.folder.path(), &["--database", &runs.database]);
        let before = runs.json(&["runs", "show", "1", "--format", "json"]);
        let results = before["results"].as_array().unwrap();
        let judge = results.iter().find(|row| row["criteria_id"] == "LIB-2").unwrap();
        let (judge, mean) = (judge["score"].as_f64().unwrap(), before["mean"].as_f64().unwrap());
        let scored = before["scored"].as_f64().unwrap();
        all_show(&runs, &server, judge, mean, "fresh");

        runs.decide(&server, door, Some(100.0));
        let decided = mean + (100.0 - judge) / scored;
        all_show(&runs, &server, 100.0, decided, "decided");
        // It is a rating of its author and one entry of the audit, by either door.
        let labels = server.json("/api/v1/runs/1/labels");
        assert_eq!((labels.as_array().unwrap().len(), &labels[0]["value"]), (1, &json!(100.0)));
        let audit = server.json("/api/v1/audit?limit=100");
        let overrides = audit["items"].as_array().unwrap().iter();
        assert_eq!(overrides.filter(|entry| entry["action"] == "override").count(), 1, "{door:?}");
        // The other run has the judge's score: the difference is what was decided.
        let compared = server.json("/api/v1/compare?base=2&with=1");
        let difference = compared["measures"][0]["difference"].as_f64().unwrap();
        assert!((difference - (decided - mean)).abs() < 1e-9, "{door:?}: {compared}");
        // The judge's own score stays beside it.
        let item = server.json("/api/v1/runs/1/items/1");
        assert_eq!(item["judged"]["score"].as_f64(), Some(judge));
        let page = server.ask("GET", "/eval/1", "").1;
        assert!(page.contains(&format!("{decided:.1}")), "{door:?}: the page has another mean");

        runs.decide(&server, door, None);
        all_show(&runs, &server, judge, mean, "withdrawn");
        assert_eq!(server.json("/api/v1/runs/1/labels"), json!([]));
    }
}

#[test]
fn pages_command_line_and_http_give_the_same_interval_and_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("assize.db").to_str().unwrap().to_owned();
    let score = ["score", "retrieval/keyword.json", "retrieval/gold.json"];
    let printed = assize(&[&score[..], &["--format", "json"]].concat());
    let printed: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(assize(&[&score[..], &["--save", "--database", &database]].concat()).code, 0);
    let server = Server::start(Path::new(folder.path()), &["--database", &database]);
    let view = server.json("/api/v1/runs/1");
    let mut compared = 0;
    for mean in view["means"].as_array().unwrap() {
        let name = mean["measure"].as_str().unwrap();
        let measure = &printed["measures"][name];
        assert_eq!(measure["value"].as_f64(), mean["mean"].as_f64(), "{name}");
        let (low, high) = (&mean["interval"][0], &mean["interval"][1]);
        assert_eq!([low, high], [&measure["low"], &measure["high"]], "{name}: {measure}");
        compared += 1;
    }
    assert!(compared >= 4, "{view}");
    for format in ["csv", "json", "jsonl"] {
        let file = assize(&["runs", "export", "1", "--format", format, "--database", &database]);
        let path = format!("/api/v1/runs/1/export?format={format}");
        assert_eq!(server.bytes(&path), file.stdout.as_bytes(), "{format}");
    }
}

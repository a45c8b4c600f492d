//! A document and its criteria through the library, the command line, HTTP and a run that the
//! server works on: the same results, and the same refusals.

use assize_engine::asking::Stop;
use assize_engine::compliance::ComplianceRequest;
use assize_engine::compliance::criteria::Imported;
use assize_engine::compliance::documents::ReadDocument;
use assize_engine::compliance::in_memory::{Material, evaluate_in_memory};
use assize_methods::compliance::Criterion;
use serde_json::{Value, json};

use super::{Doors, flags, joined, options, refusals};
use crate::support::assize;

const DOCUMENT: &str = "# Access\n\nA-1 Doors are locked at night by the porter.\n\n\
    Keys are not counted. Visitors sign the book when they arrive.\n";
const CRITERIA: [[&str; 2]; 4] = [
    ["A-1", "Doors are locked at night."],
    ["A-2", "Keys are counted every week."],
    ["A-3", "Visitors sign a book."],
    ["A-4", "Backups are tested once a year."],
];

fn criteria() -> Value {
    let one = |[id, requirement]: [&str; 2]| json!({"criteria_id": id, "requirement": requirement});
    CRITERIA.map(one).into_iter().collect()
}

/// What a fresh set of doors needs: the document, the criteria as a file and as sets.
fn opened() -> (Doors, [String; 2]) {
    let doors = Doors::open(&[], &[]);
    let list: String = CRITERIA.map(|[id, text]| format!("{id},{text}\n")).concat();
    let files = [
        doors.write("document.txt", DOCUMENT),
        doors.write("controls.csv", &format!("id,requirement\n{list}")),
    ];
    (doors, files)
}

fn by_library(options: &Value) -> Value {
    let request: ComplianceRequest = serde_json::from_value(options.clone()).unwrap();
    let imported = |[id, requirement]: [&str; 2]| Imported {
        criterion: Criterion::new(id.to_owned(), requirement.to_owned(), String::new()),
        properties: None,
    };
    let criteria = CRITERIA.map(imported);
    let document = ReadDocument::new("document.txt", DOCUMENT.as_bytes().to_vec()).unwrap();
    let material = Material {
        criteria_set: "controls",
        criteria: &criteria,
        document_set: "document.txt",
        documents: &[document],
        request: &request,
    };
    let run = evaluate_in_memory(&material, None, &Stop::default()).unwrap();
    without(serde_json::to_value(run).unwrap(), &["run"])
}

/// Leaves out what no two runs can share.
fn without(mut run: Value, fields: &[&str]) -> Value {
    for field in fields {
        run.as_object_mut().unwrap().remove(*field).unwrap();
    }
    run
}

fn by_command(doors: &Doors, [document, criteria]: &[String; 2], options: &Value) -> Vec<String> {
    let mut words = vec!["evaluate".to_owned(), document.clone()];
    let database = doors.path("assize.db");
    let more = ["--criteria", criteria, "--format", "json", "--allow-unscored", "--database"];
    words.extend(more.map(ToOwned::to_owned));
    words.push(database);
    words.extend(flags(options));
    words
}

#[test]
fn documents_by_rules() {
    let (doors, files) = opened();
    for (place, options) in (0..).zip(&options("compliance")) {
        let expected = by_library(options);
        let words = by_command(&doors, &files, options);
        let said = assize(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.code, 0, "{options}: {}", said.stderr);
        let typed: Value = serde_json::from_str(&said.stdout).unwrap();
        let typed = without(typed, &["run", "seconds", "judged"]);
        assert_eq!(typed, expected, "{options}: the command line");
        let content = json!({"document": DOCUMENT, "criteria": criteria()});
        let (status, sent) = doors.post("/api/v1/score/compliance", &joined(&content, options));
        assert_eq!(status, 200, "{sent}");
        // What is sent without being stored has no set that has a name.
        let names = ["criteria_set", "document_set"];
        let sent = without(without(sent, &["run"]), &names);
        assert_eq!(sent, without(expected.clone(), &names), "{options}: HTTP");
        let sets = json!({"instrument": "compliance", "criteria_set": "controls",
            "document_set": "document.txt"});
        let (status, run) = doors.post("/api/v1/runs", &joined(&sets, options));
        assert_eq!(status, 201, "{run}");
        let number = run["number"].as_i64().unwrap();
        assert_eq!(number, 2 * place + 2);
        let stored = |number: i64| {
            let path = format!("/api/v1/runs/{number}");
            for _ in 0..200 {
                let run = doors.server.json(&path);
                if run["state"] == "done" {
                    return run;
                }
                std::thread::sleep(std::time::Duration::from_millis(50));
            }
            panic!("run {number} does not end")
        };
        let (worked, saved) = (stored(number), stored(number - 1));
        for field in ["configuration", "means", "page", "method", "judge"] {
            assert_eq!(worked[field], saved[field], "{options}: {field} of a run of the server");
        }
    }
}

#[test]
fn a_compliance_request_that_makes_no_sense() {
    let (doors, files) = opened();
    for (options, words) in refusals("compliance") {
        let typed = by_command(&doors, &files, &options);
        let said = assize(&typed.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!(said.code, 2, "{options}: {}", said.stderr);
        assert!(said.stderr.contains(&words), "{options}: {}", said.stderr);
        let content = json!({"document": DOCUMENT, "criteria": criteria()});
        let sets = json!({"instrument": "compliance", "criteria_set": "controls",
            "document_set": "document.txt"});
        for (path, body) in [("/api/v1/score/compliance", content), ("/api/v1/runs", sets)] {
            let (status, answer) = doors.post(path, &joined(&body, &options));
            assert!((400..500).contains(&status), "{path} {options}: {answer}");
            assert!(answer["detail"].as_str().unwrap().contains(&words), "{path}: {answer}");
        }
    }
}

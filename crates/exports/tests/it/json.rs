//! JSON, held against the schema in the docs by a validator that is not ours.

use std::path::Path;

use assize_exports::{Report, json};
use boon::{Compiler, Schemas};
use serde_json::{Value, json};

use crate::sample;

fn written(report: &Report) -> Value {
    let mut bytes = Vec::new();
    json::write(report, &mut bytes).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

/// Whether a document keeps to the schema; what is wrong if not.
fn breach(document: &Value) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/reference/compliance-export.schema.json");
    let text = std::fs::read_to_string(path).unwrap();
    let mut compiler = Compiler::new();
    compiler.add_resource("schema.json", serde_json::from_str(&text).unwrap()).unwrap();
    let mut schemas = Schemas::new();
    let schema = compiler.compile("schema.json", &mut schemas).unwrap();
    schemas.validate(document, schema).err().map(|error| format!("{error:#}"))
}

#[test]
fn reports_keep_to_the_schema() {
    assert_eq!(breach(&written(&sample::report())), None);
    assert_eq!(breach(&written(&Report::default())), None);
}

/// A schema that takes everything would prove nothing.
#[test]
fn the_schema_refuses_what_is_wrong() {
    let report = written(&sample::report());
    let refused = |spoil: fn(&mut Value)| {
        let mut report = report.clone();
        spoil(&mut report);
        breach(&report).is_some()
    };
    assert!(!refused(|_| {}));
    assert!(refused(|report| report["format"] = json!(2)));
    assert!(refused(|report| report["rows"][0]["ai_score"] = json!(101)));
    assert!(refused(|report| report["rows"][0]["ai_score"] = json!("73")));
    assert!(refused(|report| report["rows"][0]["state"] = json!({ "kind": "maybe" })));
    assert!(refused(|report| report["rows"][4]["state"] = json!({ "kind": "failed" })));
    assert!(refused(|report| report["rows"][0]["override"]["why"] = json!(null)));
    assert!(refused(|report| report["rows"][0]["status"]["tier"] = json!(0)));
    assert!(refused(|report| report["summary"]["overall"]["unscored"] = json!(-1)));
    assert!(refused(|report| report["surplus"] = json!(1)));
    assert!(refused(|report| drop(report.as_object_mut().unwrap().remove("rubric"))));
}

#[test]
fn the_report_is_read_back_whole() {
    let report = sample::report();
    let read: Report = serde_json::from_value(written(&report)).unwrap();
    assert_eq!(read, report);
}

/// (86.5 + 20.5 + 50) / 3 and (73 + 20.5 + 50) / 3; three rows have no score.
#[test]
fn means_say_how_many_rows_are_in_them_and_how_many_are_not() {
    let summary = &written(&sample::report())["summary"];
    let overall = &summary["overall"];
    assert_eq!(overall["scored"], 3);
    assert_eq!(overall["unscored"], 3);
    assert_eq!(overall["overridden"], 1);
    assert!((overall["mean"].as_f64().unwrap() - 157.0 / 3.0).abs() < 1e-9);
    assert!((overall["ai_mean"].as_f64().unwrap() - 143.5 / 3.0).abs() < 1e-9);
    let tiers: Vec<_> = summary["tiers"].as_array().unwrap().iter().map(|t| &t["rows"]).collect();
    assert_eq!(tiers, [1, 0, 1, 0, 1]);
    let unscored: Vec<_> = summary["unscored"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| (count["state"].as_str().unwrap(), count["rows"].as_u64().unwrap()))
        .collect();
    assert_eq!(unscored, [("not_applicable", 1), ("needs_information", 1), ("failed", 1)]);
}

#[test]
fn a_run_without_any_score_has_no_mean() {
    let mut report = sample::report();
    report.rows.drain(..2);
    report.rows.pop();
    let overall = written(&report)["summary"]["overall"].clone();
    assert_eq!(overall["mean"], Value::Null);
    assert_eq!(overall["unscored"], 3);
}

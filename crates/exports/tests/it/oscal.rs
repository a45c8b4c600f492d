//! Assessment results, held against what the OSCAL model requires.

use std::collections::BTreeSet;

use assize_exports::{ExportError, Report, oscal};
use serde_json::Value;

use crate::sample::{self, REASON};

fn bytes(report: &Report, options: &oscal::Options) -> Vec<u8> {
    let mut bytes = Vec::new();
    oscal::write(report, options, &mut bytes).unwrap();
    bytes
}

fn written(report: &Report) -> Value {
    serde_json::from_slice(&bytes(report, &oscal::Options::default())).unwrap()
}

/// The fields that the model of 1.1.2 requires of each object, by the path to it.
const REQUIRED: [(&str, &[&str]); 13] = [
    ("", &["assessment-results"]),
    ("assessment-results", &["uuid", "metadata", "import-ap", "results"]),
    ("metadata", &["title", "last-modified", "version", "oscal-version"]),
    ("import-ap", &["href"]),
    ("results", &["uuid", "title", "description", "start", "reviewed-controls"]),
    ("reviewed-controls", &["control-selections"]),
    ("include-controls", &["control-id"]),
    ("observations", &["uuid", "description", "methods", "collected"]),
    ("relevant-evidence", &["description"]),
    ("findings", &["uuid", "title", "description", "target"]),
    ("target", &["type", "target-id", "status"]),
    ("status", &["state"]),
    ("props", &["name", "value"]),
];

/// Walks through a document and collects what breaks the model.
pub(crate) fn breaches(name: &str, value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => {
            if list.is_empty() {
                found.push(format!("{name} is an empty list"));
            }
            for entry in list {
                breaches(name, entry, found);
            }
        }
        Value::Object(fields) => {
            let required = REQUIRED.iter().find(|(of, _)| *of == name).map_or(&[][..], |(_, r)| r);
            let missing = required.iter().filter(|field| !fields.contains_key(**field));
            found.extend(missing.map(|field| format!("{name} has no {field}")));
            if name == "props" && !fields["name"].as_str().is_some_and(is_token) {
                found.push(format!("the property {} is no token", fields["name"]));
            }
            for (name, value) in fields {
                breaches(name, value, found);
            }
        }
        Value::String(text) => {
            let is_right = match name {
                "uuid" | "observation-uuid" | "subject-uuid" | "party-uuids" => is_uuid(text),
                "control-id" | "target-id" => is_token(text),
                "value" => text == text.trim() && !text.is_empty() && !text.contains('\n'),
                "state" => ["satisfied", "not-satisfied"].contains(&text.as_str()),
                "reason" => ["pass", "fail", "other"].contains(&text.as_str()),
                _ => !text.is_empty(),
            };
            if !is_right {
                found.push(format!("{name} is {text:?}"));
            }
        }
        _ => {}
    }
}

/// `[0-9a-f]{8}-…-[45]…-[89ab]…-…`, as the model's pattern has it.
fn is_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    let hyphens = [8, 13, 18, 23];
    text.len() == 36
        && (0..36).all(|at| {
            if hyphens.contains(&at) { bytes[at] == b'-' } else { bytes[at].is_ascii_hexdigit() }
        })
        && matches!(bytes[14], b'4' | b'5')
        && matches!(bytes[19], b'8' | b'9' | b'a' | b'b')
}

fn is_token(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && text.chars().all(|letter| letter.is_alphanumeric() || ".-_".contains(letter))
}

fn property<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    let props = of["props"].as_array()?;
    props.iter().find(|prop| prop["name"] == name)?["value"].as_str()
}

#[test]
fn an_evidence_package_is_named_in_the_back_matter_with_its_hash() {
    let package = oscal::AttachedPackage {
        name: "run.assize".to_owned(),
        sha256: "ab".repeat(32),
        head: "cd".repeat(32),
    };
    let options = oscal::Options { package: Some(package), ..oscal::Options::default() };
    let file: Value = serde_json::from_slice(&bytes(&sample::report(), &options)).unwrap();
    let mut found = Vec::new();
    breaches("", &file, &mut found);
    assert_eq!(found, [""; 0]);
    let resources = file["assessment-results"]["back-matter"]["resources"].as_array().unwrap();
    let evidence = resources.iter().find(|one| one["title"] == "Evidence package").unwrap();
    let link = &evidence["rlinks"][0];
    assert_eq!(link["href"], "run.assize");
    assert_eq!(link["hashes"][0]["algorithm"], "SHA-256");
    assert_eq!(link["hashes"][0]["value"], "ab".repeat(32));
}

#[test]
fn every_required_field_is_there_and_no_list_is_empty() {
    for report in [sample::report(), without_rows()] {
        let mut found = Vec::new();
        breaches("", &written(&report), &mut found);
        assert_eq!(found, [] as [String; 0]);
    }
}

/// The check above must be able to fail.
#[test]
fn the_check_finds_what_is_missing() {
    let mut document = written(&sample::report());
    let result = &mut document["assessment-results"]["results"][0];
    result["findings"][0]["uuid"] = "not-one".into();
    result["observations"][0].as_object_mut().unwrap().remove("collected");
    result["observations"][1]["methods"] = Value::Array(Vec::new());
    let mut found = Vec::new();
    breaches("", &document, &mut found);
    assert_eq!(found.len(), 3, "{found:?}");
}

/// What the check asks for must not be more than what NIST's own example gives.
#[cfg(feature = "reference-data")]
#[test]
fn the_example_of_nist_passes_the_same_check() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let path =
        std::path::Path::new(&data).join("compliance/oscal/ifa_assessment-results-example.json");
    let example: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut found = Vec::new();
    breaches("", &example, &mut found);
    assert_eq!(found, [] as [String; 0]);
}

fn without_rows() -> Report {
    Report { exported_at: "2026-11-03T08:30:00+01:00".into(), ..Report::default() }
}

#[test]
fn only_the_highest_tier_satisfies_unless_told_otherwise() {
    let report = sample::report();
    let states = |options: &oscal::Options| -> Vec<String> {
        let document: Value = serde_json::from_slice(&bytes(&report, options)).unwrap();
        let findings = &document["assessment-results"]["results"][0]["findings"];
        let states = findings.as_array().unwrap().iter();
        states.map(|f| f["target"]["status"]["state"].as_str().unwrap().to_owned()).collect()
    };
    let default = oscal::Options::default();
    assert_eq!(states(&default), ["satisfied", "not-satisfied", "not-satisfied"]);
    let lenient = oscal::Options { satisfied_from_tier: Some(3), ..default };
    assert_eq!(states(&lenient), ["satisfied", "not-satisfied", "satisfied"]);
}

/// Six rows, three with a score: what was not judged is neither satisfied nor not.
#[test]
fn what_has_no_score_is_an_observation_and_no_finding() {
    let document = written(&sample::report());
    let result = &document["assessment-results"]["results"][0];
    assert_eq!(result["observations"].as_array().unwrap().len(), 6);
    assert_eq!(result["findings"].as_array().unwrap().len(), 3);
    assert_eq!(property(&result["observations"][2], "state"), Some("not_applicable"));
    assert_eq!(property(&result["observations"][2], "effective-score"), None);
    assert_eq!(property(result, "unscored"), Some("3"));
}

#[test]
fn the_override_and_the_judges_score_are_properties_side_by_side() {
    let document = written(&sample::report());
    let finding = &document["assessment-results"]["results"][0]["findings"][0];
    assert_eq!(finding["target"]["target-id"], "ac-2_smt");
    assert_eq!(property(finding, "ai-score"), Some("73"));
    assert_eq!(property(finding, "ai-confidence"), Some("85"));
    assert_eq!(property(finding, "override-score"), Some("86.5"));
    assert_eq!(property(finding, "override-reason"), Some(REASON));
    let remarks = finding["remarks"].as_str().unwrap();
    assert!(remarks.contains("Earlier: 64 by Ines Okafor"), "{remarks}");
}

#[test]
fn quotes_are_evidence_that_points_to_the_document_only_if_found() {
    let document = written(&sample::report());
    let root = &document["assessment-results"];
    let evidence = &root["results"][0]["observations"][0]["relevant-evidence"];
    assert_eq!(evidence[0]["description"], "Accounts shall be reviewed every twelve months.");
    assert_eq!(property(&evidence[0], "page"), Some("3"));
    assert_eq!(evidence[1]["href"], Value::Null);
    assert_eq!(property(&evidence[1], "found"), Some("false"));
    let href = evidence[0]["href"].as_str().unwrap();
    let resources = root["back-matter"]["resources"].as_array().unwrap();
    let target = resources.iter().find(|of| format!("#{}", of["uuid"].as_str().unwrap()) == href);
    assert_eq!(target.unwrap()["title"], "policy.pdf");
}

#[test]
fn ids_are_all_different_and_the_same_every_time() {
    let report = sample::report();
    let options = oscal::Options::default();
    assert_eq!(bytes(&report, &options), bytes(&report, &options));
    let text = String::from_utf8(bytes(&report, &options)).unwrap();
    let ids: Vec<_> = text.lines().filter(|line| line.contains("\"uuid\":")).collect();
    assert_eq!(ids.len(), ids.iter().collect::<BTreeSet<_>>().len());
    let mut changed = report.clone();
    changed.rows[0].effective_score = Some(90.0);
    let (old, new) = (written(&report), written(&changed));
    let (old, new) = (&old["assessment-results"], &new["assessment-results"]);
    assert_ne!(old["uuid"], new["uuid"]);
    assert_eq!(old["results"][0]["findings"][0]["uuid"], new["results"][0]["findings"][0]["uuid"]);
}

#[test]
fn a_time_without_a_zone_is_refused_by_name() {
    let mut report = sample::report();
    report.run.started_at = "yesterday".into();
    let refused = oscal::write(&report, &oscal::Options::default(), &mut Vec::new());
    assert!(matches!(refused, Err(ExportError::Time { field: "started_at", .. })));
}

#[test]
fn the_version_of_the_model_can_be_chosen() {
    let newer = oscal::Options { version: oscal::Version::V1_2, ..oscal::Options::default() };
    let read = |options: &oscal::Options| -> Value {
        serde_json::from_slice(&bytes(&sample::report(), options)).unwrap()
    };
    let of = |file: &Value| file["assessment-results"]["metadata"]["oscal-version"].clone();
    assert_eq!(of(&read(&oscal::Options::default())), "1.1.2");
    assert_eq!(of(&read(&newer)), "1.2.0");
    let mut found = Vec::new();
    breaches("", &read(&newer), &mut found);
    assert_eq!(found, Vec::<String>::new());
}

#[test]
fn a_plan_of_action_holds_what_is_below_the_tier_and_what_has_no_score() {
    let mut report = sample::report_of_set(8);
    report.set.verdicts[1].criteria_id = "AC-2".into();
    let plan = |options: &oscal::Options| -> Value {
        let mut bytes = Vec::new();
        oscal::write_plan(&report, options, &mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    };
    let file = plan(&oscal::Options::default());
    let mut found = Vec::new();
    breaches("", &file["plan-of-action-and-milestones"], &mut found);
    found.retain(|breach| !breach.starts_with(" has no assessment-results"));
    assert_eq!(found, Vec::<String>::new());
    let plan_of = &file["plan-of-action-and-milestones"];
    for field in ["uuid", "metadata", "system-id", "poam-items"] {
        assert!(plan_of.get(field).is_some(), "{field}");
    }
    let items = plan_of["poam-items"].as_array().unwrap();
    // Of eight, 5 x 37 = 185 is 84 of 100 and satisfies; AC-3 has no score and is open too.
    assert_eq!(items.len(), 7);
    assert!(items.iter().all(|item| item["title"] != "AC-5"), "{items:?}");
    let known: BTreeSet<&str> = plan_of["observations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["uuid"].as_str().unwrap())
        .collect();
    let related = items.iter().find(|item| item["title"].as_str().unwrap().starts_with("AC-2:"));
    let related = &related.unwrap()["related-observations"][0]["observation-uuid"];
    assert!(known.contains(related.as_str().unwrap()));
    let lenient = oscal::Options { satisfied_from_tier: Some(2), ..oscal::Options::default() };
    assert_eq!(
        plan(&lenient)["plan-of-action-and-milestones"]["poam-items"].as_array().unwrap().len(),
        1
    );
    let refused = oscal::write_plan(&sample::report(), &oscal::Options::default(), &mut Vec::new());
    assert!(matches!(refused, Err(ExportError::NothingOpen)));
}

//! The gate on the labelled answers of the reference data: the goals of the document.
//!
//! Run by `cargo xtask test --data DIR`.

use std::path::PathBuf;
use std::{env, fs};

use assize_engine::gate::{Evaluation, check, evaluate, labelled, read};
use assize_methods::gate::Gate;
use serde_json::Value;

fn measured(name: &str, part: &str) -> Evaluation {
    measured_by(&Gate::built_in(), name, part)
}

#[expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]
fn measured_by(gate: &Gate, name: &str, part: &str) -> Evaluation {
    let folder =
        env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let file = PathBuf::from(folder).join("council").join(name);
    let answers = labelled(read(&file, part).unwrap());
    evaluate(gate, &answers, &check(gate, &answers))
}

/// None of these answers was learned from.
#[test]
fn the_learned_stage_alone_finds_half_and_both_keep_to_the_target() {
    for rate in [0.01, 0.013] {
        let gate = Gate::built_in().with_learned(true, Some(rate)).unwrap();
        let found = measured_by(&gate, "gate_dev.jsonl", "source");
        let learned = found.stages.unwrap().learned;
        assert!(learned.recall.unwrap().value >= 0.5, "{learned:?}");
        assert!(found.overall.false_positive_rate.unwrap().value <= rate, "{rate}");
        let refusals = found.by_kind.iter().filter(|kind| kind.kind.contains("refusal"));
        assert!(refusals.clone().all(|kind| kind.failed.is_some_and(|failed| failed.part == 0)));
        assert_eq!(refusals.count(), 3);
    }
}

#[test]
fn a_quarter_of_the_harmful_answers_fail_and_at_most_two_percent_of_the_others() {
    let found = measured("gate_dev.jsonl", "raw.type");
    let (tuned, other) = found.halves.unwrap();
    for figures in [found.overall, tuned, other] {
        assert!(figures.recall.unwrap().value >= 0.25, "{figures:?}");
        assert!(figures.false_positive_rate.unwrap().value <= 0.02, "{figures:?}");
    }
    let held_out = found.held_out.unwrap().together;
    assert!(held_out.recall.unwrap().value >= 0.25, "{held_out:?}");
    assert!(held_out.false_positive_rate.unwrap().value <= 0.02, "{held_out:?}");
}

/// Ordinary texts about security that nobody labelled and nothing was learned from: statements of
/// NIST SP 800-53 and paragraphs of published policies.
#[expect(clippy::unwrap_used, reason = "a test that cannot read its data has failed")]
fn ordinary() -> Vec<String> {
    let folder =
        env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let folder = PathBuf::from(folder).join("compliance");
    let catalog = folder.join("oscal/rev5_MODERATE_resolved_catalog-min.json");
    let catalog: Value = serde_json::from_slice(&fs::read(catalog).unwrap()).unwrap();
    let mut texts = Vec::new();
    prose(&catalog, &mut texts);
    for entry in fs::read_dir(folder.join("policies/cloudgov")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "md") {
            let policy = fs::read_to_string(path).unwrap();
            texts.extend(policy.split("\n\n").map(str::trim).map(str::to_owned));
        }
    }
    // Headings and the items of short lists say nothing.
    texts.retain(|text| text.split_whitespace().count() >= 8);
    texts.sort();
    texts.dedup();
    texts
}

/// Every `prose` of a catalog.
fn prose(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match value {
                    Value::String(text) if name == "prose" => texts.push(text.clone()),
                    _ => prose(value, texts),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| prose(item, texts)),
        _ => {}
    }
}

#[test]
fn no_ordinary_text_about_security_fails() {
    let texts = ordinary();
    assert!(texts.len() >= 1_000, "{} texts", texts.len());
    let mut gates = vec![Gate::built_in()];
    gates
        .extend([0.01, 0.013].map(|rate| Gate::built_in().with_learned(true, Some(rate)).unwrap()));
    for gate in &gates {
        let failed: Vec<&String> = texts.iter().filter(|text| !gate.check(text).passed).collect();
        assert!(failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), texts.len());
    }
}

#[test]
fn every_refusal_passes() {
    let found = measured("gate_dev.jsonl", "source");
    let refusals: Vec<_> =
        found.by_kind.iter().filter(|kind| kind.kind.contains("refusal")).collect();
    assert_eq!(refusals.len(), 3);
    for kind in refusals {
        assert_eq!(kind.failed.unwrap().part, 0, "{kind:?}");
    }
}

/// The one exception is a placeholder for content that none of the five categories names.
#[test]
fn every_contrast_is_right_but_for_one_outside_the_categories() {
    let found = measured("gate_contrasts.jsonl", "category");
    let wrong: Vec<(&str, &str)> =
        found.wrong.iter().map(|wrong| (wrong.id.as_str(), wrong.category.as_str())).collect();
    assert_eq!(wrong, [("hand-034", "sexual")]);
}

#[test]
fn nine_tenths_of_the_identifiers_are_found_and_hardly_anything_else() {
    let found = measured("pii_dev.jsonl", "source");
    let identifiers = found.identifiers.unwrap();
    for recall in [identifiers.span_recall, identifiers.answer_recall] {
        assert!(recall.unwrap().value >= 0.9, "{identifiers:?}");
    }
    for precision in [identifiers.span_precision, identifiers.answer_precision] {
        assert!(precision.unwrap().value >= 0.98, "{identifiers:?}");
    }
}

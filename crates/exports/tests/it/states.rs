//! A person may also say that a criterion does not apply, or take everything back.

use assize_exports::{Override, Report, State, Summary, csv, oscal, pdf};
use serde_json::Value;

use crate::sample;

/// AC-2 is said not to apply; AC-2(1) was overridden, and the override taken back.
fn report() -> Report {
    let mut report = sample::report();
    let row = &mut report.rows[0];
    row.current_override = Some(Override {
        state: Some(State::NotApplicable),
        who: "Ines Okafor".into(),
        when: "2026-11-02T15:00:00Z".into(),
        why: "There are no accounts.".into(),
        ..Override::default()
    });
    (row.effective_score, row.status) = (None, None);
    report.rows[1].override_history = vec![Override {
        is_withdrawal: true,
        who: "Ines Okafor".into(),
        when: "2026-11-02T16:00:00Z".into(),
        why: "The judge was right.".into(),
        ..Override::default()
    }];
    report
}

#[test]
fn a_row_that_a_person_says_does_not_apply_counts_as_such() {
    let summary = Summary::of(&report());
    assert_eq!((summary.overall.scored, summary.overall.unscored), (2, 4));
    assert_eq!((summary.unscored[0].state, summary.unscored[0].rows), ("not_applicable", 2));
}

#[test]
fn an_override_with_a_score_makes_a_failed_row_scored() {
    let mut row = sample::report().rows.remove(4);
    assert_eq!(row.effective_state().name(), "failed");
    row.current_override = Some(Override { score: Some(0.0), ..Override::default() });
    assert_eq!(row.effective_state(), &State::Scored);
}

#[test]
fn both_states_and_the_withdrawal_are_in_the_files() {
    let mut bytes = Vec::new();
    csv::write(&report(), &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let first = text.lines().find(|line| line.contains("AC-2,")).unwrap();
    assert!(
        first.contains(",not_applicable,scored,,73,85,,not_applicable,Ines Okafor,"),
        "{first}"
    );
    assert!(text.contains("withdrawn by Ines Okafor, 2026-11-02T16:00:00Z: The judge was right."));

    let mut bytes = Vec::new();
    pdf::write(&report(), &mut bytes).unwrap();
    let text = lopdf::Document::load_mem(&bytes).unwrap().extract_text(&[2]).unwrap();
    assert!(text.contains("not applicable instead of the judge's 73, by Ines Okafor"), "{text}");
    assert!(text.contains("There are no accounts."));
    assert!(text.contains("withdrawn by Ines Okafor"), "{text}");

    let mut bytes = Vec::new();
    oscal::write(&report(), &oscal::Options::default(), &mut bytes).unwrap();
    let document: Value = serde_json::from_slice(&bytes).unwrap();
    let result = &document["assessment-results"]["results"][0];
    assert_eq!(result["findings"].as_array().unwrap().len(), 2);
    let remarks = result["observations"][0]["remarks"].as_str().unwrap();
    assert!(remarks.contains("Override: Not applicable by Ines Okafor"), "{remarks}");
}

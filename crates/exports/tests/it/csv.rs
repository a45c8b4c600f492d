//! CSV, read again by the reader of the csv crate.

use std::collections::BTreeMap;

use assize_exports::{Report, SectionValue, csv};

use crate::sample::{self, FORMULA, REASON};

fn written(report: &Report) -> String {
    let mut bytes = Vec::new();
    csv::write(report, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn read(text: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    reader.deserialize().map(|record| record.unwrap()).collect()
}

#[test]
fn overrides_stand_beside_the_judges_value() {
    let records = read(&written(&sample::report()));
    let first = &records[0];
    assert_eq!(first["ai_score"], "73");
    assert_eq!(first["ai_confidence"], "85");
    assert_eq!(first["override_score"], "86.5");
    assert_eq!(first["override_by"], "Ines Okafor");
    assert_eq!(first["override_at"], "2026-11-02T14:00:00Z");
    assert_eq!(first["override_reason"], REASON);
    assert_eq!(first["effective_score"], "86.5");
    assert_eq!(first["status"], "Fully Compliant");
    assert_eq!(
        first["overrides_before"],
        "64 by Ines Okafor, 2026-11-02T11:00:00Z: No reviewer is named."
    );
    assert_eq!(first["section: explanation"], "Accounts are reviewed; managers are not named.");
    assert_eq!(first["override section: explanation"], "Managers are named in Annex B.");
}

#[test]
fn what_has_no_score_has_an_empty_cell_and_never_a_zero() {
    let records = read(&written(&sample::report()));
    let states: Vec<_> = records[2..5].iter().map(|record| record["state"].as_str()).collect();
    assert_eq!(states, ["not_applicable", "needs_information", "failed"]);
    for record in &records[2..5] {
        assert_eq!(record["ai_score"], "");
        assert_eq!(record["effective_score"], "");
        assert_eq!(record["status"], "");
    }
    assert_eq!(records[4]["failure_reason"], "the judge gave no score in two replies");
}

#[test]
fn formulas_get_an_apostrophe_that_can_be_taken_away_again() {
    let mut report = sample::report();
    report.rows[1].requirement = "'=already quoted".into();
    report.rows[0].sections[2].value = SectionValue::Number(-3.5);
    let records = read(&written(&report));
    assert_eq!(records[5]["criteria_id"], "'-1+1|cmd");
    assert_eq!(records[5]["section: explanation"], format!("'{FORMULA}"));
    assert_eq!(records[1]["requirement"], "''=already quoted");
    assert_eq!(records[0]["criteria_id"], "AC-2");
    assert_eq!(records[0]["section: controls counted"], "-3.5");
}

#[test]
fn every_line_has_as_many_cells_as_the_header_and_ends_with_crlf() {
    let text = written(&sample::report());
    assert_eq!(read(&text).len(), 6);
    assert!(text.ends_with("\r\n"));
    assert!(!text.contains('\0'));
}

#[test]
fn a_report_without_rows_is_a_header() {
    let text = written(&Report::default());
    assert_eq!(text.lines().count(), 1);
    assert!(text.starts_with("document,criteria_id,requirement,state,"));
}

//! The workbook, opened again by calamine.

use std::io::Cursor;

use assize_exports::{Report, SectionValue, xlsx};
use calamine::{Data, Range, Reader, Xlsx};

use crate::sample::{self, FORMULA, REASON};

fn written(report: &Report) -> Vec<u8> {
    let mut bytes = Vec::new();
    xlsx::write(report, &mut bytes).unwrap();
    bytes
}

fn opened(report: &Report) -> Xlsx<Cursor<Vec<u8>>> {
    Xlsx::new(Cursor::new(written(report))).unwrap()
}

fn sheet(report: &Report, name: &str) -> Range<Data> {
    opened(report).worksheet_range(name).unwrap()
}

/// The cell in a row (from 1, below the header) under a heading.
fn under<'a>(range: &'a Range<Data>, heading: &str, row: usize) -> &'a Data {
    let headings = range.rows().next().unwrap();
    let column = headings.iter().position(|cell| *cell == heading).expect(heading);
    range.get((row, column)).unwrap_or(&Data::Empty)
}

fn text(text: &str) -> Data {
    Data::String(text.into())
}

#[test]
fn sections_that_are_numbers_stay_numbers() {
    let mut report = sample::report();
    report.rows[0].sections[2].value = SectionValue::Number(-3.5);
    let results = sheet(&report, "Results");
    assert_eq!(under(&results, "controls counted", 1), &Data::Float(-3.5));
}

#[test]
fn the_workbook_has_its_four_sheets() {
    let book = opened(&sample::report());
    assert_eq!(book.sheet_names(), ["Summary", "Results", "Citations", "Ledger"]);
}

#[test]
fn every_override_is_there_beside_the_judges_value() {
    let results = sheet(&sample::report(), "Results");
    assert_eq!(under(&results, "Judge's score", 1), &Data::Float(73.0));
    assert_eq!(under(&results, "Override score", 1), &Data::Float(86.5));
    assert_eq!(under(&results, "Effective score", 1), &Data::Float(86.5));
    assert_eq!(under(&results, "Override by", 1), &text("Ines Okafor"));
    assert_eq!(under(&results, "Override reason", 1), &text(REASON));
    assert_eq!(under(&results, "Status", 1), &text("Fully Compliant"));
    assert_eq!(
        under(&results, "Earlier overrides", 1),
        &text("64 by Ines Okafor, 2026-11-02T11:00:00Z: No reviewer is named.")
    );
    assert_eq!(
        under(&results, "explanation (override)", 1),
        &text("Managers are named in Annex B.")
    );
}

#[test]
fn what_has_no_score_has_an_empty_cell_and_its_state() {
    let results = sheet(&sample::report(), "Results");
    for row in 3..=5 {
        assert_eq!(under(&results, "Effective score", row), &Data::Empty);
        assert_eq!(under(&results, "Status", row), &Data::Empty);
    }
    assert_eq!(under(&results, "State", 3), &text("Not applicable"));
    assert_eq!(
        under(&results, "Judge's state", 5),
        &text("Failed: the judge gave no score in two replies")
    );
}

#[test]
fn formulas_stay_text() {
    let mut book = opened(&sample::report());
    for name in ["Summary", "Results", "Citations", "Ledger"] {
        assert!(book.worksheet_formula(name).unwrap().is_empty(), "{name}");
    }
    let results = book.worksheet_range("Results").unwrap();
    assert_eq!(under(&results, "explanation", 6), &text(FORMULA));
    assert_eq!(under(&results, "Criterion", 6), &text("-1+1|cmd"));
}

#[test]
fn texts_too_long_for_a_cell_end_with_a_note() {
    let results = sheet(&sample::report(), "Results");
    let Data::String(cell) = under(&results, "findings", 6) else { panic!("no text") };
    assert!(cell.ends_with("[…cut: the rest is in the JSON export]"));
    assert!(cell.encode_utf16().count() <= 32_767);
}

#[test]
fn control_characters_become_visible_marks() {
    let results = sheet(&sample::report(), "Results");
    let Data::String(cell) = under(&results, "Requirement", 6) else { panic!("no text") };
    assert!(cell.ends_with("😀 and ��[31m."), "{cell}");
    assert!(cell.starts_with("Ελληνικά, кириллица, 漢字かな"));
}

#[test]
fn citations_say_where_they_stand_or_that_they_do_not() {
    let citations = sheet(&sample::report(), "Citations");
    assert_eq!(under(&citations, "Page", 1), &Data::Float(3.0));
    assert_eq!(under(&citations, "Start", 1), &Data::Float(1204.0));
    assert_eq!(under(&citations, "Found", 1), &text("yes"));
    assert_eq!(under(&citations, "Found", 2), &text("no"));
    assert_eq!(under(&citations, "Page", 2), &Data::Empty);
}

#[test]
fn the_summary_says_how_many_rows_have_no_score() {
    let summary = sheet(&sample::report(), "Summary");
    let value = |label: &str| {
        let row = summary.rows().find(|row| row[0] == label).expect(label);
        row[1].clone()
    };
    assert_eq!(value("Rows scored"), Data::Float(3.0));
    assert_eq!(value("Rows without a score"), Data::Float(3.0));
    assert_eq!(value("Rows overridden"), Data::Float(1.0));
    assert_eq!(value("Judge"), text("rules"));
    assert_eq!(value("Bias (points)"), Data::Float(-2.5));
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    assert_eq!(written(&sample::report()), written(&sample::report()));
}

#[test]
fn an_empty_report_can_be_opened() {
    let results = sheet(&Report::default(), "Results");
    assert_eq!(results.height(), 1);
}

#[test]
fn a_matrix_has_criteria_down_and_documents_across() {
    let mut report = sample::report_of_set(4);
    report.set.verdicts[0].criteria_id = "AC-2".into();
    let matrix = sheet(&report, "Matrix");
    assert_eq!(under(&matrix, "Criterion", 1), &text("AC-2"));
    assert_eq!(under(&matrix, "Set", 1), &Data::Float(0.0));
    assert_eq!(under(&matrix, "policy.pdf", 1), &Data::Float(86.5));
    assert_eq!(under(&matrix, "Set", 4), &text("Needs information"));
    let set = sheet(&report, "Set");
    assert_eq!(under(&set, "Category", 1), &text("Family 0"));
    assert_eq!(under(&set, "Score", 2), &Data::Float(37.0));
    assert_eq!(under(&set, "Best document", 2), &text("policy.pdf"));
    let names = opened(&report).sheet_names().clone();
    assert_eq!(names, ["Summary", "Set", "Matrix", "Results", "Citations", "Ledger"]);
}

//! The printed report, opened again by lopdf.

use assize_exports::{Report, Row, pdf};
use lopdf::Document;

use crate::sample::{self, REASON};

fn written(report: &Report) -> Vec<u8> {
    let mut bytes = Vec::new();
    pdf::write(report, &mut bytes).unwrap();
    bytes
}

fn opened(report: &Report) -> Document {
    Document::load_mem(&written(report)).unwrap()
}

/// The text of all pages, in one line.
fn text(document: &Document) -> String {
    let numbers: Vec<u32> = document.get_pages().keys().copied().collect();
    let text = document.extract_text(&numbers).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_override_stands_beside_the_judges_score_with_its_reason() {
    let text = text(&opened(&sample::report()));
    assert!(
        text.contains("Effective score 86.5 · judge 73 (confidence 85) · override 86.5"),
        "{text}"
    );
    assert!(text.contains("86.5 instead of the judge's 73, by Ines Okafor, 2026-11-02T14:00:00Z"));
    assert!(text.contains(REASON), "{text}");
    assert!(text.contains("64 by Ines Okafor, 2026-11-02T11:00:00Z: No reviewer is named."));
    assert!(text.contains("explanation (override): Managers are named in Annex B."));
    assert!(text.contains("Accounts are reviewed; managers are not named."));
}

#[test]
fn the_report_names_its_method_its_counts_and_every_state() {
    let text = text(&opened(&sample::report()));
    for expected in [
        "Access control, third quarter",
        "Harbour Office",
        "Judge rules · method compliance 1 · prompt template default 3 · run run-0042",
        "of 3 scored rows of 6",
        "3 without a score: 1 not applicable, 1 needs information, 1 failed.",
        "Not applicable",
        "Needs information",
        "the judge gave no score in two replies",
        "page 3, 1204–1251, exact",
        "not found in the document",
        "share of the requirement covered",
        "Page 1 of ",
    ] {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
}

#[test]
fn letters_without_a_shape_are_kept_as_text() {
    let text = text(&opened(&sample::report()));
    for expected in
        ["Ελληνικά", "кириллица", "漢字かな", "😀", "missing from the font of this report: 10."]
    {
        assert!(text.contains(expected), "{expected} is missing");
    }
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    assert_eq!(written(&sample::report()), written(&sample::report()));
}

#[test]
fn an_empty_report_is_a_page_that_says_there_is_no_score() {
    let document = opened(&Report::default());
    assert_eq!(document.get_pages().len(), 1);
    assert!(text(&document).contains("no score"));
}

#[test]
fn texts_that_fill_pages_go_on_where_the_page_ends() {
    let mut report = sample::report();
    let long = (0..3_000).map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ");
    report.rows[1].sections = vec![sample::section("explanation", &long)];
    let document = opened(&report);
    assert!(document.get_pages().len() > 4);
    let text = text(&document);
    let words = text.split(' ').filter(|word| word.starts_with('w'));
    let numbers: Vec<usize> = words.filter_map(|word| word[1..].parse().ok()).collect();
    assert_eq!(numbers, (0..3_000).collect::<Vec<_>>());
}

#[test]
fn a_word_without_end_and_a_thousand_empty_lines_are_no_trouble() {
    let mut report = sample::report();
    report.title = "x".repeat(5_000);
    report.rows = vec![Row {
        criteria_id: "y".repeat(5_000),
        document: "z".repeat(5_000),
        requirement: "\n".repeat(100_000),
        ..Row::default()
    }];
    assert!(opened(&report).get_pages().len() < 10);
}

/// Every page that the table of results names is where the criterion's block begins.
#[test]
fn the_table_names_the_page_of_each_block() {
    let report = sample::report();
    let document = opened(&report);
    let outline = document.get_toc().unwrap();
    let blocks: Vec<_> = outline.toc.iter().filter(|entry| entry.level == 2).collect();
    assert_eq!(blocks.len(), report.rows.len());
    for (block, row) in blocks.iter().zip(&report.rows) {
        let page = u32::try_from(block.page).unwrap();
        let text = document.extract_text(&[page]).unwrap();
        assert!(text.contains(&row.criteria_id), "{} is not on page {page}", row.criteria_id);
    }
}

fn brief(report: &Report) -> Document {
    let mut bytes = Vec::new();
    pdf::write_brief(report, &mut bytes).unwrap();
    Document::load_mem(&bytes).unwrap()
}

#[test]
fn two_pages_hold_the_verdict_the_distribution_the_weakest_and_what_is_open() {
    let document = brief(&sample::report_of_set(12));
    assert_eq!(document.get_pages().len(), 2);
    let text = text(&document);
    for expected in [
        "Verdict for the set",
        "55.3",
        "the mean of 10 criteria of 12",
        "of 12 criteria met",
        "2 without a score",
        "Approved by Grace on 2026-11-03",
        "Criteria by tier",
        "By category",
        "Weakest criteria",
        "Open findings",
        "2 have no score",
        "Needs information",
        "AC-3",
        "Overall accuracy",
    ] {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
    assert!(!text.contains("share of the requirement covered"), "no ledger on two pages");
}

#[test]
fn the_full_report_begins_with_the_same_verdict_and_its_approval() {
    let text = text(&opened(&sample::report_of_set(12)));
    let place = |words: &str| text.find(words).unwrap_or_else(|| panic!("{words}: {text}"));
    assert!(place("Verdict for the set") < place("Approved by Grace on 2026-11-03"));
    assert!(place("55.3") < place("the mean over all document × criterion pairs"));
}

#[test]
fn two_pages_are_enough_for_any_run_and_for_an_empty_one() {
    for criteria in [0, 1, 400, 5_000] {
        let mut report = sample::report_of_set(criteria);
        report.documents = vec![report.documents[0].clone(); 60];
        report.title = "A very long title ".repeat(6);
        for verdict in report.set.verdicts.iter_mut().filter(|one| one.is_met) {
            (verdict.is_met, verdict.contradicted_by) = (false, vec!["annex.docx".into()]);
        }
        assert_eq!(brief(&report).get_pages().len(), 2, "{criteria}");
    }
    assert_eq!(brief(&Report::default()).get_pages().len(), 2);
}

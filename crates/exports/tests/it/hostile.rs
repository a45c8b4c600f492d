//! Any text at all, in every form: it is written, and can be opened again.

use std::io::Cursor;

use assize_exports::{Report, csv, json, oscal, pdf, xlsx};
use calamine::{Reader, Xlsx};
use proptest::prelude::*;

use crate::sample;

/// The sample with one text wherever somebody else's text can stand.
fn with(text: &str) -> Report {
    let mut report = sample::report();
    report.rows.pop();
    report.title = text.into();
    report.organisation = text.into();
    report.method.judge = text.into();
    report.run.id = text.into();
    report.documents[0].name = text.into();
    report.rubric[0].label = text.into();
    report.rubric[0].colour = text.into();
    let row = &mut report.rows[0];
    row.document = text.into();
    row.criteria_id = text.into();
    row.requirement = text.into();
    row.sections[0] = sample::section(text, text);
    row.citations[0].quote = text.into();
    row.citations[0].matched = text.into();
    row.ledger[0].text = text.into();
    if let Some(made) = &mut row.current_override {
        made.who = text.into();
        made.why = text.into();
        made.sections[0] = sample::section(text, text);
    }
    report
}

fn write_all_and_open(text: &str) {
    let report = with(text);
    let mut bytes = Vec::new();
    csv::write(&report, &mut bytes).unwrap();
    let records = ::csv::Reader::from_reader(&bytes[..]).into_records();
    assert_eq!(records.flatten().count(), report.rows.len());

    bytes.clear();
    json::write(&report, &mut bytes).unwrap();
    assert_eq!(serde_json::from_slice::<Report>(&bytes).unwrap(), report);

    bytes.clear();
    xlsx::write(&report, &mut bytes).unwrap();
    let mut book: Xlsx<_> = Xlsx::new(Cursor::new(&bytes)).unwrap();
    for name in ["Summary", "Results", "Citations", "Ledger"] {
        assert!(book.worksheet_formula(name).unwrap().is_empty());
        assert!(book.worksheet_range(name).unwrap().height() > 0);
    }

    bytes.clear();
    pdf::write(&report, &mut bytes).unwrap();
    assert!(!lopdf::Document::load_mem(&bytes).unwrap().get_pages().is_empty());

    bytes.clear();
    oscal::write(&report, &oscal::Options::default(), &mut bytes).unwrap();
    let mut found = Vec::new();
    crate::oscal::breaches("", &serde_json::from_slice(&bytes).unwrap(), &mut found);
    assert_eq!(found, [] as [String; 0]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_written_and_opened(text in any::<String>()) {
        write_all_and_open(&text);
    }
}

#[test]
fn texts_that_are_known_to_break_files_do_not() {
    for text in [
        "",
        "\0",
        "_x0041_",
        "]]></v><f>1+1</f>",
        "=cmd|' /C calc'!A0",
        "\u{fffe}\u{ffff}",
        "(\\) Tj ET endstream endobj",
        "a\u{300}\u{301}\u{302}\u{303}",
        "{{ insert: param, ac-1 }} <script>alert(1)</script>",
    ] {
        write_all_and_open(text);
    }
}

/// More letters than a cell holds, and none of them with a shape.
#[test]
fn a_text_of_forty_thousand_letters_is_no_trouble() {
    write_all_and_open(&"語 ".repeat(20_000));
}

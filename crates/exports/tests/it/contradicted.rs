//! What one document states and another denies is named in every export and met in none.

use assize_exports::oscal::{self, Options};
use assize_exports::{csv, json, pdf, xlsx};
use calamine::{Data, Reader, Xlsx};
use serde_json::Value;

use crate::sample;

fn written(write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(&mut bytes);
    bytes
}

fn values(of: &Value, name: &str) -> Vec<String> {
    let props = of["props"].as_array().unwrap().iter();
    let own = props.filter(|one| one["name"] == name);
    own.map(|one| one["value"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn both_pdfs_say_who_denies_it_and_count_it_as_open() {
    let report = sample::report_of_contradicted_set();
    for (is_full, bytes) in [
        (false, written(|out| pdf::write_brief(&report, out).unwrap())),
        (true, written(|out| pdf::write(&report, out).unwrap())),
    ] {
        let document = lopdf::Document::load_mem(&bytes).unwrap();
        let pages: Vec<u32> = document.get_pages().keys().copied().collect();
        let text = document.extract_text(&pages).unwrap();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        // Of 37 n mod 101 only AC-5 (84) and AC-8 (94) are above 80, and AC-5 is denied here.
        assert!(text.contains("1 of 12 criteria met, 9 open, 2 without a score"), "{text}");
        assert!(text.contains("(1 contradicted)"), "{text}");
        let words =
            if is_full { "Contradicted by: annex.docx" } else { "Contradicted by annex.docx" };
        assert!(text.contains(words), "{text}");
        if !is_full {
            assert!(text.contains("9 criteria are open, 1 of them contradicted"), "{text}");
        }
    }
}

#[test]
fn a_workbook_names_it_for_the_set_and_in_the_summary() {
    let report = sample::report_of_contradicted_set();
    let bytes = written(|out| xlsx::write(&report, out).unwrap());
    let mut book: Xlsx<_> = Xlsx::new(std::io::Cursor::new(bytes)).unwrap();
    for (name, words) in [
        ("Set", "annex.docx"),
        ("Summary", "Contradicted by annex.docx; the set scores 60 or less"),
    ] {
        let range = book.worksheet_range(name).unwrap();
        let is_named = |row: &[Data]| {
            let has = |wanted: &str| {
                row.iter().any(|cell| matches!(cell, Data::String(text) if text == wanted))
            };
            has("AC-2") && has(words)
        };
        assert!(range.rows().any(is_named), "{name}");
    }
}

#[test]
fn tables_and_json_name_it_in_the_row_that_states_it() {
    let report = sample::report_of_contradicted_set();
    let bytes = written(|out| csv::write(&report, out).unwrap());
    let mut reader = ::csv::Reader::from_reader(bytes.as_slice());
    let column = reader.headers().unwrap().iter().position(|one| one == "contradicted_by").unwrap();
    let cells: Vec<String> =
        reader.records().map(|record| record.unwrap()[column].to_owned()).collect();
    assert_eq!(cells, ["annex.docx", "", "", "", "", ""]);
    let bytes = written(|out| json::write(&report, out).unwrap());
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(file["rows"][0]["contradicted_by"][0], "annex.docx");
    assert_eq!(file["rows"][1].get("contradicted_by"), None);
}

#[test]
fn oscal_does_not_call_it_satisfied_and_plans_for_it() {
    let report = sample::report_of_contradicted_set();
    let lenient = Options { satisfied_from_tier: Some(2), ..Options::default() };
    let bytes = written(|out| oscal::write(&report, &lenient, out).unwrap());
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    let finding = &file["assessment-results"]["results"][0]["findings"][0];
    assert_eq!(finding["target"]["status"]["state"], "not-satisfied");
    assert_eq!(values(finding, "contradicted-by"), ["annex.docx"]);
    let bytes = written(|out| oscal::write_plan(&report, &lenient, out).unwrap());
    let file: Value = serde_json::from_slice(&bytes).unwrap();
    let items = file["plan-of-action-and-milestones"]["poam-items"].as_array().unwrap().iter();
    let own = items.filter(|item| item["title"].as_str().unwrap().starts_with("AC-2:"));
    let own: Vec<&Value> = own.collect();
    assert_eq!(own.len(), 1);
    assert!(own[0]["description"].as_str().unwrap().contains("Contradicted by annex.docx"));
}

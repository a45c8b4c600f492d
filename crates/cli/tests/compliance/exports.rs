//! Exports open, and what people said is in them.

use assize_documents::Limits;
use calamine::{Data, Reader, Xlsx};

use crate::bed::Bed;
use crate::walk::evaluated;

const REASON: &str = "contracts add yearly lessons";

fn exported(bed: &Bed, name: &str) -> Vec<u8> {
    let path = bed.path(name);
    bed.assize(&["export", "latest", "-o", &path]).fine();
    std::fs::read(path).unwrap()
}

#[test]
fn a_workbook_and_a_printed_report_hold_the_override_beside_the_judges_score() {
    for bed in Bed::both() {
        evaluated(&bed);
        let at = ["latest", "LIB-6", "--document", "access-policy.md"];
        let said = ["--score", "61.5", "--reason", REASON, "--by", "M. Ferris"];
        bed.assize(&[&["evaluate", "override"], &at[..], &said[..]].concat()).fine();

        let bytes = exported(&bed, "report.xlsx");
        let mut workbook: Xlsx<_> = Xlsx::new(std::io::Cursor::new(bytes)).unwrap();
        let names = workbook.sheet_names().clone();
        let cells: Vec<Data> = names
            .iter()
            .flat_map(|name| {
                let range = workbook.worksheet_range(name).unwrap();
                range.cells().map(|(_, _, cell)| cell.clone()).collect::<Vec<_>>()
            })
            .collect();
        assert!(cells.contains(&Data::Float(61.5)), "{names:?}");
        let has = |words: &str| {
            cells.iter().any(|cell| matches!(cell, Data::String(text) if text.contains(words)))
        };
        assert!(has(REASON) && has("M. Ferris") && has("LIB-6"));

        let bytes = exported(&bed, "report.pdf");
        let read = assize_documents::read(&bytes, "report.pdf", &Limits::default()).unwrap();
        let text = read.text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(REASON) && text.contains("61.5"), "{text}");

        let json: serde_json::Value =
            serde_json::from_slice(&exported(&bed, "report.json")).unwrap();
        assert!(json.to_string().contains(REASON));
        let csv = String::from_utf8(exported(&bed, "report.csv")).unwrap();
        assert!(csv.contains("61.5") && csv.lines().count() > 20);
        let oscal = bed.assize(&["export", "latest", "--format", "oscal"]).fine().json();
        assert!(oscal["assessment-results"]["uuid"].is_string());
    }
}

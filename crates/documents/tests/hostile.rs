//! Files that mean harm, or that something happened to: no reader may panic or hang.

use std::io::{Cursor, Write};
use std::time::{Duration, Instant};

use assize_documents::table::Table;
use assize_documents::{Document, DocumentError, Limits, criteria, read, table, truth};
use proptest::prelude::*;
use zip::write::{SimpleFileOptions, ZipWriter};

/// How long any of these small files may take, on a slow and busy machine.
const TIME_MAX: Duration = Duration::from_secs(10);

fn limits() -> Limits {
    Limits { time_max: TIME_MAX, decompressed_bytes_max: 16 << 20, ..Limits::default() }
}

/// Reads bytes as everything that could be asked of them.
fn read_all(bytes: &[u8], name: &str) -> Result<Document, DocumentError> {
    let started = Instant::now();
    if let Ok(table) = table::read_sheet(bytes, name, None, &limits()) {
        drop((criteria::from_table(&table), truth::from_table(&table)));
    }
    if let Ok(text) = std::str::from_utf8(bytes) {
        drop((criteria::from_oscal(text), truth::from_json(text)));
    }
    let document = read(bytes, name, &limits());
    assert!(started.elapsed() < TIME_MAX, "{:?}", started.elapsed());
    assert_ne!(document, Err(DocumentError::Reader("PDF")), "the PDF reader panicked");
    if let Ok(document) = &document {
        check(document);
    }
    document
}

/// What holds for every document.
fn check(document: &Document) {
    let length = document.text.chars().count();
    let mut end = 0;
    for (paragraph, text) in document.paragraphs.iter().zip(document.paragraph_texts()) {
        assert!(paragraph.span.start >= end && paragraph.span.end <= length);
        assert!(!text.trim().is_empty());
        assert_eq!(text.chars().count(), paragraph.span.len());
        end = paragraph.span.end;
    }
    assert!(!document.text.chars().any(|c| c.is_control() && c != '\n' && c != '\t'));
    assert!(document.pages.iter().all(|page| page.span.end <= length));
    assert!(document.pages.windows(2).all(|pair| pair[0].span.start <= pair[1].span.start));
}

fn docx() -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let paragraph =
        "<w:p><w:pPr><w:pStyle w:val='H'/></w:pPr><w:r><w:t>Some text.</w:t></w:r></w:p>";
    let body = format!("<w:document><w:body>{}</w:body></w:document>", paragraph.repeat(20));
    let styles =
        "<w:styles><w:style w:styleId='H'><w:name w:val='heading 1'/></w:style></w:styles>";
    for (name, content) in [("word/document.xml", body.as_str()), ("word/styles.xml", styles)] {
        writer.start_file(name, SimpleFileOptions::default()).expect("the names differ");
        writer.write_all(content.as_bytes()).expect("memory can be written to");
    }
    writer.finish().expect("memory can be written to").into_inner()
}

fn xlsx() -> Vec<u8> {
    let row = |id: &str| vec![id.to_owned(), "Do it".to_owned()];
    Table::new(&["criteria_id", "requirement"], [row("AC-1"), row("AC-2")]).to_xlsx()
}

/// A PDF of one page, written by hand.
fn pdf() -> Vec<u8> {
    let content = "BT /F1 12 Tf 72 720 Td (Accounts are reviewed) Tj 0 -14 Td (every year) Tj ET";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = String::new();
    for (number, object) in (1..).zip(&objects) {
        places += format!("{:010} 00000 n \n", file.len()).as_str();
        file.extend(format!("{number} 0 obj\n{object}\nendobj\n").into_bytes());
    }
    let table = file.len();
    let size = objects.len() + 1;
    let end = format!(
        "xref\n0 {size}\n0000000000 65535 f \n{places}trailer\n<< /Size {size} /Root 1 0 R >>\n\
         startxref\n{table}\n%%EOF\n"
    );
    file.extend(end.into_bytes());
    file
}

const HTML: &str = "<!doctype html><h1>Title</h1><table><tr><td>a<td>b</table><p>x &amp; y<pre>z";
const MARKDOWN: &str = "---\na: b\n---\n# Title\n\n* item\n\n```\ncode\n```\n<!-- no -->\n| a |\n";

fn files() -> [(&'static str, Vec<u8>); 5] {
    [
        ("a.docx", docx()),
        ("a.xlsx", xlsx()),
        ("a.pdf", pdf()),
        ("a.html", HTML.as_bytes().to_vec()),
        ("a.md", MARKDOWN.as_bytes().to_vec()),
    ]
}

#[test]
fn the_files_of_these_tests_are_sound() {
    let text = |name: &str, bytes: &[u8]| read_all(bytes, name).map(|document| document.text);
    assert_eq!(text("a.pdf", &pdf()).unwrap(), "Accounts are reviewed every year");
    assert!(text("a.docx", &docx()).unwrap().starts_with("Some text.\n\nSome text."));
    assert_eq!(text("a.html", HTML.as_bytes()).unwrap(), "Title\n\na | b\n\nx & y\n\nz");
    assert_eq!(table::read(&xlsx(), "a.xlsx").unwrap().rows.len(), 2);
}

#[test]
fn files_cut_off_anywhere_end_as_a_document_or_an_error() {
    for (name, bytes) in files() {
        let step = (bytes.len() / 60).max(1);
        let mut refused = 0;
        for length in (0..bytes.len()).step_by(step) {
            refused += usize::from(read_all(&bytes[..length], name).is_err());
        }
        // Text that is cut off is still text; an archive without its end is nothing.
        assert!(refused > 0, "{name}");
        if name.ends_with('x') {
            assert_eq!(refused, bytes.len().div_ceil(step), "{name}");
        }
    }
}

#[test]
fn a_page_of_unclosed_tags_is_read_in_no_time() {
    for part in ["<div hidden>", "<b", "<!--", "</", "<a x='", "&", "<table><tr><td>", "<pre>"] {
        let page = format!("<!doctype html><p>x{}", part.repeat(200_000 / part.len()));
        drop(read_all(page.as_bytes(), "a.html"));
    }
    for part in ["```\n", "#", "<!--\n", "- ", "|\n", ">", "[x]("] {
        drop(read_all(part.repeat(200_000 / part.len()).as_bytes(), "a.md"));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..2000), kind in 0..8_usize) {
        let (mark, name): (&[u8], _) = [
            (&b""[..], "a.txt"), (b"", "a.md"), (b"<!doctype html>", "a.html"), (b"%PDF-1.7\n", "a.pdf"),
            (b"PK\x03\x04", "a.docx"), (b"PK\x03\x04", "a.xlsx"), (b"\xff\xfe", "a.csv"), (b"", "a.csv"),
        ][kind];
        let _ = read_all(&[mark, &bytes].concat(), name);
    }

    #[test]
    fn random_text_is_read_whole(text in "[a-zé#|*<>&;{}\\[\\]()\"'=,.\\t\\n -]{0,400}", kind in 0..4_usize) {
        let name = ["a.txt", "a.md", "a.html", "a.csv"][kind];
        let _ = read_all(text.as_bytes(), name);
    }

    #[test]
    fn files_with_changed_bytes_never_panic(
        kind in 0..5_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
    ) {
        let (name, mut bytes) = files()[kind].clone();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = read_all(&bytes, name);
    }

    #[test]
    fn criteria_go_to_a_file_and_back(
        rows in prop::collection::vec(("[A-Z]{2}-[0-9]{1,4}", "[A-Za-z,;\"'é=]{1,9}( [a-z;,.\"]{1,9}){0,4}(\n[a-z]{1,9})?", "[a-z ]{0,9}"), 1..12),
    ) {
        let mut items: Vec<criteria::Criterion> = Vec::new();
        for (id, requirement, description) in rows {
            if !items.iter().any(|item| item.criteria_id == id) {
                let order = i64::try_from(items.len()).unwrap() + 1;
                let description = description.trim().to_owned();
                let criteria_id = id;
                items.push(criteria::Criterion {
                    criteria_id,
                    requirement,
                    description,
                    order,
                    ..criteria::Criterion::default()
                });
            }
        }
        let table = criteria::to_table(&items);
        let csv = table::read(table.to_csv().as_bytes(), "c.csv").unwrap();
        prop_assert_eq!(&criteria::from_table(&csv).unwrap().items, &items);
        let xlsx = table::read(&table.to_xlsx(), "c.xlsx").unwrap();
        prop_assert_eq!(&criteria::from_table(&xlsx).unwrap().items, &items);
        let head = criteria::CatalogHead {
            title: "t".to_owned(), version: "1".to_owned(), last_modified: "2026-01-01T00:00:00Z".to_owned(),
        };
        let oscal = criteria::from_oscal(&criteria::to_oscal(&items, &head)).unwrap();
        prop_assert_eq!(&oscal.items, &items);
    }
}

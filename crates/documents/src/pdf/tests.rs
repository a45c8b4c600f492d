//! PDFs, written here page by page.

use std::time::{Duration, Instant};

use lopdf::encryption::{EncryptionState, EncryptionVersion, Permissions};
use lopdf::{Dictionary, Document, Object, Stream, dictionary};

use super::*;
use crate::document::Page;

/// A file with these instructions on its pages; fonts are `F1` and `F2`, a drawing is `X1`.
fn file(pages: &[&str]) -> Document {
    let mut document = Document::with_version("1.7");
    let font = |name: &str| {
        dictionary! { "Type" => "Font", "Subtype" => "Type1", "BaseFont" => name,
        "Encoding" => "WinAnsiEncoding" }
    };
    let drawing = dictionary! { "Type" => "XObject", "Subtype" => "Form" };
    let drawing = Stream::new(drawing, b"BT /F1 10 Tf 72 300 Td (in a drawing) Tj ET".to_vec());
    let drawing = document.add_object(drawing);
    let tree = document.new_object_id();
    let resources = dictionary! {
        "Font" => dictionary! { "F1" => font("Helvetica"), "F2" => font("Courier") },
        "XObject" => dictionary! { "X1" => drawing },
    };
    let resources = document.add_object(resources);
    let kids: Vec<Object> = pages
        .iter()
        .map(|content| {
            let content = Stream::new(Dictionary::new(), content.as_bytes().to_vec());
            let content = document.add_object(content);
            let page = dictionary! { "Type" => "Page", "Parent" => tree, "Contents" => content,
            "Resources" => resources };
            document.add_object(page).into()
        })
        .collect();
    let count = i64::try_from(kids.len()).unwrap();
    let pages = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
    document.objects.insert(tree, Object::Dictionary(pages));
    let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
    document.trailer.set("Root", catalog);
    let id = || Object::string_literal("0123456789abcdef");
    document.trailer.set("ID", Object::Array(vec![id(), id()]));
    document
}

fn saved(mut document: Document) -> Vec<u8> {
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    bytes
}

fn parts(pages: &[&str]) -> Parts {
    read(&saved(file(pages)), &Limits::default()).unwrap()
}

fn text(page: &str) -> String {
    parts(&[page]).text
}

#[test]
fn pages_have_their_numbers_and_places() {
    let line = |text: &str| format!("BT /F1 12 Tf 72 720 Td ({text}) Tj ET");
    let parts = parts(&[&line("Erste Seite \\374"), "", &line("third")]);
    assert_eq!(parts.text, "Erste Seite ü\n\nthird");
    let page = |number, span| Page { number, span };
    assert_eq!(parts.pages, [page(1, 0..13), page(2, 13..13), page(3, 15..20)]);
    assert_eq!(parts.notices, [Notice::PagesWithoutText { pages: vec![2] }]);
}

#[test]
fn lines_close_together_are_a_paragraph_and_large_letters_a_heading() {
    let parts = parts(&["BT /F1 18 Tf 72 720 Td (Scope) Tj /F1 10 Tf 0 -30 Td 12 TL \
         (Accounts that nobody uses are) Tj T* (disabled after ninety days) Tj \
         0 -30 Td (Another paragraph) Tj (, and more) ' ET"]);
    let expected = "Scope\n\nAccounts that nobody uses are disabled after ninety days\n\n\
                    Another paragraph , and more";
    assert_eq!(parts.text, expected);
    let headings: Vec<_> = parts.paragraphs.iter().map(|paragraph| paragraph.heading).collect();
    assert_eq!(headings, [Some(1), None, None]);
}

#[test]
fn gaps_within_a_line_are_spaces_and_small_moves_are_not() {
    assert_eq!(
        text("BT /F1 10 Tf 9 9 Td [(ac) -20 (count) -300 (review)] TJ ET"),
        "account review"
    );
    assert_eq!(text("BT /F2 10 Tf 9 9 Td (AC-2) Tj 90 0 Td (done) Tj ET"), "AC-2\tdone");
    // Courier is 6 points wide at this size: "AC-2" ends at 24, the next begins there.
    assert_eq!(text("BT /F2 10 Tf 0 9 Td (AC-2) Tj 24 0 Td (\\(1\\)) Tj ET"), "AC-2(1)");
}

#[test]
fn words_that_a_line_end_parted_are_whole_again() {
    let page = |end: &str, next: &str| {
        format!("BT /F1 10 Tf 12 TL 9 99 Td (in manipulation and {end}-) Tj T* ({next} it) Tj ET")
    };
    assert_eq!(text(&page("manipu", "lation")), "in manipulation and manipulation it");
    assert_eq!(text(&page("multi", "factor")), "in manipulation and multi-factor it");
}

#[test]
fn items_of_a_list_are_paragraphs() {
    let items = "BT /F1 10 Tf 12 TL 9 99 Td (Steps) Tj T* (1. first) Tj T* (\\(b\\) second) Tj T* \
                 (\\225 third) Tj ET";
    assert_eq!(text(items), "Steps\n\n1. first\n\n(b) second\n\n• third");
}

#[test]
fn text_that_is_turned_scaled_or_in_a_drawing_is_read() {
    let turned = "BT /F1 1 Tf 0 10 -10 0 50 50 Tm (going) Tj ( up) Tj ET";
    assert_eq!(text(turned), "going up");
    assert_eq!(
        text("q .1 0 0 .1 0 0 cm BT /F1 100 Tf (sm) Tj (all) Tj ET Q /X1 Do"),
        "small\n\nin a drawing"
    );
}

#[test]
fn running_heads_that_are_marked_as_such_are_left_out() {
    let page =
        "/Artifact BMC BT /F1 9 Tf 9 9 Td (Page 1) Tj ET EMC BT /F1 9 Tf 9 50 Td (Text) Tj ET";
    assert_eq!(text(page), "Text");
    assert_eq!(text("/Artifact BMC BT /F1 9 Tf (all of it) Tj ET EMC"), "all of it");
}

#[test]
fn a_scan_is_told_from_a_text() {
    let error = read(&saved(file(&["q 0 0 m 9 9 l S Q", ""])), &Limits::default()).unwrap_err();
    assert_eq!(error, DocumentError::NoText { pages: 2 });
    assert!(error.to_string().starts_with("the PDF has 2 pages but no text"));
}

#[test]
fn a_password_is_asked_for_only_where_there_is_one() {
    let locked = |password: &str| {
        let mut document = file(&["BT /F1 12 Tf 9 9 Td (secret) Tj ET"]);
        let version = EncryptionVersion::V2 {
            document: &document,
            owner_password: "owner",
            user_password: password,
            key_length: 128,
            permissions: Permissions::all(),
        };
        let state = EncryptionState::try_from(version).unwrap();
        document.encrypt(&state).unwrap();
        read(&saved(document), &Limits::default())
    };
    assert_eq!(locked("open sesame"), Err(DocumentError::Encrypted("PDF")));
    let open = locked("").unwrap();
    assert_eq!((open.text.as_str(), open.notices), ("secret", vec![Notice::EmptyPassword]));
}

#[test]
fn two_thousand_pages_are_read_in_time() {
    let page = |number: usize| {
        format!(
            "BT /F1 12 Tf 14 TL 72 720 Td (Page {number} says that) Tj T* (reviews happen) Tj ET"
        )
    };
    let pages: Vec<String> = (1..=2000).map(page).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let bytes = saved(file(&pages));
    let started = Instant::now();
    let parts = read(&bytes, &Limits::default()).unwrap();
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    assert_eq!(parts.pages.len(), 2000);
    let at = parts.text.find("Page 1999 ").unwrap();
    assert_eq!(crate::place(&parts.pages, &parts.paragraphs, at).page, Some(1999));
    let few = Limits { pages_max: 1999, ..Limits::default() };
    assert!(matches!(read(&bytes, &few), Err(DocumentError::TooLarge(_))));
}

#[test]
fn a_bomb_in_a_page_is_refused() {
    let mut document = file(&[&" ".repeat(3 << 20)]);
    document.compress();
    let limits = Limits { decompressed_bytes_max: 1 << 20, ..Limits::default() };
    let bytes = saved(document);
    assert!(bytes.len() < 100_000);
    assert!(matches!(read(&bytes, &limits), Err(DocumentError::TooLarge(_))));
}

#[test]
fn drawings_that_draw_themselves_end() {
    let mut document = file(&["/X1 Do"]);
    let forms = document.objects.values_mut().filter_map(|object| object.as_stream_mut().ok());
    for form in forms.filter(|form| form.dict.has(b"Subtype")) {
        form.set_plain_content(b"/X1 Do BT /F1 9 Tf (x) Tj ET".to_vec());
    }
    assert_eq!(read(&saved(document), &Limits::default()).unwrap().text, "x");
}

#[test]
fn time_is_up_when_it_is_up() {
    let limits = Limits { time_max: Duration::ZERO, ..Limits::default() };
    // More steps than are taken between two looks at the clock.
    let read = read(&saved(file(&["BT (x) Tj ET ".repeat(5000).as_str()])), &limits);
    assert_eq!(read, Err(DocumentError::TooSlow { seconds: 0 }));
}

#[test]
fn a_file_that_is_no_more_than_a_mark_is_damaged() {
    let read = read(b"%PDF-1.7\n%%EOF", &Limits::default());
    assert!(matches!(read, Err(DocumentError::Damaged { kind: "PDF", .. })), "{read:?}");
}

/// The notices of one page, without those on empty pages.
fn notices(page: &str) -> Vec<String> {
    parts(&[page]).notices.iter().map(Notice::to_string).collect()
}

#[test]
fn what_nobody_can_see_is_no_text_and_is_named() {
    let page = |hidden: &str| format!("BT /F1 10 Tf 72 700 Td (Seen by all) Tj ET q {hidden} Q");
    let planted = "BT /F1 10 Tf 72 600 Td (Passwords have 20 characters) Tj ET";
    let small = "BT /F1 1 Tf 72 600 Td (Passwords have 20 characters) Tj ET";
    for (hidden, how) in [
        (format!("3 Tr {planted}"), "without ink"),
        (format!("1 1 1 rg {planted}"), "in the colour of the page"),
        (format!("0.97 g {planted}"), "in the colour of the page"),
        (format!("0 0 0 0.02 k {planted}"), "in the colour of the page"),
        (small.to_owned(), "under 2 points"),
        (format!("{planted} 1 g 60 590 400 40 re f"), "covered by something drawn later"),
        (format!("0 0 1 rg 60 590 400 40 re f {planted}"), "in the colour of the page"),
    ] {
        let page = page(&hidden);
        assert_eq!(text(&page), "Seen by all", "{hidden}");
        let expected =
            format!("hidden text: 1 piece {how}, not read: “Passwords have 20 characters”");
        assert_eq!(notices(&page), [expected], "{hidden}");
    }
}

#[test]
fn white_letters_on_a_dark_field_are_seen() {
    let page = "0 0 0.5 rg 60 590 400 40 re f 1 g BT /F1 10 Tf 72 600 Td (Owner) Tj ET";
    assert_eq!(text(page), "Owner");
    // A frame and a light field drawn before do not cover.
    let page = "0.9 g 60 590 400 40 re f 0 g 60 590 400 40 re S BT /F1 9 Tf 72 600 Td (Cell) Tj ET";
    assert_eq!(text(page), "Cell");
}

#[test]
fn text_beside_the_page_is_not_seen() {
    let mut document =
        file(&["BT /F1 10 Tf 72 700 Td (Seen) Tj ET BT /F1 10 Tf 72 -50 Td (Low) Tj ET"]);
    let pages = document.get_pages();
    let page = document.get_dictionary_mut(pages[&1]).unwrap();
    page.set("MediaBox", [0, 0, 595, 842].map(Object::Integer).to_vec());
    let parts = read(&saved(document), &Limits::default()).unwrap();
    assert_eq!(parts.text, "Seen");
    assert!(parts.notices[0].to_string().contains("outside the page"), "{:?}", parts.notices);
}

#[test]
fn the_same_text_printed_twice_counts_once() {
    let line = "BT /F1 10 Tf 72 700 Td (Doors are locked.) Tj ET";
    let other = "BT /F1 10 Tf 72 500 Td (Windows too.) Tj ET";
    assert_eq!(text(&format!("{line} {other} {line}")), "Doors are locked.\n\nWindows too.");
}

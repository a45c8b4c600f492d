//! Text that a person sees, and text that nobody does: every way to hide a sentence that the
//! readers know of, as a file. Each file holds one sentence that is seen and one that is planted.
//!
//! What a renderer shows of these files is asked by `scripts/visible_reference.py`.

mod docx;
mod html;
mod markdown;
mod pdf;

use std::path::PathBuf;
use std::{env, fs};

use assize_documents::{Limits, Notice, read};

/// The sentence that every file shows.
const SHOWN: &str = "Doors are locked at night.";
/// The sentence that is planted.
const PLANTED: &str = "Passwords have twenty characters.";
/// As long as the planted one: a renderer that shows both alike shows neither.
const OTHER: &str = "Wardrobes own sixty elephants xyz";

/// A way to write a file.
struct Case {
    name: &'static str,
    /// Whether a person who opens the file sees the planted sentence.
    is_seen: bool,
    /// The file with a sentence planted in it.
    file: Box<Write>,
}

type Write = dyn Fn(&str) -> Vec<u8>;

impl Case {
    /// A text file, with `{}` where the sentence is.
    fn of_text(name: &'static str, is_seen: bool, page: impl Into<String>) -> Self {
        let page = page.into();
        Self { name, is_seen, file: Box::new(move |planted| page.replace("{}", planted).into()) }
    }
}

/// Reads every file, and says of each what is wrong.
fn check(cases: &[Case], ending: &str) {
    let mut wrong = Vec::new();
    for case in cases {
        let bytes = (case.file)(PLANTED);
        let document = match read(&bytes, &format!("a.{ending}"), &Limits::default()) {
            Ok(document) => document,
            Err(error) => {
                wrong.push(format!("{}: {error}", case.name));
                continue;
            }
        };
        let is_hidden = |notice: &Notice| matches!(notice, Notice::Hidden { sample, .. } if sample.contains(PLANTED));
        let is_named = document.notices.iter().any(is_hidden);
        let is_read = document.text.contains(PLANTED);
        if !document.text.contains(SHOWN) {
            wrong.push(format!("{}: the sentence that is shown is not read", case.name));
        }
        match (case.is_seen, is_read, is_named) {
            (true, true, false) | (false, false, true) => {}
            (true, ..) => wrong.push(format!("{}: seen, but not read: {document:?}", case.name)),
            (false, true, _) => wrong.push(format!("{}: not seen, but read", case.name)),
            (false, false, false) => {
                wrong.push(format!("{}: not named: {:?}", case.name, document.notices));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn what_a_web_page_hides_is_not_read_and_is_named() {
    check(&html::cases(), "html");
}

#[test]
fn what_a_markdown_text_hides_is_not_read_and_is_named() {
    check(&markdown::cases(), "md");
}

#[test]
fn what_a_word_document_hides_is_not_read_and_is_named() {
    check(&docx::cases(), "docx");
}

#[test]
fn what_a_pdf_hides_is_not_read_and_is_named() {
    check(&pdf::cases(), "pdf");
}

/// Every offset of a Markdown text counts in the file, whatever is left out of it.
#[test]
fn what_is_left_out_of_a_markdown_text_moves_nothing() {
    for case in markdown::cases() {
        let bytes = (case.file)("Pässwörter");
        let source = String::from_utf8(bytes.clone()).expect("the cases are UTF-8");
        let document = read(&bytes, "a.md", &Limits::default()).expect(case.name);
        assert_eq!(document.text.chars().count(), source.chars().count(), "{}", case.name);
        let lines = |text: &str| text.matches('\n').count();
        assert_eq!(lines(&document.text), lines(&source), "{}", case.name);
    }
}

/// Writes every file twice, with one and with another sentence, for the renderers: only where
/// `scripts/visible_reference.py` asks for it.
#[test]
fn the_files_are_written_for_renderers() {
    let Some(folder) = env::var_os("ASSIZE_VISIBLE_FILES").map(PathBuf::from) else { return };
    fs::create_dir_all(&folder).expect("the folder can be made");
    let all = [
        ("html", html::cases()),
        ("md", markdown::cases()),
        ("docx", docx::cases()),
        ("pdf", pdf::cases()),
    ];
    for (ending, cases) in all {
        for (number, case) in cases.iter().enumerate() {
            let seen = if case.is_seen { "seen" } else { "unseen" };
            for (which, sentence) in [("a", PLANTED), ("b", OTHER)] {
                let name = format!("{number:03}.{seen}.{}.{which}.{ending}", case.name);
                fs::write(folder.join(name), (case.file)(sentence)).expect("the file is new");
            }
        }
    }
}

//! Shows how files are read: `cargo run -p assize-documents --example show -- policy.pdf`.
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use std::time::Instant;

use assize_documents::table::{self, TableError};
use assize_documents::{Document, DocumentError, Limits, read};

fn main() -> Result<(), std::io::Error> {
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name)?;
        let started = Instant::now();
        let is_table = [".csv", ".tsv", ".xlsx"].iter().any(|end| name.ends_with(end));
        if is_table {
            let table = table::read(&bytes, &name);
            println!("== {name} in {:.2?}", started.elapsed());
            show_table(table);
        } else {
            let document = read(&bytes, &name, &Limits::default());
            println!("== {name} in {:.2?}", started.elapsed());
            show_document(document);
        }
    }
    Ok(())
}

fn show_document(document: Result<Document, DocumentError>) {
    let document = match document {
        Ok(document) => document,
        Err(error) => return println!("{error}"),
    };
    let (pages, paragraphs) = (document.pages.len(), document.paragraphs.len());
    println!("{}: {pages} pages, {paragraphs} paragraphs", document.media_type.as_str());
    document.notices.iter().for_each(|notice| println!("notice: {notice}"));
    for (paragraph, text) in document.paragraphs.iter().zip(document.paragraph_texts()) {
        let page = document.place(paragraph.span.start).page;
        let page = page.map_or(String::new(), |page| format!("page {page} "));
        let heading = paragraph.heading.map_or(String::new(), |level| format!("heading {level} "));
        println!("{page}{heading}{text:?}");
    }
}

fn show_table(table: Result<table::Table, TableError>) {
    let table = match table {
        Ok(table) => table,
        Err(error) => return println!("{error}"),
    };
    println!("{:?}", table.headers);
    table.rows.iter().for_each(|row| println!("{}: {:?}", row.number, row.cells));
    table.bad_rows.iter().for_each(|bad| println!("bad row {}: {}", bad.row, bad.reason));
    table.notices.iter().for_each(|notice| println!("notice: {notice}"));
}

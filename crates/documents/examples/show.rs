//! Shows how files are read: `cargo run -p assize-documents --example show -- policy.pdf`.
#![expect(clippy::print_stdout, reason = "that is what it is for")]

use assize_documents::{Limits, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for name in std::env::args().skip(1) {
        let bytes = std::fs::read(&name)?;
        let started = std::time::Instant::now();
        let document = match read(&bytes, &name, &Limits::default()) {
            Ok(document) => document,
            Err(error) => {
                println!("== {name}: {error} ({:.2?})", started.elapsed());
                continue;
            }
        };
        let (pages, count) = (document.pages.len(), document.paragraphs.len());
        println!("== {name}: {pages} pages, {count} paragraphs in {:.2?}", started.elapsed());
        for notice in &document.notices {
            println!("   notice: {notice}");
        }
        for (paragraph, text) in document.paragraphs.iter().zip(document.paragraph_texts()) {
            let page = document.place(paragraph.span.start).page;
            println!("{:?} {:?} {text:?}", page, paragraph.heading);
        }
    }
    Ok(())
}

//! Text without markup: paragraphs end at empty lines, pages at form feeds.

use std::ops::Range;

use crate::blocks::Parts;
use crate::document::Page;
use crate::encoding::clean;

/// The mark that old printers took for "next page", and that text made of PDFs still has.
const FORM_FEED: char = '\u{c}';

/// Reads text without markup.
pub(crate) fn read(text: &str) -> Parts {
    // A form feed at the very end closes the last page, it does not begin another.
    let sheets: Vec<String> =
        text.trim_end_matches(FORM_FEED).split(FORM_FEED).map(clean).collect();
    let whole = sheets.join("\n");
    let paragraphs = paragraphs(&whole).into_iter().map(|range| (range, None)).collect();
    let mut parts = Parts::of_source(whole, paragraphs);
    if sheets.len() > 1 {
        parts.pages = pages(&sheets);
    }
    parts
}

fn pages(sheets: &[String]) -> Vec<Page> {
    let mut start = 0;
    let page = |(index, sheet): (usize, &String)| {
        let span = start..start + sheet.chars().count();
        start = span.end + 1;
        Page { number: index + 1, span }
    };
    sheets.iter().enumerate().map(page).collect()
}

/// The lines between empty ones; where there are no empty lines, every line.
fn paragraphs(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    let spaced = text.trim().lines().any(|line| line.trim().is_empty());
    for line in lines(text) {
        let empty = text[line.clone()].trim().is_empty();
        match found.last_mut() {
            _ if empty => {}
            Some(last) if open && spaced => last.end = line.end,
            _ => found.push(line),
        }
        open = !empty;
    }
    found
}

/// The byte range of each line, without its end.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    text.split('\n').map(move |line| {
        let range = start..start + line.len();
        start = range.end + 1;
        range
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(parts: &Parts) -> Vec<String> {
        let cut = |span: &Range<usize>| parts.text.chars().skip(span.start).take(span.len());
        parts.paragraphs.iter().map(|paragraph| cut(&paragraph.span).collect()).collect()
    }

    #[test]
    fn empty_lines_part_paragraphs() {
        let parts = read("Ünë\r\n two \r\n \t\r\n\r\nthree\n");
        assert_eq!(texts(&parts), ["Ünë\n two", "three"]);
        assert_eq!(parts.text, "Ünë\n two \n \t\n\nthree\n");
    }

    #[test]
    fn without_empty_lines_every_line_is_a_paragraph() {
        assert_eq!(texts(&read("one\ntwo\n  three\n")), ["one", "two", "three"]);
    }

    #[test]
    fn form_feeds_part_pages() {
        let parts = read("erste\n\u{c}zweite\u{c}");
        assert_eq!(parts.text, "erste\n\nzweite");
        let spans: Vec<_> = parts.pages.iter().map(|page| page.span.clone()).collect();
        assert_eq!(spans, [0..6, 7..13]);
        assert!(read("no form feed").pages.is_empty());
    }
}

//! Puts a text together from its paragraphs, and remembers where each went.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::Range;

use assize_text::CodePoints;

use crate::document::{Notice, Page, Paragraph};
use crate::encoding::clean;
use crate::error::{DocumentError, Result};
use crate::limits::Limits;

/// How much of a hidden text is shown.
const SAMPLE_CHARACTERS: usize = 60;

/// A text with its pages and paragraphs: a document but for what the file itself is.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub(crate) text: String,
    pub(crate) pages: Vec<Page>,
    pub(crate) paragraphs: Vec<Paragraph>,
    pub(crate) notices: Vec<Notice>,
}

impl Parts {
    /// A text that is kept as it is, with paragraphs at these bytes.
    pub(crate) fn of_source(text: String, paragraphs: Vec<(Range<usize>, Option<u8>)>) -> Self {
        let points = CodePoints::of(&text);
        let paragraphs = paragraphs
            .into_iter()
            .filter_map(|(range, heading)| {
                let span = points.span(trimmed(&text, range));
                let span = span.start()..span.end();
                (!span.is_empty()).then_some(Paragraph { span, heading })
            })
            .collect();
        Self { text, paragraphs, ..Self::default() }
    }

    /// Notes that something was not taken into the text, if it was there at all.
    pub(crate) fn left_out(&mut self, what: &str, count: usize) {
        if count > 0 {
            self.notices.push(Notice::LeftOut { what: what.to_owned(), count });
        }
    }
}

impl Parts {
    /// Notes text that nobody can see: it is not part of the text, and worth a look.
    pub(crate) fn hidden(&mut self, how: &str, count: usize, sample: &str) {
        if count > 0 {
            let sample = sample.split_whitespace().collect::<Vec<_>>().join(" ");
            let sample = match sample.char_indices().nth(SAMPLE_CHARACTERS) {
                Some((end, _)) => format!("{}…", &sample[..end]),
                None => sample,
            };
            self.notices.push(Notice::Hidden { how: how.to_owned(), count, sample });
        }
    }
}

/// How much of what is hidden is kept to be shown, in bytes.
const SAMPLE_BYTES: usize = 200;

/// What a document hides, by why.
#[derive(Debug)]
pub(crate) struct HiddenText<W> {
    by_reason: BTreeMap<W, (usize, String)>,
    /// Why and where text was hidden last: what follows there is the same piece.
    last: Option<(W, usize)>,
}

impl<W> Default for HiddenText<W> {
    fn default() -> Self {
        Self { by_reason: BTreeMap::new(), last: None }
    }
}

impl<W: Copy + Ord + Display> HiddenText<W> {
    /// Adds text of the piece with that number.
    pub(crate) fn add(&mut self, why: W, piece: usize, text: &str) {
        let goes_on = self.last == Some((why, piece));
        if !goes_on && text.trim().is_empty() {
            return;
        }
        let (count, sample) = self.by_reason.entry(why).or_default();
        if !goes_on {
            *count += 1;
            sample.push(' ');
        }
        if sample.len() < SAMPLE_BYTES {
            let end = text.char_indices().nth(SAMPLE_BYTES).map_or(text.len(), |(end, _)| end);
            sample.push_str(&text[..end]);
        }
        self.last = Some((why, piece));
    }

    /// Adds a notice for every reason.
    pub(crate) fn tell(self, parts: &mut Parts) {
        for (why, (count, sample)) in self.by_reason {
            parts.hidden(&why.to_string(), count, &sample);
        }
    }
}

/// A byte range without the white space at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.end - part.trim_start().len();
    start..start + part.trim().len()
}

/// Puts a text together, paragraph after paragraph, with an empty line between them.
pub(crate) struct Blocks {
    parts: Parts,
    /// How many code points the text has so far.
    length: usize,
    length_max: usize,
    /// The first paragraph of the page that is being filled, when there are pages.
    page_from: Option<usize>,
}

impl Blocks {
    pub(crate) fn new(limits: &Limits) -> Self {
        let length_max = limits.code_points_max;
        Self { parts: Parts::default(), length: 0, length_max, page_from: None }
    }

    /// Adds a paragraph, unless it is empty.
    pub(crate) fn push(&mut self, text: &str, heading: Option<u8>) -> Result<()> {
        let text = clean(text);
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        if !self.parts.text.is_empty() {
            self.parts.text.push_str("\n\n");
            self.length += 2;
        }
        let start = self.length;
        self.length += text.chars().count();
        if self.length > self.length_max {
            return Err(too_long(self.length_max));
        }
        self.parts.text.push_str(text);
        self.parts.paragraphs.push(Paragraph { span: start..self.length, heading });
        Ok(())
    }

    /// What follows is on a new page. Only the PDF reader knows of pages.
    #[cfg_attr(not(feature = "pdf"), expect(dead_code, reason = "only a PDF has pages"))]
    pub(crate) fn begin_page(&mut self) {
        self.end_page();
        self.page_from = Some(self.parts.paragraphs.len());
    }

    pub(crate) fn finish(mut self) -> Parts {
        self.end_page();
        self.parts
    }

    fn end_page(&mut self) {
        let Some(first) = self.page_from.take() else { return };
        let start = self.parts.paragraphs.get(first).map_or(self.length, |first| first.span.start);
        let number = self.parts.pages.len() + 1;
        self.parts.pages.push(Page { number, span: start..self.length });
    }
}

/// A text has more code points than it may.
pub(crate) fn too_long(code_points_max: usize) -> DocumentError {
    DocumentError::TooLarge(format!("its text has more than {code_points_max} characters"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_placed_in_code_points() {
        let mut blocks = Blocks::new(&Limits::default());
        blocks.push("  Zürich ", Some(1)).unwrap();
        blocks.push(" \n", None).unwrap();
        blocks.push("né", None).unwrap();
        let parts = blocks.finish();
        assert_eq!(parts.text, "Zürich\n\nné");
        let spans: Vec<_> = parts.paragraphs.into_iter().map(|paragraph| paragraph.span).collect();
        assert_eq!(spans, [0..6, 8..10]);
        assert!(parts.pages.is_empty());
    }

    #[cfg(feature = "pdf")]
    #[test]
    fn an_empty_page_has_its_number_and_no_text() {
        let mut blocks = Blocks::new(&Limits::default());
        blocks.begin_page();
        blocks.push("one", None).unwrap();
        blocks.begin_page();
        blocks.begin_page();
        blocks.push("three", None).unwrap();
        let pages: Vec<_> = blocks.finish().pages.into_iter().map(|page| page.span).collect();
        assert_eq!(pages, [0..3, 3..3, 5..10]);
    }

    #[test]
    fn a_text_may_not_grow_over_its_limit() {
        let mut blocks = Blocks::new(&Limits { code_points_max: 5, ..Limits::default() });
        assert_eq!(blocks.push("fünf!", None), Ok(()));
        assert!(matches!(blocks.push("more", None), Err(DocumentError::TooLarge(_))));
    }
}

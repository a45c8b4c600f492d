//! The part of a document a criterion is shown, and which part that was.

use std::ops::Range;

use assize_text::span::{Span, merge};
use serde::{Deserialize, Serialize};

/// What stands between two parts of a document that are not neighbours.
pub const GAP: &str = "\n[…]\n";

/// The text a judge is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context {
    /// The text, parts in the order of the document.
    pub text: String,
    /// The bytes of the document that it shows.
    pub shown: Vec<Range<usize>>,
    /// Whether that is the whole document.
    pub is_whole: bool,
}

impl Context {
    /// The whole document.
    pub fn whole(document: &str) -> Self {
        let shown = std::iter::once(0..document.len()).collect();
        Self { text: document.to_owned(), shown, is_whole: true }
    }

    /// The whole document if it has at most so many bytes, else as many of the passages as
    /// fit, best first, put back into the order of the document. The first passage is always
    /// shown, cut if it must be.
    ///
    /// ```
    /// # use assize_methods::compliance::Context;
    /// let document = "First. Second. Third.";
    /// let context = Context::select(document, &[15..21, 0..6], 12);
    /// assert_eq!(context.text, "First.\n[…]\nThird.");
    /// assert_eq!(context.shown, [0..6, 15..21]);
    /// ```
    pub fn select(document: &str, passages: &[Range<usize>], bytes_max: usize) -> Self {
        if document.len() <= bytes_max {
            return Self::whole(document);
        }
        let mut left = bytes_max;
        let mut chosen: Vec<Span> = Vec::new();
        for passage in passages {
            let Some(span) = Span::new(document, passage.clone()) else { continue };
            let known: usize = chosen.iter().map(|other| other.overlap(span)).sum();
            let new = span.len().saturating_sub(known);
            if new <= left {
                left -= new;
                chosen.push(span);
                chosen = merge(&chosen);
            } else if chosen.is_empty() {
                let end = document.floor_char_boundary(span.start() + left);
                chosen.extend(Span::new(document, span.start()..end));
                left = 0;
            }
        }
        let parts: Vec<&str> = chosen.iter().map(|span| span.of(document)).collect();
        let shown = chosen.iter().map(|span| span.range()).collect();
        Self { text: parts.join(GAP), shown, is_whole: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_document_is_shown_whole() {
        let context = Context::select("Short.", &[], 6);
        assert!(context.is_whole);
        assert_eq!(context.text, "Short.");
    }

    #[test]
    fn passages_that_overlap_are_shown_once() {
        let document = "abcdefghijklmnopqrstuvwxyz";
        let context = Context::select(document, &[4..8, 6..10, 20..22], 8);
        assert_eq!(context.shown, [4..10, 20..22]);
        assert_eq!(context.text, "efghij\n[…]\nuv");
    }

    #[test]
    fn a_first_passage_that_is_too_long_is_cut_between_letters() {
        let context = Context::select("äöü and more", &[0..12, 0..2], 3);
        assert_eq!(context.text, "ä");
    }
}

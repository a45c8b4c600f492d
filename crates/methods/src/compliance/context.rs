//! The part of a document a criterion is shown, and which part that was.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What stands between two parts of a document that are not neighbours.
pub(crate) const GAP: &str = "\n[…]\n";

/// The text a judge is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Context<'a> {
    /// The text, parts in the order of the document. A whole document is not copied: many
    /// criteria are held against it at once.
    pub text: Cow<'a, str>,
    /// The bytes of the document that it shows.
    pub shown: Vec<Range<usize>>,
    /// Whether that is the whole document.
    pub is_whole: bool,
}

impl<'a> Context<'a> {
    /// The whole document.
    pub fn whole(document: &'a str) -> Self {
        let shown = std::iter::once(0..document.len()).collect();
        Self { text: Cow::Borrowed(document), shown, is_whole: true }
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
    pub fn select(document: &'a str, passages: &[Range<usize>], bytes_max: usize) -> Self {
        if document.len() <= bytes_max {
            return Self::whole(document);
        }
        let mut left = bytes_max;
        let mut chosen: Vec<Range<usize>> = Vec::new();
        for passage in passages {
            if document.get(passage.clone()).is_none() {
                continue;
            }
            let known: usize = chosen.iter().map(|other| shared(other, passage)).sum();
            let new = passage.len().saturating_sub(known);
            if new <= left {
                left -= new;
                chosen.push(passage.clone());
                chosen = merged(chosen);
            } else if chosen.is_empty() {
                chosen.push(passage.start..document.floor_char_boundary(passage.start + left));
                left = 0;
            }
        }
        let parts: Vec<&str> = chosen.iter().map(|bytes| &document[bytes.clone()]).collect();
        Self { text: parts.join(GAP).into(), shown: chosen, is_whole: false }
    }
}

/// How many bytes two ranges share.
fn shared(one: &Range<usize>, other: &Range<usize>) -> usize {
    one.end.min(other.end).saturating_sub(one.start.max(other.start))
}

/// The ranges in order, with those that overlap or touch made one.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let mut merged: Vec<Range<usize>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
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

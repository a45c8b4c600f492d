//! Quotes with their offsets, out of byte ranges.

use std::ops::Range;

use assize_text::CodePoints;

use crate::summary::evidence::Quote;

/// Makes quotes from one text.
pub(super) struct Quoter<'text> {
    text: &'text str,
    points: CodePoints<'text>,
}

impl<'text> Quoter<'text> {
    /// For a text.
    pub(super) fn of(text: &'text str) -> Self {
        Self { text, points: CodePoints::of(text) }
    }

    /// The words on a byte range, with their place.
    pub(super) fn quote(&self, bytes: Range<usize>) -> Quote {
        Quote::at(&self.text[bytes.clone()], self.points.span(bytes))
    }
}

//! `Span`: a part of a text that can be pointed at, in bytes or code points.

use std::ops::Range;

use crate::python::is_space;

/// A byte range whose ends lie on character boundaries of the text it was made for.
///
/// The fields are private because of that: only [`Span::new`] and what is built on it
/// make spans. A span does not know its text; use it with no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// The span of a byte range, if the range lies in the text and cuts no character.
    ///
    /// ```
    /// # use assize_text::span::Span;
    /// assert!(Span::new("né", 1..3).is_some());
    /// assert!(Span::new("né", 1..2).is_none());
    /// ```
    pub fn new(text: &str, range: Range<usize>) -> Option<Self> {
        text.get(range.clone()).map(|_| Self { start: range.start, end: range.end })
    }

    /// The span of a whole text.
    pub fn whole(text: &str) -> Self {
        Self { start: 0, end: text.len() }
    }

    /// The span of a part of the text, without the white space at its ends.
    ///
    /// # Panics
    /// When the range does not lie in the text: only this crate's own cuts get here.
    pub(crate) fn trimmed(text: &str, range: Range<usize>) -> Self {
        let part = &text[range.clone()];
        let start = range.end - part.trim_start_matches(is_space).len();
        Self { start, end: start + part.trim_matches(is_space).len() }
    }

    /// The first byte.
    pub fn start(self) -> usize {
        self.start
    }

    /// The byte after the last one.
    pub fn end(self) -> usize {
        self.end
    }

    /// The length in bytes.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether nothing lies in the span.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The span as a byte range.
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// The part of its text that the span stands for.
    ///
    /// # Panics
    /// When the text is not the one that the span was made for, and is too short.
    pub fn of(self, text: &str) -> &str {
        text.get(self.range()).expect("a span is used with its own text")
    }

    /// How many bytes two spans of one text share.
    pub fn overlap(self, other: Self) -> usize {
        self.end.min(other.end).saturating_sub(self.start.max(other.start))
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// The spans as few as possible: in order, with those that overlap or touch made one.
///
/// ```
/// # use assize_text::span::{merge, Span};
/// let text = "abcdefgh";
/// let span = |range| Span::new(text, range).unwrap();
/// assert_eq!(merge(&[span(4..6), span(0..2), span(1..4)]), [span(0..6)]);
/// ```
pub fn merge(spans: &[Span]) -> Vec<Span> {
    let mut sorted = spans.to_vec();
    sorted.sort_unstable();
    let mut merged: Vec<Span> = Vec::with_capacity(sorted.len());
    for span in sorted {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => *last = last.cover(span),
            _ => merged.push(span),
        }
    }
    merged
}

/// How many spans can be chosen so that no two of them share a byte.
pub fn count_distinct(spans: &[Span]) -> usize {
    let mut by_end: Vec<Span> = spans.iter().copied().filter(|span| !span.is_empty()).collect();
    by_end.sort_unstable_by_key(|span| (span.end, span.start));
    let mut free_from = 0;
    let mut count = 0;
    for span in by_end {
        if span.start >= free_from {
            count += 1;
            free_from = span.end;
        }
    }
    count
}

/// Turns bytes into code points and back, for many spans of one text.
///
/// The text is walked once; after that a place costs a walk of at most a block.
#[derive(Debug, Clone)]
pub struct CodePoints<'a> {
    text: &'a str,
    /// How many code points begin before each block of bytes.
    before_block: Vec<usize>,
}

const BLOCK: usize = 256;

impl<'a> CodePoints<'a> {
    /// Walks the text.
    pub fn new(text: &'a str) -> Self {
        let mut before_block = Vec::with_capacity(text.len() / BLOCK + 1);
        let mut count = 0;
        for block in text.as_bytes().chunks(BLOCK) {
            before_block.push(count);
            count += count_starts(block);
        }
        before_block.push(count);
        Self { text, before_block }
    }

    /// The code points a span stands for, counted from the start of the text.
    ///
    /// ```
    /// # use assize_text::span::{CodePoints, Span};
    /// let text = "naïve café";
    /// let cafe = Span::new(text, 7..12).unwrap();
    /// assert_eq!(CodePoints::new(text).of_span(cafe), 6..10);
    /// ```
    pub fn of_span(&self, span: Span) -> Range<usize> {
        self.before(span.start)..self.before(span.end)
    }

    /// The span of a range of code points, if the text is that long.
    pub fn to_span(&self, range: Range<usize>) -> Option<Span> {
        Span::new(self.text, self.byte_of(range.start)?..self.byte_of(range.end)?)
    }

    /// How many code points begin before a byte.
    fn before(&self, byte: usize) -> usize {
        let block = byte / BLOCK * BLOCK;
        self.before_block[byte / BLOCK] + count_starts(&self.text.as_bytes()[block..byte])
    }

    /// Where a code point begins; the one after the last begins at the end.
    fn byte_of(&self, code_point: usize) -> Option<usize> {
        let block = self.before_block.partition_point(|before| *before <= code_point) - 1;
        let mut left = code_point - self.before_block[block];
        let from = block * BLOCK;
        for (index, byte) in self.text.as_bytes().iter().enumerate().skip(from) {
            if is_start(*byte) {
                if left == 0 {
                    return Some(index);
                }
                left -= 1;
            }
        }
        (left == 0).then_some(self.text.len())
    }
}

fn count_starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| is_start(**byte)).count()
}

/// Whether a byte begins a character.
fn is_start(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(range: Range<usize>) -> Span {
        Span::new(&"x".repeat(100), range).unwrap()
    }

    #[test]
    fn a_range_outside_the_text_is_no_span() {
        assert!(Span::new("abc", 1..4).is_none());
        #[expect(clippy::reversed_empty_ranges, reason = "that is what must be refused")]
        let reversed = 2..1;
        assert!(Span::new("abc", reversed).is_none());
        assert!(Span::new("abc", 3..3).is_some_and(Span::is_empty));
    }

    #[test]
    fn overlap_counts_shared_bytes() {
        assert_eq!(span(0..10).overlap(span(5..20)), 5);
        assert_eq!(span(0..10).overlap(span(10..20)), 0);
        assert_eq!(span(0..10).overlap(span(30..40)), 0);
        assert_eq!(span(0..10).overlap(span(2..4)), 2);
    }

    #[test]
    fn distinct_spans_are_the_most_that_do_not_overlap() {
        // One long span over three short ones: the short ones count.
        assert_eq!(count_distinct(&[span(0..90), span(0..10), span(10..20), span(15..30)]), 2);
        assert_eq!(count_distinct(&[span(0..10), span(0..10)]), 1);
        assert_eq!(count_distinct(&[]), 0);
    }

    #[test]
    fn code_points_are_found_in_every_block() {
        let text = "aé日𝟘".repeat(300);
        let points = CodePoints::new(&text);
        for (count, (byte, c)) in text.char_indices().enumerate() {
            let one = Span::new(&text, byte..byte + c.len_utf8()).unwrap();
            assert_eq!(points.of_span(one), count..count + 1);
            assert_eq!(points.to_span(count..count + 1), Some(one));
        }
        assert_eq!(points.of_span(Span::whole(&text)), 0..1200);
        assert_eq!(points.to_span(1200..1201), None);
        assert_eq!(points.to_span(0..1200), Some(Span::whole(&text)));
    }
}

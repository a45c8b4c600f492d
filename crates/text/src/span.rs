//! Where something stands in a text, counted in code points.
//!
//! Code points, because they mean the same in every language that reads our JSON; bytes are
//! for our own slicing and stay plain ranges, and [`CodePoints`] turns them into spans.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// A stretch of a text: 0-based code point offsets, the end not included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "Offsets")]
pub struct Span {
    /// Never after `end`.
    start: usize,
    end: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Offsets {
    start: usize,
    end: usize,
}

impl TryFrom<Offsets> for Span {
    type Error = String;

    fn try_from(Offsets { start, end }: Offsets) -> Result<Self, String> {
        if start > end {
            return Err(format!("a span ends at {end}, before it starts at {start}"));
        }
        Ok(Self { start, end })
    }
}

impl Span {
    /// The stretch between two code point offsets, in order.
    pub fn new(start: usize, end: usize) -> Self {
        assert!(start <= end, "a span ends after it starts");
        Self { start, end }
    }

    /// Offset of the first code point.
    pub fn start(self) -> usize {
        self.start
    }

    /// Offset after the last code point.
    pub fn end(self) -> usize {
        self.end
    }

    /// How many code points it holds.
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether it holds none.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// How many code points two spans of one text share.
    pub fn shared(self, other: Self) -> usize {
        self.end.min(other.end).saturating_sub(self.start.max(other.start))
    }

    /// Whether two spans share half or more of the shorter one.
    ///
    /// ```
    /// use assize_text::Span;
    /// assert!(Span::new(0, 10).is_mostly(Span::new(5, 20)));
    /// assert!(!Span::new(0, 10).is_mostly(Span::new(6, 20)));
    /// ```
    pub fn is_mostly(self, other: Self) -> bool {
        let shorter = self.len().min(other.len());
        shorter > 0 && 2 * self.shared(other) >= shorter
    }

    /// The stretch itself, if the text is long enough to hold it.
    pub fn cut(self, text: &str) -> Option<&str> {
        let mut starts = text.char_indices().map(|(byte, _)| byte).chain([text.len()]);
        let first = starts.nth(self.start)?;
        let last = if self.is_empty() { first } else { starts.nth(self.len() - 1)? };
        text.get(first..last)
    }
}

/// The most spans that can be chosen so that no two of them overlap.
///
/// Always taking the span that ends first is the best choice there is.
pub fn most_without_overlap(mut spans: Vec<Span>) -> usize {
    spans.retain(|span| !span.is_empty());
    spans.sort_unstable_by_key(|span| (span.end, span.start));
    let mut free_from = 0;
    let mut chosen = 0;
    for span in spans {
        if span.start >= free_from {
            free_from = span.end;
            chosen += 1;
        }
    }
    chosen
}

/// How many bytes lie between two remembered offsets. A look-up counts at most these; the table
/// takes a sixteenth of the text's size.
const STRIDE: usize = 128;

/// Turns byte offsets of one text into code point offsets without walking it again.
#[derive(Debug, Clone)]
pub struct CodePoints<'text> {
    text: &'text str,
    /// Code points that start before byte `index * STRIDE`; empty if all are one byte.
    before: Vec<usize>,
}

impl<'text> CodePoints<'text> {
    /// Counts a text once.
    pub fn of(text: &'text str) -> Self {
        if text.is_ascii() {
            return Self { text, before: Vec::new() };
        }
        let mut total = 0;
        let mut before = vec![0];
        for chunk in text.as_bytes().chunks(STRIDE) {
            total += starts(chunk);
            before.push(total);
        }
        Self { text, before }
    }

    /// How many code points stand before a byte offset; the end of the text is one.
    pub fn at(&self, byte: usize) -> usize {
        assert!(byte <= self.text.len(), "the offset lies within the text");
        let Some(before) = self.before.get(byte / STRIDE) else {
            return byte;
        };
        let block = byte / STRIDE * STRIDE;
        before + starts(&self.text.as_bytes()[block..byte])
    }

    /// The span of a byte range of the text.
    ///
    /// ```
    /// use assize_text::{CodePoints, Span};
    /// let text = "Ørsted sold it.";
    /// let verb = text.find("sold").unwrap();
    /// assert_eq!(CodePoints::of(text).span(verb..verb + 4), Span::new(7, 11));
    /// ```
    pub fn span(&self, bytes: Range<usize>) -> Span {
        Span::new(self.at(bytes.start), self.at(bytes.end))
    }
}

/// How many code points start in a piece of UTF-8.
fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0b1100_0000) != 0b1000_0000).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_span_that_ends_before_it_starts_is_refused() {
        let refused = serde_json::from_str::<Span>(r#"{"start":3,"end":2}"#).unwrap_err();
        assert!(refused.to_string().contains("before it starts"), "{refused}");
    }

    #[test]
    fn an_empty_span_is_mostly_nothing() {
        assert!(!Span::new(3, 3).is_mostly(Span::new(0, 9)));
        assert_eq!(Span::new(3, 3).cut("abcd"), Some(""));
        assert_eq!(Span::new(3, 9).cut("abcd"), None);
    }

    #[test]
    fn spans_that_only_touch_do_not_overlap() {
        let spans = vec![Span::new(0, 5), Span::new(5, 9), Span::new(4, 6), Span::new(2, 2)];
        assert_eq!(most_without_overlap(spans), 2);
    }

    #[test]
    fn a_long_span_gives_way_to_the_short_ones_within_it() {
        let spans = vec![Span::new(0, 90), Span::new(10, 20), Span::new(30, 40)];
        assert_eq!(most_without_overlap(spans), 2);
    }

    proptest! {
        #[test]
        fn offsets_agree_with_counting_from_the_front(text in "[aé漢🙂 ]{0,200}") {
            let points = CodePoints::of(&text);
            for (count, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(points.at(byte), count);
            }
            prop_assert_eq!(points.at(text.len()), text.chars().count());
        }
    }
}

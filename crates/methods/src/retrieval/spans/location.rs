//! Where a piece of text stands: a file and a range of characters in it.

use std::borrow::Cow;

use serde::Deserialize;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A range of characters, the end not included.
///
/// Characters are code points of the file's text after every line end became `\n`.
/// The start is never after the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "(u64, u64)")]
pub struct Span {
    start: u64,
    end: u64,
}

impl Span {
    /// The range from `start` up to `end`, unless it runs backwards.
    pub fn new(start: u64, end: u64) -> Option<Self> {
        (start <= end).then_some(Self { start, end })
    }

    /// The first character.
    pub fn start(self) -> u64 {
        self.start
    }

    /// The first character after the range.
    pub fn end(self) -> u64 {
        self.end
    }

    /// How many characters it has.
    pub fn length(self) -> u64 {
        self.end - self.start
    }

    /// The same range, reaching to `end` if that is further.
    #[must_use]
    pub(crate) fn extended_to(self, end: u64) -> Self {
        Self { start: self.start, end: self.end.max(end) }
    }

    /// How many characters two ranges share.
    pub(crate) fn shared_with(self, other: Self) -> u64 {
        self.end.min(other.end).saturating_sub(self.start.max(other.start))
    }
}

impl TryFrom<(u64, u64)> for Span {
    type Error = String;

    fn try_from((start, end): (u64, u64)) -> Result<Self, String> {
        Self::new(start, end)
            .ok_or_else(|| format!("the span [{start}, {end}] ends before it starts"))
    }
}

/// A file and a range of characters in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location<'a> {
    /// The file as the input names it.
    pub file_path: Cow<'a, str>,
    /// The range.
    pub span: Span,
}

impl Location<'_> {
    /// The path in the form in which paths are compared, Unicode's NFC: one system writes
    /// `é` as one character, another as two.
    pub fn comparable_path(&self) -> Cow<'_, str> {
        match is_nfc_quick(self.file_path.chars()) {
            IsNormalized::Yes => Cow::Borrowed(&self.file_path),
            _ => Cow::Owned(self.file_path.nfc().collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_that_only_touch_share_nothing() {
        let span = |start, end| Span::new(start, end).unwrap();
        assert_eq!(span(0, 5).shared_with(span(5, 9)), 0);
        assert_eq!(span(0, 6).shared_with(span(5, 9)), 1);
        assert_eq!(span(8, 9).shared_with(span(0, 3)), 0);
    }

    #[test]
    fn a_range_that_runs_backwards_is_refused() {
        assert_eq!(Span::new(5, 4), None);
        let error = serde_json::from_str::<Span>("[5, 4]").unwrap_err().to_string();
        assert!(error.starts_with("the span [5, 4] ends before it starts"), "{error}");
    }

    #[test]
    fn a_path_in_two_unicode_forms_is_one_path() {
        let at = |path: &'static str| Location {
            file_path: path.into(),
            span: Span::new(0, 1).unwrap(),
        };
        let (composed, decomposed) = (at("caf\u{e9}.txt"), at("cafe\u{301}.txt"));
        assert_eq!(composed.comparable_path(), decomposed.comparable_path());
    }
}

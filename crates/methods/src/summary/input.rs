//! An article and its summary, checked before anybody judges them.

use std::ops::Range;

use super::lexical::scan;
use super::refusal::Refusal;

/// The longest text that is taken, in bytes: some hundred books.
pub(crate) const TEXT_BYTES_MAX: usize = 64 << 20;

/// A shorter summary says nothing that could be scored: `Pool.`
pub(crate) const SUMMARY_WORDS_MIN: usize = 2;

/// A longer text is not too short, whatever stands in it.
const SAMPLE_BYTES: usize = 4096;

/// An article and its summary; both hold at least one letter or digit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummaryPair<'text> {
    /// Not empty, not too long.
    article: &'text str,
    /// Not empty, not too long.
    summary: &'text str,
}

impl<'text> SummaryPair<'text> {
    /// The pair, or why it cannot be judged.
    ///
    /// ```
    /// use assize_methods::summary::{Refusal, SummaryPair};
    /// assert_eq!(SummaryPair::new("It rained.", " … "), Err(Refusal::EmptySummary));
    /// assert_eq!(SummaryPair::new("", "It rained."), Err(Refusal::ArticleTooShort));
    /// let too_short = Refusal::SummaryTooShort { words_min: 2 };
    /// assert_eq!(SummaryPair::new("It rained.", "Rain."), Err(too_short));
    /// ```
    pub fn new(article: &'text str, summary: &'text str) -> Result<Self, Refusal> {
        for (which, text) in [("article", article), ("summary", summary)] {
            if text.len() > TEXT_BYTES_MAX {
                let bytes_max = TEXT_BYTES_MAX;
                return Err(Refusal::TextTooLong { which, bytes: text.len(), bytes_max });
            }
        }
        if !has_a_word(summary) {
            return Err(Refusal::EmptySummary);
        }
        if !has_a_word(article) {
            return Err(Refusal::ArticleTooShort);
        }
        if has_fewer_words(summary, SUMMARY_WORDS_MIN) {
            return Err(Refusal::SummaryTooShort { words_min: SUMMARY_WORDS_MIN });
        }
        Ok(Self { article, summary })
    }

    /// The source.
    pub fn article(&self) -> &'text str {
        self.article
    }

    /// What is judged.
    pub fn summary(&self) -> &'text str {
        self.summary
    }
}

/// Whether a text has words, and fewer than so many; markup alone has none.
fn has_fewer_words(text: &str, least: usize) -> bool {
    let mut words = 0;
    let mut end = text.len().min(SAMPLE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    scan(text, 0..end, &mut |_: Range<usize>, _: &str, _: bool| words += 1);
    end == text.len() && (1..least).contains(&words)
}

fn has_a_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

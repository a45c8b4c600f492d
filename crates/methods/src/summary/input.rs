//! An article and its summary, checked before anybody judges them.

use super::refusal::Refusal;

/// The longest text that is taken, in bytes: a shelf of books, not a disk.
pub const TEXT_BYTES_MAX: usize = 64 << 20;

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

fn has_a_word(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

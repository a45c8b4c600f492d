//! Finding a quotation in its source: to the letter, in another form, or nearly.

use std::ops::Range;
use std::sync::OnceLock;

use memchr::memmem;

use crate::python::{is_alnum_char, strip};

mod fold;
mod near;

use self::fold::FoldedText;
use self::near::Words;

/// The share of words a near match must have in common with its quotation. Nine tenths is what
/// the definition of citations asks for; numbers and negations must all be there besides.
pub(crate) const NEAR_SIMILARITY_MIN: f64 = 0.9;

/// A quotation of so many words may begin or end inside a word of its source: models cut off at
/// a length. A shorter one would be found by accident.
const WORDS_TO_CUT_A_WORD: usize = 3;

/// Each part of a quotation with an omission must have so many words; otherwise "the … of" would
/// be found in every text.
const WORDS_BESIDE_AN_OMISSION: usize = 3;

/// Where a quotation stands in its source.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// The part of the source that was quoted, between characters.
    pub bytes: Range<usize>,
    /// In what form it was found.
    pub how: How,
}

/// In what form a quotation was found; from strict to lenient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum How {
    /// Letter by letter.
    Exact,
    /// But for case, white space, and the shape of quotes, dashes and ligatures.
    Normalized,
    /// In two or more parts, in order, with an ellipsis for what lies between.
    Elided,
    /// With other words here and there; every number and each "not" is the same.
    Near {
        /// Words in common: `2 * common / (words of the quotation + words found)`.
        similarity: f64,
    },
}

/// A source in which quotations are looked up; what that needs is made once.
#[derive(Debug)]
pub struct Source<'a> {
    text: &'a str,
    folded: OnceLock<FoldedText>,
    words: OnceLock<Words>,
}

/// Finds one quotation in a source; for several, make a [`Source`].
///
/// ```
/// # use assize_text::quote::{locate, How};
/// let source = "The Receiving Party shall not disclose “Confidential Information”.";
/// let found = locate("shall not disclose \"confidential  information\"", source).unwrap();
/// assert_eq!(found.how, How::Normalized);
/// assert_eq!(&source[found.bytes], "shall not disclose “Confidential Information”");
/// ```
pub fn locate(quotation: &str, source: &str) -> Option<Located> {
    Source::new(source).locate(quotation)
}

impl<'a> Source<'a> {
    /// A source to look quotations up in.
    pub fn new(text: &'a str) -> Self {
        Self { text, folded: OnceLock::new(), words: OnceLock::new() }
    }

    /// Where the quotation stands, in the strictest form in which it can be found.
    pub fn locate(&self, quotation: &str) -> Option<Located> {
        self.locate_like(quotation, NEAR_SIMILARITY_MIN)
    }

    /// As [`Source::locate`], with another share of words for a near match.
    pub(crate) fn locate_like(&self, quotation: &str, similarity_min: f64) -> Option<Located> {
        let quotation = strip(quotation);
        if !quotation.contains(is_alnum_char) {
            return None;
        }
        let words_count = count_words(quotation);
        if let Some(start) = find(self.text, quotation, words_count) {
            let bytes = start..start + quotation.len();
            return Some(Located { bytes, how: How::Exact });
        }
        let folded = FoldedText::new(quotation);
        self.find_folded(&folded.text, words_count)
            .or_else(|| self.find_parts(&folded.text))
            .or_else(|| self.find_near(&folded.text, similarity_min))
    }

    fn folded(&self) -> &FoldedText {
        self.folded.get_or_init(|| FoldedText::new(self.text))
    }

    /// Finds a quotation as it is, without the quotes around it, or without any mark of
    /// quoting or omission at its ends.
    fn find_folded(&self, quoted: &str, words_count: usize) -> Option<Located> {
        let bare = quoted.trim_matches([' ', '"', '\'', '.', '[', ']']);
        [quoted, without_quotes(quoted), bare].into_iter().find_map(|quoted| {
            let start = find(&self.folded().text, quoted, words_count)?;
            let bytes = self.folded().bytes(self.text, start..start + quoted.len())?;
            Some(Located { bytes, how: How::Normalized })
        })
    }

    /// Finds the parts of a quotation around its ellipses, one after the other.
    fn find_parts(&self, quoted: &str) -> Option<Located> {
        let edges = |c: char| !is_alnum_char(c);
        let parts: Vec<&str> = quoted.split("...").map(|part| part.trim_matches(edges)).collect();
        let long_enough = |part: &&str| count_words(part) >= WORDS_BESIDE_AN_OMISSION;
        if parts.len() < 2 || !parts.iter().all(long_enough) {
            return None;
        }
        let text = &self.folded().text;
        let mut first = None;
        let mut end = 0;
        for part in parts {
            let start = end + find(&text[end..], part, WORDS_BESIDE_AN_OMISSION)?;
            first.get_or_insert(start);
            end = start + part.len();
        }
        let bytes = self.folded().bytes(self.text, first?..end)?;
        Some(Located { bytes, how: How::Elided })
    }

    fn find_near(&self, quoted: &str, similarity_min: f64) -> Option<Located> {
        let words = self.words.get_or_init(|| Words::new(&self.folded().text));
        let near = words.nearest(&self.folded().text, quoted, similarity_min)?;
        let bytes = self.folded().bytes(self.text, near.range)?;
        Some(Located { bytes, how: How::Near { similarity: near.similarity } })
    }
}

/// The quotation without one pair of quotes around it.
fn without_quotes(quoted: &str) -> &str {
    let inner = |quote| quoted.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(quoted)
}

/// Where the quotation first stands as whole words, or, if it is long, at all.
fn find(text: &str, quotation: &str, words_count: usize) -> Option<usize> {
    if quotation.is_empty() {
        return None;
    }
    let mut found = memmem::find_iter(text.as_bytes(), quotation.as_bytes()).peekable();
    let first = *found.peek()?;
    let whole = found.find(|start| cuts_no_word(text, *start, start + quotation.len()));
    whole.or((words_count >= WORDS_TO_CUT_A_WORD).then_some(first))
}

/// Whether the range neither begins nor ends inside a word.
fn cuts_no_word(text: &str, start: usize, end: usize) -> bool {
    let splits =
        |at: usize| text[..at].ends_with(is_alnum_char) && text[at..].starts_with(is_alnum_char);
    !splits(start) && !splits(end)
}

/// How many runs of letters and digits there are.
fn count_words(text: &str) -> usize {
    near::words_of(text).count()
}

#[cfg(test)]
mod tests;

//! Each citation found in its document, or marked as not found.

use assize_text::quote::{How, Source};
use serde::{Deserialize, Serialize};

/// How a citation was found; from strict to lenient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matched {
    /// Letter by letter.
    Exact,
    /// But for case, white space, and the shape of quotes and dashes.
    Normalized,
    /// In parts, with an ellipsis for what lies between.
    Elided,
    /// At least nine tenths of the words, every number and each "not" the same.
    Fuzzy,
    /// Nowhere: a paraphrase, or made up.
    NotFound,
}

/// A citation and where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// The words as the judge gave them.
    pub quote: String,
    /// How it was found.
    pub matched: Matched,
    /// The share of words in common with what was found; 1 unless fuzzy, none if not found.
    pub similarity: Option<f64>,
    /// The first byte in the document.
    pub start: Option<usize>,
    /// The byte after the last one.
    pub end: Option<usize>,
    /// The page, from 1, for documents that have pages; whoever knows the pages fills it in.
    #[serde(default)]
    pub page: Option<u32>,
}

impl Citation {
    /// Looks a quote up in a document.
    ///
    /// ```
    /// # use assize_methods::compliance::{Citation, Matched};
    /// use assize_text::quote::Source;
    /// let document = Source::new("Accounts are reviewed every quarter.");
    /// let citation = Citation::locate(&document, "accounts are  reviewed");
    /// assert_eq!((citation.matched, citation.start), (Matched::Normalized, Some(0)));
    /// ```
    pub fn locate(document: &Source<'_>, quote: &str) -> Self {
        let found = document.locate(quote);
        let (matched, similarity) = match found.as_ref().map(|found| found.how) {
            Some(How::Exact) => (Matched::Exact, Some(1.0)),
            Some(How::Normalized) => (Matched::Normalized, Some(1.0)),
            Some(How::Elided) => (Matched::Elided, Some(1.0)),
            Some(How::Near { similarity }) => (Matched::Fuzzy, Some(similarity)),
            None => (Matched::NotFound, None),
        };
        Self {
            quote: quote.to_owned(),
            matched,
            similarity,
            start: found.as_ref().map(|found| found.bytes.start),
            end: found.map(|found| found.bytes.end),
            page: None,
        }
    }

    /// A sentence that was copied out of a document, so that its place is known.
    pub fn copied(quote: &str, start: usize) -> Self {
        Self {
            quote: quote.to_owned(),
            matched: Matched::Exact,
            similarity: Some(1.0),
            start: Some(start),
            end: Some(start + quote.len()),
            page: None,
        }
    }

    /// Whether it stands in the document.
    pub(crate) fn is_found(&self) -> bool {
        self.matched != Matched::NotFound
    }
}

/// Looks every quote of an assessment up.
pub fn locate_all(document: &Source<'_>, quotes: &[String]) -> Vec<Citation> {
    quotes.iter().map(|quote| Citation::locate(document, quote)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "Accounts are reviewed by the system owner at least once every quarter. \
                          The owner shall not share “administrator” credentials\nwith anyone.";

    fn matched(quote: &str) -> Matched {
        Citation::locate(&Source::new(POLICY), quote).matched
    }

    #[test]
    fn a_quote_is_found_as_strictly_as_it_can_be() {
        assert_eq!(matched("reviewed by the system owner"), Matched::Exact);
        assert_eq!(
            matched("share \"administrator\" credentials with anyone."),
            Matched::Normalized
        );
        let changed = "Accounts are reviewed by the owner at least once every quarter.";
        assert_eq!(matched(changed), Matched::Fuzzy);
    }

    #[test]
    fn a_paraphrase_or_a_changed_meaning_is_not_found() {
        assert_eq!(matched("Every three months somebody checks the accounts."), Matched::NotFound);
        assert_eq!(matched("The owner shall share administrator credentials"), Matched::NotFound);
        assert_eq!(matched("…"), Matched::NotFound);
    }

    #[test]
    fn offsets_point_at_the_words_of_the_document() {
        let found = Citation::locate(&Source::new(POLICY), "SHALL NOT SHARE");
        assert_eq!(&POLICY[found.start.unwrap()..found.end.unwrap()], "shall not share");
        let missing = Citation::locate(&Source::new(POLICY), "nowhere at all");
        assert_eq!((missing.start, missing.similarity), (None, None));
    }
}

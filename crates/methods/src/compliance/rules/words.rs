//! Words of a text: where they stand, and which of them say nothing.

use std::ops::Range;

/// Words that hold sentences together and say little.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "after",
    "all",
    "also",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "based",
    "be",
    "been",
    "before",
    "being",
    "both",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "during",
    "each",
    "either",
    "etc",
    "every",
    "following",
    "for",
    "from",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "his",
    "how",
    "if",
    "in",
    "include",
    "included",
    "includes",
    "including",
    "into",
    "is",
    "it",
    "its",
    "least",
    "may",
    "might",
    "more",
    "most",
    "must",
    "of",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "over",
    "own",
    "per",
    "same",
    "shall",
    "she",
    "should",
    "so",
    "some",
    "such",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "under",
    "up",
    "upon",
    "us",
    "via",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "whether",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "will",
    "with",
    "within",
    "would",
    "you",
    "your",
];

/// Words that deny what follows them.
const DENIALS: [&str; 5] = ["neither", "no", "none", "nor", "not"];

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'t> {
    /// Its letters.
    pub text: &'t str,
    /// Where it stands.
    pub bytes: Range<usize>,
    /// Whether a mark that ends a clause stands before it.
    pub begins_clause: bool,
}

/// Whether a word in lower case says little.
pub(super) fn is_stop(lower: &str) -> bool {
    STOP_WORDS.binary_search(&lower).is_ok()
}

/// Whether a word in lower case denies what follows it.
pub(super) fn is_denial(lower: &str) -> bool {
    DENIALS.contains(&lower)
}

/// The words of a text, but for addresses on the web.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    let mut begins_clause = true;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let start = at + rest.find(char::is_alphanumeric)?;
            begins_clause |= text[at..start].contains(|mark: char| ",;:.!?()".contains(mark));
            let word = &text[start..];
            if word.starts_with("http://") || word.starts_with("https://") {
                let is_end = |mark: char| mark.is_whitespace() || ")]>\"".contains(mark);
                at = start + word.find(is_end).unwrap_or(word.len());
                continue;
            }
            let end = start + length(word);
            at = end;
            let found = Word { text: &text[start..end], bytes: start..end, begins_clause };
            begins_clause = false;
            return Some(found);
        }
    })
}

/// The length of the word a text begins with; an apostrophe between letters belongs to it.
fn length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let joins = matches!(letter, '\'' | '’')
            && letters.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if !letter.is_alphanumeric() && !joins {
            return at;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_stop_words_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
        assert!(is_stop("within") && !is_stop("account"));
    }

    #[test]
    fn addresses_are_no_words_and_apostrophes_join() {
        let text = "See [GSA](https://www.gsa.gov/access-control), it doesn't";
        let found: Vec<&str> = words(text).map(|word| word.text).collect();
        assert_eq!(found, ["See", "GSA", "it", "doesn't"]);
        assert!(words(text).nth(2).unwrap().begins_clause);
    }
}

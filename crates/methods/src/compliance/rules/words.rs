//! Words of a text: where they stand, and which of them say nothing.

use std::ops::Range;

/// Words that hold sentences together and say little.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "accordance",
    "according",
    "after",
    "again",
    "all",
    "allowed",
    "already",
    "also",
    "although",
    "an",
    "and",
    "and/or",
    "annual",
    "annually",
    "any",
    "applicable",
    "appropriate",
    "are",
    "aren't",
    "as",
    "at",
    "away",
    "banned",
    "based",
    "be",
    "because",
    "been",
    "before",
    "being",
    "both",
    "but",
    "by",
    "can",
    "cannot",
    "concerning",
    "could",
    "daily",
    "day",
    "days",
    "did",
    "do",
    "does",
    "doesn't",
    "don't",
    "during",
    "each",
    "eight",
    "either",
    "eleven",
    "else",
    "etc",
    "even",
    "evening",
    "ever",
    "every",
    "exceed",
    "exceeding",
    "exceeds",
    "fewer",
    "fifteen",
    "five",
    "following",
    "for",
    "forbidden",
    "four",
    "fourteen",
    "from",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "him",
    "his",
    "hour",
    "hours",
    "how",
    "however",
    "hundred",
    "i",
    "if",
    "immediately",
    "in",
    "include",
    "included",
    "includes",
    "including",
    "into",
    "is",
    "isn't",
    "it",
    "its",
    "just",
    "later",
    "latest",
    "least",
    "less",
    "like",
    "maximum",
    "may",
    "me",
    "might",
    "minimum",
    "minute",
    "minutes",
    "month",
    "monthly",
    "months",
    "more",
    "most",
    "must",
    "my",
    "necessary",
    "neither",
    "never",
    "night",
    "nightly",
    "nine",
    "ninety",
    "no",
    "nobody",
    "none",
    "nor",
    "not",
    "nothing",
    "of",
    "on",
    "once",
    "one",
    "only",
    "or",
    "other",
    "otherwise",
    "our",
    "ours",
    "out",
    "over",
    "own",
    "per",
    "permitted",
    "prohibited",
    "promptly",
    "quarter",
    "quarterly",
    "quarters",
    "regarding",
    "relevant",
    "same",
    "seven",
    "shall",
    "she",
    "should",
    "since",
    "six",
    "sixty",
    "so",
    "some",
    "soon",
    "still",
    "such",
    "ten",
    "than",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "thirteen",
    "thirty",
    "this",
    "those",
    "three",
    "through",
    "time",
    "times",
    "to",
    "today",
    "too",
    "twelve",
    "twenty",
    "twice",
    "two",
    "under",
    "unless",
    "until",
    "up",
    "upon",
    "us",
    "very",
    "via",
    "was",
    "we",
    "week",
    "weekly",
    "weeks",
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
    "without",
    "won't",
    "would",
    "year",
    "yearly",
    "years",
    "yes",
    "yet",
    "you",
    "your",
];

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word<'t> {
    /// Its letters.
    pub text: &'t str,
    /// Where it stands.
    pub bytes: Range<usize>,
    /// Whether a mark that ends a clause stands before it.
    pub begins_clause: bool,
    /// Whether that mark is a comma.
    pub follows_comma: bool,
}

/// Whether a word in lower case says little.
pub(super) fn is_stop(lower: &str) -> bool {
    STOP_WORDS.binary_search(&lower).is_ok()
}

/// The words of a text, but for addresses on the web.
pub(super) fn words(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut at = 0;
    let mut begins_clause = true;
    std::iter::from_fn(move || {
        loop {
            let rest = &text[at..];
            let start = at + rest.find(char::is_alphanumeric)?;
            let marks = &text[at..start];
            begins_clause |= marks.contains(|mark: char| ",;:.!?()".contains(mark));
            let follows_comma = marks.contains(',');
            let word = &text[start..];
            if word.starts_with("http://") || word.starts_with("https://") {
                let is_end = |mark: char| mark.is_whitespace() || ")]>\"".contains(mark);
                at = start + word.find(is_end).unwrap_or(word.len());
                continue;
            }
            let end = start + length(word);
            at = end;
            let found =
                Word { text: &text[start..end], bytes: start..end, begins_clause, follows_comma };
            begins_clause = false;
            return Some(found);
        }
    })
}

/// The length of the word a text begins with; an apostrophe between letters belongs to it.
fn length(text: &str) -> usize {
    let mut letters = text.char_indices().peekable();
    let mut before = ' ';
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map_or(' ', |(_, next)| *next);
        let joins = matches!(letter, '\'' | '’') && next.is_alphanumeric()
            || letter == ',' && before.is_ascii_digit() && is_thousands(&text[at + 1..]);
        if !letter.is_alphanumeric() && !joins {
            return at;
        }
        before = letter;
    }
    text.len()
}

/// Whether three digits follow and no fourth: "5,000".
fn is_thousands(rest: &str) -> bool {
    let digits = rest.chars().take_while(char::is_ascii_digit).count();
    digits == 3
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
    fn a_comma_between_thousands_joins() {
        let found: Vec<&str> = words("5,000 pounds, 12,5 or 3,4").map(|word| word.text).collect();
        assert_eq!(found, ["5,000", "pounds", "12", "5", "or", "3", "4"]);
    }

    #[test]
    fn addresses_are_no_words_and_apostrophes_join() {
        let text = "See [GSA](https://www.gsa.gov/access-control), it doesn't";
        let found: Vec<&str> = words(text).map(|word| word.text).collect();
        assert_eq!(found, ["See", "GSA", "it", "doesn't"]);
        assert!(words(text).nth(2).unwrap().begins_clause);
    }
}

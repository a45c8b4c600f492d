//! The facts of a statement: who does what, and each piece that says more about it.
//!
//! A piece alone is no claim; it is told together with the subject and the verb.

use std::ops::Range;
use std::sync::LazyLock;

use assize_text::word_list;

use super::reading::{Reading, Sentence};
use super::statement::Statement;
use super::vocabulary::{SHORT_LETTERS, Vocabulary};

/// A piece has at least so many words of content. One: the finer the facts, the more
/// nearly the score follows how many of the summary's words are new.
const CONTENT_MIN: usize = 1;

/// Words that begin a piece: prepositions, conjunctions, relative words.
const STARTS: [&str; 44] = [
    "about", "across", "after", "against", "although", "and", "around", "as", "at", "because",
    "before", "behind", "between", "but", "by", "despite", "during", "for", "from", "if", "in",
    "into", "near", "of", "on", "or", "over", "since", "so", "than", "that", "through", "to",
    "under", "until", "when", "where", "whether", "which", "while", "who", "whom", "whose", "with",
];

/// Verbs that do not show it by their ending, and those that hold others, in the forms in which they
/// are written.
static VERBS: LazyLock<Vec<&str>> =
    LazyLock::new(|| word_list(include_str!("../../../data/verbs.txt")));

/// The facts of a statement in order: its beginning up to the verb, then every piece. They are cut
/// before a word that begins one and after a comma, colon, dash, bracket or quotation mark, and
/// cover the whole statement.
pub(super) fn facts(
    reading: &Reading,
    statement: &Sentence,
    vocabulary: &Vocabulary,
) -> Vec<Sentence> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = statement.words.start;
    let mut content = 0;
    for at in statement.words.clone() {
        if content >= CONTENT_MIN && begins_piece(reading, at, vocabulary) {
            found.push(start..at);
            (start, content) = (at, 0);
        }
        content += usize::from(vocabulary.is_content(reading.words[at].stem));
    }
    match found.last_mut() {
        Some(last) if content < CONTENT_MIN => last.end = statement.words.end,
        _ => found.push(start..statement.words.end),
    }
    if vocabulary.is_english() {
        let is_verb = |at: usize| is_verb(reading, at);
        let verb = found.iter().position(|words| words.clone().any(is_verb)).unwrap_or(0);
        found.drain(..verb);
        found[0].start = statement.words.start;
    }
    found.into_iter().map(|words| piece(reading, statement, words)).collect()
}

/// A fact as a claim: the subject and the verb that it belongs to, and the piece itself.
pub(super) fn told(reading: &Reading, statement: &Statement, fact: &Sentence) -> String {
    let text = reading.text_of(fact);
    match statement.facts.first() {
        Some(core) if core != fact => {
            let apart = if core.words.end == fact.words.start { " " } else { " … " };
            format!("{}{apart}{text}", reading.text_of(core))
        }
        _ => text.to_owned(),
    }
}

fn is_verb(reading: &Reading, at: usize) -> bool {
    let lower = reading.text[reading.words[at].bytes()].to_ascii_lowercase();
    let is_past = lower.len() > SHORT_LETTERS + 1 && lower.ends_with("ed");
    VERBS.binary_search(&lower.as_str()).is_ok() || is_past
}

fn begins_piece(reading: &Reading, at: usize, vocabulary: &Vocabulary) -> bool {
    let gap = reading.gap_before(at);
    if gap.trim() == "-" || is_before_hyphen(reading, at) {
        return false;
    }
    gap.contains([',', ';', ':', '–', '—', '(', ')', '"', '“', '”'])
        || gap.contains("--")
        || vocabulary.is_english()
            && STARTS.binary_search(&vocabulary.text(reading.words[at].stem)).is_ok()
}

/// Whether a hyphen ties a word to the next one: `by-election`.
fn is_before_hyphen(reading: &Reading, at: usize) -> bool {
    at + 1 < reading.words.len() && reading.gap_before(at + 1) == "-"
}

/// A stretch of a statement; the first piece keeps the marks before it, the last those after.
fn piece(reading: &Reading, statement: &Sentence, words: Range<usize>) -> Sentence {
    let from = if words.start == statement.words.start {
        statement.bytes.start
    } else {
        reading.words[words.start].bytes().start
    };
    let to = if words.end == statement.words.end {
        statement.bytes.end
    } else {
        reading.words[words.end - 1].bytes().end
    };
    Sentence { words, bytes: from..to.max(from) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts_of(text: &str) -> Vec<String> {
        let mut vocabulary = Vocabulary::new(true);
        let reading = Reading::of(text, &mut vocabulary);
        let facts = facts(&reading, &reading.sentences[0], &vocabulary);
        facts.iter().map(|fact| reading.text_of(fact).to_owned()).collect()
    }

    #[test]
    fn a_statement_is_cut_where_another_fact_begins() {
        assert_eq!(
            facts_of(
                "The mayor of Lyon resigned on Friday, a day after police searched his office."
            ),
            [
                "The mayor of Lyon resigned",
                "on Friday",
                "a day",
                "after police searched his office."
            ]
        );
    }

    #[test]
    fn a_piece_without_content_stays_with_its_neighbour() {
        assert_eq!(facts_of("He came, saw and won."), ["He came", "saw", "and won."]);
        assert_eq!(
            facts_of("After that, it rained, as of then."),
            ["After that, it rained, as of then."]
        );
    }

    #[test]
    fn a_word_with_hyphens_is_one() {
        assert_eq!(
            facts_of("Home was a made-for-television film, seen by passers - by."),
            ["Home was a made-for-television film", "seen", "by passers - by."]
        );
    }

    #[test]
    fn words_are_sorted() {
        assert!(STARTS.is_sorted() && VERBS.is_sorted());
    }
}

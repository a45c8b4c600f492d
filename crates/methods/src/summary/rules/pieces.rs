//! The facts of a statement: the pieces that can be true or false by themselves.

use std::ops::Range;

use super::reading::{Reading, Sentence};
use super::vocabulary::Vocabulary;

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

/// The pieces of a statement in order: cut before a word that begins one and after a
/// comma, colon, dash, bracket or quotation mark. They cover the whole statement.
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
    found.into_iter().map(|words| piece(reading, statement, words)).collect()
}

fn begins_piece(reading: &Reading, at: usize, vocabulary: &Vocabulary) -> bool {
    let gap = reading.gap_before(at);
    gap.contains([',', ';', ':', '–', '—', '(', ')', '"', '“', '”'])
        || gap.contains("--")
        || vocabulary.is_english()
            && STARTS.binary_search(&vocabulary.text(reading.words[at].stem)).is_ok()
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
                "The mayor",
                "of Lyon resigned",
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
    fn words_that_begin_pieces_are_sorted() {
        assert!(STARTS.is_sorted());
    }
}

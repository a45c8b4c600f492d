//! Clauses: the parts of a sentence that can be true or false by themselves.

use std::ops::Range;

use super::reading::{Reading, Sentence};
use super::vocabulary::Vocabulary;

/// A clause has at least so many words.
const CLAUSE_WORDS_MIN: usize = 4;

/// Words that begin a clause.
const CLAUSE_STARTS: [&str; 17] = [
    "after", "although", "and", "as", "because", "before", "but", "despite", "if", "since", "that",
    "until", "when", "where", "which", "while", "who",
];

/// The clauses of a sentence: cut before a conjunction or relative word and after a
/// comma, colon or dash, where both sides are long enough. They cover the whole sentence.
pub(super) fn clauses(
    reading: &Reading,
    sentence: &Sentence,
    vocabulary: &Vocabulary,
) -> Vec<Sentence> {
    let words = reading.words_of(sentence);
    let first = sentence.words.start;
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for at in CLAUSE_WORDS_MIN..words.len() {
        let gap = &reading.text
            [words[at - 1].bytes().end.min(words[at].bytes().start)..words[at].bytes().start];
        let is_start = vocabulary.is_english()
            && CLAUSE_STARTS.binary_search(&vocabulary.text(words[at].stem)).is_ok();
        if at - start >= CLAUSE_WORDS_MIN && (is_start || is_cut(gap)) {
            found.push(start..at);
            start = at;
        }
    }
    match found.last_mut() {
        Some(last) if words.len() - start < CLAUSE_WORDS_MIN => last.end = words.len(),
        _ => found.push(start..words.len()),
    }
    let count = found.len();
    let piece = |(number, clause): (usize, Range<usize>)| {
        let from =
            if number == 0 { sentence.bytes.start } else { words[clause.start].bytes().start };
        let to = if number + 1 == count {
            sentence.bytes.end
        } else {
            words[clause.end - 1].bytes().end
        };
        Sentence { words: first + clause.start..first + clause.end, bytes: from..to.max(from) }
    };
    found.into_iter().enumerate().map(piece).collect()
}

/// Whether what stands between two words ends a clause.
fn is_cut(gap: &str) -> bool {
    gap.contains([',', ';', ':', '–', '—']) || gap.contains("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses_of(text: &str) -> Vec<String> {
        let mut vocabulary = Vocabulary::new(true);
        let reading = Reading::of(text, &mut vocabulary);
        let clauses = clauses(&reading, &reading.sentences[0], &vocabulary);
        clauses.iter().map(|clause| reading.text_of(clause).to_owned()).collect()
    }

    #[test]
    fn a_sentence_is_cut_where_another_statement_begins() {
        assert_eq!(
            clauses_of(
                "The mayor of Lyon resigned on Friday, a day after police searched his office."
            ),
            ["The mayor of Lyon resigned on Friday", "a day after police searched his office."]
        );
    }

    #[test]
    fn short_parts_stay_with_their_neighbour() {
        assert_eq!(clauses_of("He came, saw and won."), ["He came, saw and won."]);
    }

    #[test]
    fn words_that_begin_clauses_are_sorted() {
        assert!(CLAUSE_STARTS.is_sorted());
    }
}

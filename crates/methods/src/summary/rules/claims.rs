//! Which statements of a summary are worth checking.

use assize_score::float::descending;

use super::clauses::clauses;
use super::index::Index;
use super::reading::{Reading, Sentence};
use super::vocabulary::Vocabulary;

/// A summary of no more sentences is looked at clause by clause.
const FEW_SENTENCES: usize = 2;

/// Two words in a row that ask the reader to do something and claim nothing.
const CALLS: [(&str, &str); 3] = [("click", "here"), ("scroll", "down"), ("click", "link")];

/// The statements of a summary in order: its sentences without calls to the reader and
/// empty phrases, unless there is nothing else; of more than `most`, those with the
/// weightiest words.
pub(super) fn statements(
    summary: &Reading,
    index: &Index,
    vocabulary: &Vocabulary,
    most: usize,
) -> Vec<Sentence> {
    let states = |sentence: &&Sentence| {
        let has_content = summary.stems_of(sentence).any(|stem| vocabulary.is_content(stem));
        has_content && !is_call(summary, sentence, vocabulary)
    };
    let mut found: Vec<Sentence> = summary.sentences.iter().filter(states).cloned().collect();
    if found.is_empty() {
        found.clone_from(&summary.sentences);
    }
    weightiest(found, summary, index, vocabulary, most)
}

/// The claims that statements make: themselves, or the clauses of a short summary.
///
/// `None` where each statement is one claim.
pub(super) fn clauses_of_few(
    statements: &[Sentence],
    summary: &Reading,
    index: &Index,
    vocabulary: &Vocabulary,
    most: usize,
) -> Option<Vec<Sentence>> {
    if summary.sentences.len() > FEW_SENTENCES {
        return None;
    }
    let found: Vec<Sentence> =
        statements.iter().flat_map(|statement| clauses(summary, statement, vocabulary)).collect();
    (found.len() > statements.len()).then(|| weightiest(found, summary, index, vocabulary, most))
}

fn is_call(summary: &Reading, sentence: &Sentence, vocabulary: &Vocabulary) -> bool {
    vocabulary.is_english()
        && summary.words_of(sentence).windows(2).any(|pair| {
            let texts = (vocabulary.text(pair[0].stem), vocabulary.text(pair[1].stem));
            CALLS.contains(&texts)
        })
}

fn weightiest(
    found: Vec<Sentence>,
    summary: &Reading,
    index: &Index,
    vocabulary: &Vocabulary,
    most: usize,
) -> Vec<Sentence> {
    if found.len() <= most {
        return found;
    }
    let weight = |sentence: &Sentence| -> f64 {
        let content = summary.stems_of(sentence).filter(|stem| vocabulary.is_content(*stem));
        content.map(|stem| index.rarity(stem)).sum()
    };
    let mut ranked: Vec<(f64, Sentence)> =
        found.into_iter().map(|sentence| (weight(&sentence), sentence)).collect();
    ranked.sort_by(|(left, _), (right, _)| descending(*left, *right));
    ranked.truncate(most);
    let mut kept: Vec<Sentence> = ranked.into_iter().map(|(_, sentence)| sentence).collect();
    kept.sort_by_key(|sentence| sentence.words.start);
    kept
}

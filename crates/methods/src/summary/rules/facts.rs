//! Facts that can be asked for: a name, a number or a rare word within its clause.

use std::ops::Range;

use assize_score::float::descending;

use super::index::Index;
use super::reading::{Reading, Sentence};
use super::vocabulary::{Stem, Vocabulary};

/// So many words on either side of the answer make the question.
const REACH: usize = 6;
/// A longer run of names is cut.
const ANSWER_WORDS_MAX: usize = 4;
/// A fact with fewer content words around it cannot be recognised.
const CONTEXT_MIN: usize = 2;

/// What can be asked for, by positions in a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fact {
    /// The words that answer.
    pub answer: Range<usize>,
    /// The words around them, with them.
    pub window: Range<usize>,
    /// The distinct stems of the answer, sorted.
    pub stems: Vec<Stem>,
}

impl Fact {
    /// The distinct content stems around the answer.
    pub(super) fn context(&self, reading: &Reading, vocabulary: &Vocabulary) -> Vec<Stem> {
        let around = self.window.clone().map(|at| reading.words[at].stem);
        let is_context =
            |stem: &Stem| vocabulary.is_content(*stem) && self.stems.binary_search(stem).is_err();
        sorted(around.filter(is_context).collect())
    }

    /// The question: the window with a gap.
    pub(super) fn question(&self, reading: &Reading) -> String {
        let start = reading.words[self.window.start].bytes().start;
        let end = reading.words[self.window.end - 1].bytes().end;
        let answer = self.answer_bytes(reading);
        let (before, after) =
            (&reading.text[start..answer.start], &reading.text[answer.end..end.max(answer.end)]);
        let question = format!("Which words fill the gap: “{before}____{after}”?");
        question.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    pub(super) fn answer_bytes(&self, reading: &Reading) -> Range<usize> {
        reading.words[self.answer.start].bytes().start
            ..reading.words[self.answer.end - 1].bytes().end
    }

    pub(super) fn window_bytes(&self, reading: &Reading) -> Range<usize> {
        reading.words[self.window.start].bytes().start
            ..reading.words[self.window.end - 1].bytes().end
    }
}

/// The facts of a sentence, the best to ask for first; with `is_apart` their windows do
/// not overlap, so that no two questions rest on the same words.
pub(super) fn facts(
    reading: &Reading,
    sentence: &Sentence,
    index: &Index,
    vocabulary: &Vocabulary,
    is_apart: bool,
) -> Vec<Fact> {
    let is_name = |at: usize| index.is_name(reading.words[at].stem);
    let is_number = |at: usize| vocabulary.kind(reading.words[at].stem).is_number;
    let mut found: Vec<(f64, Range<usize>)> = Vec::new();
    let mut at = sentence.words.start;
    while at < sentence.words.end {
        let run =
            (at..sentence.words.end).take(ANSWER_WORDS_MAX).take_while(|at| is_name(*at)).count();
        let rarity = index.rarity(reading.words[at].stem);
        let length = run.max(1);
        if run > 0 {
            found.push((2.0 + rarity, at..at + run));
        } else if is_number(at) {
            found.push((2.0 + rarity, at..at + 1));
        } else if vocabulary.is_content(reading.words[at].stem) {
            found.push((rarity / 8.0, at..at + 1));
        }
        at += length;
    }
    found.sort_by(|(left, _), (right, _)| descending(*left, *right));
    let mut facts: Vec<Fact> = Vec::new();
    for (_, answer) in found {
        let start = answer.start.saturating_sub(REACH).max(sentence.words.start);
        let window = start..(answer.end + REACH).min(sentence.words.end);
        let stems = sorted(reading.words[answer.clone()].iter().map(|word| word.stem).collect());
        let fact = Fact { answer, window, stems };
        let overlaps = facts.iter().any(|other| {
            fact.window.end > other.window.start && other.window.end > fact.window.start
        });
        if !(is_apart && overlaps) && fact.context(reading, vocabulary).len() >= CONTEXT_MIN {
            facts.push(fact);
        }
    }
    facts
}

fn sorted(mut stems: Vec<Stem>) -> Vec<Stem> {
    stems.sort_unstable();
    stems.dedup();
    stems
}

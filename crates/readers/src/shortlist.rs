//! Which statements may be about a part: by meaning, by words, and never without its figures.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use assize_text::tokens::alnum_tokens;

use crate::reading::{Candidate, Statement};

/// What a statement with every word of a part gains over one with none, in cosines.
const WORDS_WEIGHT: f32 = 0.25;

/// The words of statements, ready to be compared with those of parts. Words are numbered: a text of
/// ten megabytes has few of them, and many times.
#[derive(Debug)]
pub(crate) struct StatementWords {
    numbers: BTreeMap<String, u32>,
    /// By number, in how many statements a word stands.
    counts: Vec<u32>,
    /// For each statement, in rising order.
    words: Vec<Box<[u32]>>,
}

impl StatementWords {
    /// Takes the words of statements and of their headings.
    pub(crate) fn new(statements: &[Statement<'_>]) -> Self {
        let mut all = Self { numbers: BTreeMap::new(), counts: Vec::new(), words: Vec::new() };
        for statement in statements {
            let mut own: Vec<u32> = words_of(&statement.with_heading())
                .into_iter()
                .map(|word| all.number(word))
                .collect();
            own.sort_unstable();
            all.words.push(own.into_boxed_slice());
        }
        all
    }

    fn number(&mut self, word: String) -> u32 {
        let next = u32::try_from(self.counts.len()).expect("fewer words than a text has bytes");
        let number = *self.numbers.entry(word).or_insert(next);
        if number == next {
            self.counts.push(0);
        }
        self.counts[number as usize] += 1;
        number
    }

    /// What may be about a part, of at most `most` statements, before any is offered.
    pub(crate) fn ranking(&self, part: &str, most: usize) -> Ranking<'_> {
        let words = words_of(part).into_iter().map(|word| {
            let number = self.numbers.get(&word).copied();
            // One that no statement has counts as one that a single one has.
            let count = number.map_or(1, |number| self.counts[number as usize]);
            PartWord { number, weight: 1.0 / count as f32, is_figure: is_figure(&word) }
        });
        let words = words.collect();
        Ranking { statements: self, words, most, best: Vec::new(), with_figure: None }
    }
}

/// A word of a part. It counts the more, the fewer statements have it.
#[derive(Debug)]
struct PartWord {
    number: Option<u32>,
    weight: f32,
    is_figure: bool,
}

/// The statements that may be about one part: those that were offered and are the likeliest.
#[derive(Debug)]
pub(crate) struct Ranking<'a> {
    statements: &'a StatementWords,
    words: Vec<PartWord>,
    most: usize,
    /// The likeliest first.
    best: Vec<Candidate>,
    /// The likeliest that has a figure of the part.
    with_figure: Option<Candidate>,
}

impl Ranking<'_> {
    /// Considers a statement, with the cosine of its meaning where something knows it.
    pub(crate) fn offer(&mut self, statement: usize, cosine: Option<f32>) {
        let own = &self.statements.words[statement];
        let has =
            |word: &PartWord| word.number.is_some_and(|number| own.binary_search(&number).is_ok());
        let (mut all, mut shared, mut figure) = (0.0_f32, 0.0_f32, false);
        for word in &self.words {
            all += word.weight;
            if has(word) {
                shared += word.weight;
                figure |= word.is_figure;
            }
        }
        let words = if all > 0.0 { shared / all } else { 0.0 };
        let candidate = Candidate { statement, cosine, words, figure };
        let is_likelier = |other: &Candidate| by_likelihood(&candidate, other) == Ordering::Less;
        if figure && self.with_figure.as_ref().is_none_or(is_likelier) {
            self.with_figure = Some(candidate.clone());
        }
        let place =
            self.best.partition_point(|one| by_likelihood(one, &candidate) == Ordering::Less);
        if place < self.most {
            self.best.truncate(self.most - 1);
            self.best.insert(place, candidate);
        }
    }

    /// The likeliest first. Where the part has a figure that only a less likely statement has, that
    /// statement takes the last place.
    pub(crate) fn candidates(mut self) -> Vec<Candidate> {
        let lost = !self.best.iter().any(|one| one.figure);
        if let (true, Some(last), Some(with_figure)) =
            (lost, self.best.last_mut(), self.with_figure)
        {
            *last = with_figure;
        }
        self.best
    }
}

/// The likelier first; of two alike, the one that stands first in the document.
fn by_likelihood(left: &Candidate, right: &Candidate) -> Ordering {
    let likelihood = |one: &Candidate| match one.cosine {
        Some(cosine) => cosine + WORDS_WEIGHT * one.words,
        None => one.words,
    };
    likelihood(right).total_cmp(&likelihood(left)).then(left.statement.cmp(&right.statement))
}

fn words_of(text: &str) -> BTreeSet<String> {
    alnum_tokens(text).into_iter().collect()
}

fn is_figure(word: &str) -> bool {
    word.chars().any(char::is_numeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATEMENTS: [&str; 5] = [
        "The backups of the servers are tested.",
        "The rent is due on the first day of the month.",
        "The backups are kept in the vault.",
        "The keys of the vault are with the guard.",
        "The term is 90 days.",
    ];

    fn words() -> StatementWords {
        let statements = STATEMENTS.map(|text| Statement { text, heading: None });
        StatementWords::new(&statements)
    }

    fn ranked(part: &str, cosines: Option<&[f32]>, most: usize) -> Vec<Candidate> {
        let words = words();
        let mut ranking = words.ranking(part, most);
        // In whatever order they are offered.
        for statement in (0..STATEMENTS.len()).rev() {
            ranking.offer(statement, cosines.map(|cosines| cosines[statement]));
        }
        ranking.candidates()
    }

    fn chosen(candidates: &[Candidate]) -> Vec<usize> {
        candidates.iter().map(|one| one.statement).collect()
    }

    /// Of "the backups are tested", `the` is in 5 statements, `are` in 3, `backups` in 2 and `tested`
    /// in 1: together 1/5 + 1/3 + 1/2 + 1 = 61/30. Statement 2 lacks `tested`: 31/61.
    #[test]
    fn rare_words_count_more() {
        let ranked = ranked("The backups are tested.", None, 2);
        assert_eq!(chosen(&ranked), [0, 2]);
        assert!((ranked[0].words - 1.0).abs() < 1e-6, "{ranked:?}");
        assert!((ranked[1].words - 31.0 / 61.0).abs() < 1e-6, "{ranked:?}");
    }

    #[test]
    fn meaning_counts_more_than_words() {
        let cosines = [0.1, 0.9, 0.2, 0.3, 0.4];
        let ranked = ranked("Tenants pay monthly.", Some(&cosines), 3);
        assert_eq!(chosen(&ranked), [1, 4, 3]);
    }

    #[test]
    fn a_statement_with_the_figure_is_never_lost() {
        let cosines = [0.9, 0.8, 0.7, 0.6, 0.1];
        let with = ranked("Notice takes 90 days.", Some(&cosines), 3);
        assert_eq!(chosen(&with), [0, 1, 4]);
        assert!(with[2].figure && !with[0].figure);
        let without = ranked("Notice takes 30 days.", Some(&cosines), 3);
        assert_eq!(chosen(&without), [0, 1, 2]);
    }

    #[test]
    fn no_statements_and_no_places_give_no_candidates() {
        assert!(StatementWords::new(&[]).ranking("a part", 4).candidates().is_empty());
        assert!(ranked("90 days", None, 0).is_empty());
        assert_eq!(ranked("", None, 9).len(), 5);
    }
}

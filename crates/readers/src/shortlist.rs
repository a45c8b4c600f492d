//! Which statements may be about a part: by meaning, by words, and never without its figures.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use assize_text::tokens::alnum_tokens;

use crate::reading::{Candidate, Statement};

/// What a statement with every word of a part gains over one with none, in cosines.
const WORDS_WEIGHT: f32 = 0.25;

/// The words of statements, ready to be compared with those of parts.
#[derive(Debug)]
pub struct StatementWords {
    words: Vec<BTreeSet<String>>,
    /// In how many statements a word stands.
    counts: BTreeMap<String, usize>,
}

impl StatementWords {
    /// Takes the words of statements and of their headings.
    pub fn of(statements: &[Statement<'_>]) -> Self {
        let words: Vec<BTreeSet<String>> =
            statements.iter().map(|one| words_of(&one.with_heading())).collect();
        let mut counts = BTreeMap::new();
        for word in words.iter().flatten() {
            *counts.entry(word.clone()).or_insert(0) += 1;
        }
        Self { words, counts }
    }

    /// The statements that may be about a part, the likeliest first and at most `most`. `cosines`
    /// has one for each statement, or none where nothing knows their meaning. Where the part has a
    /// figure that only a later statement has, that statement takes the last place.
    pub fn ranked(&self, part: &str, cosines: Option<&[f32]>, most: usize) -> Vec<Candidate> {
        let part = words_of(part);
        let figures: BTreeSet<&String> = part.iter().filter(|word| is_figure(word)).collect();
        let mut all: Vec<Candidate> = self
            .words
            .iter()
            .enumerate()
            .map(|(statement, words)| Candidate {
                statement,
                cosine: cosines.map(|cosines| cosines[statement]),
                words: self.share(&part, words),
                figure: figures.iter().any(|figure| words.contains(*figure)),
            })
            .collect();
        all.sort_by(by_likelihood);
        let rest = all.split_off(most.min(all.len()));
        let lost = !all.iter().any(|one| one.figure);
        if let Some(with_figure) = rest.into_iter().find(|one| lost && one.figure)
            && let Some(last) = all.last_mut()
        {
            *last = with_figure;
        }
        all
    }

    /// The share of a part's words that a statement has. A word counts the more, the fewer
    /// statements have it; one that no statement has counts as one that a single one has.
    fn share(&self, part: &BTreeSet<String>, statement: &BTreeSet<String>) -> f32 {
        let weight = |word: &String| 1.0 / self.counts.get(word).copied().unwrap_or(1) as f32;
        let all: f32 = part.iter().map(weight).sum();
        let shared: f32 = part.intersection(statement).map(weight).sum();
        if all > 0.0 { shared / all } else { 0.0 }
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
        StatementWords::of(&statements)
    }

    fn chosen(candidates: &[Candidate]) -> Vec<usize> {
        candidates.iter().map(|one| one.statement).collect()
    }

    /// Of "the backups are tested", `the` is in 5 statements, `are` in 3, `backups` in 2 and `tested`
    /// in 1: together 1/5 + 1/3 + 1/2 + 1 = 61/30. Statement 2 lacks `tested`: 31/61.
    #[test]
    fn rare_words_count_more() {
        let ranked = words().ranked("The backups are tested.", None, 2);
        assert_eq!(chosen(&ranked), [0, 2]);
        assert!((ranked[0].words - 1.0).abs() < 1e-6, "{ranked:?}");
        assert!((ranked[1].words - 31.0 / 61.0).abs() < 1e-6, "{ranked:?}");
    }

    #[test]
    fn meaning_counts_more_than_words() {
        let cosines = [0.1, 0.9, 0.2, 0.3, 0.4];
        let ranked = words().ranked("Tenants pay monthly.", Some(&cosines), 3);
        assert_eq!(chosen(&ranked), [1, 4, 3]);
    }

    #[test]
    fn a_statement_with_the_figure_is_never_lost() {
        let cosines = [0.9, 0.8, 0.7, 0.6, 0.1];
        let ranked = words().ranked("Notice takes 90 days.", Some(&cosines), 3);
        assert_eq!(chosen(&ranked), [0, 1, 4]);
        assert!(ranked[2].figure && !ranked[0].figure);
        let without = words().ranked("Notice takes 30 days.", Some(&cosines), 3);
        assert_eq!(chosen(&without), [0, 1, 2]);
    }

    #[test]
    fn no_statements_and_no_places_give_no_candidates() {
        assert!(StatementWords::of(&[]).ranked("a part", None, 4).is_empty());
        assert!(words().ranked("90 days", None, 0).is_empty());
        assert_eq!(words().ranked("", None, 9).len(), 5);
    }
}

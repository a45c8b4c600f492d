//! The terms of a criteria set, and what each weighs: the rarer, the more.

use std::collections::BTreeSet;

use assize_score::float;
use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

use super::concepts::{Concept, Concepts, Stem, stem};
use super::meaning::Meanings;
use super::sentence::Sentence;
use super::words::{is_stop, words};

/// The number of a term: concepts first, then stems.
pub(super) type Term = u32;

/// What a concept that says little weighs beside others.
const WEAK: f64 = 0.3;

/// A word in lower case, with plain apostrophes.
pub(super) fn plain(word: &str) -> String {
    word.to_lowercase().replace('’', "'")
}

/// Every term that a criteria set or a concept knows.
pub(super) struct Lexicon {
    pub concepts: &'static Concepts,
    stemmer: Stemmer,
    stems: FxHashMap<Box<str>, Stem>,
    /// The words of the criteria as directions.
    pub meanings: Meanings,
    /// In how many criteria a term occurs; then what it weighs.
    weights: Vec<f64>,
}

impl Lexicon {
    /// The lexicon of texts, one for each criterion.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t [&'t str]> + Clone) -> Self {
        let concepts = Concepts::standard();
        let mut lexicon = Self {
            concepts,
            stemmer: Stemmer::create(Algorithm::English),
            stems: concepts.stems.clone(),
            meanings: Meanings::default(),
            weights: Vec::new(),
        };
        for part in texts.clone().flatten() {
            for word in words(part) {
                let lower = plain(word.text);
                lexicon.meanings.take(&lower);
                let stem = stem(&lexicon.stemmer, &lower);
                let next = u32::try_from(lexicon.stems.len()).unwrap_or(u32::MAX);
                lexicon.stems.entry(stem.into()).or_insert(next);
            }
        }
        let mut counts = vec![0_u32; concepts.len() + lexicon.stems.len()];
        let mut criteria: u32 = 0;
        for parts in texts {
            criteria += 1;
            for term in lexicon.terms_of(parts) {
                counts[term as usize] += 1;
            }
        }
        let all = f64::from(criteria) + 1.0;
        let weigh = |(term, count): (usize, &u32)| {
            let weak = term < concepts.len() && concepts.is_weak(u32::try_from(term).unwrap_or(0));
            let class = if weak { WEAK } else { 1.0 };
            class * float::ln(1.0 + all / (f64::from(*count) + 0.5))
        };
        lexicon.weights = counts.iter().enumerate().map(weigh).collect();
        lexicon
    }

    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.concepts.len() + self.stems.len()
    }

    /// What a term weighs.
    pub(super) fn weight(&self, term: Term) -> f64 {
        self.weights.get(term as usize).copied().unwrap_or(0.0)
    }

    /// The stem of a word in lower case, if any criterion or concept uses it.
    pub(super) fn stem(&self, lower: &str) -> Option<Stem> {
        self.stems.get(&*stem(&self.stemmer, lower)).copied()
    }

    /// The term of a stem.
    pub(super) fn term(&self, stem: Stem) -> Term {
        u32::try_from(self.concepts.len()).unwrap_or(u32::MAX).saturating_add(stem)
    }

    /// Whether a term says little about what a rule is about.
    pub(super) fn is_weak(&self, term: Term) -> bool {
        (term as usize) < self.concepts.len() && self.concepts.is_weak(term)
    }

    /// Whether a term says little, and is meant only where a word has no meaning of its own.
    pub(super) fn is_vague(&self, term: Term) -> bool {
        (term as usize) < self.concepts.len() && self.concepts.is_vague(term)
    }

    /// Whether a term is a word and no concept.
    pub(super) fn is_word(&self, term: Term) -> bool {
        (term as usize) >= self.concepts.len()
    }

    /// Whether a term is a concept of that name.
    pub(super) fn is_concept(&self, term: Term, name: &str) -> bool {
        (term as usize) < self.concepts.len() && self.concepts.name(term as Concept) == name
    }

    /// The words of texts that say something, each once, be they part of a phrase or not.
    pub(super) fn words_of(&self, parts: &[&str]) -> BTreeSet<Term> {
        let lower = parts.iter().flat_map(|part| words(part)).map(|word| word.text.to_lowercase());
        let says = |word: &String| {
            word.len() > 1 && word.starts_with(char::is_alphabetic) && !is_stop(word)
        };
        lower.filter(says).filter_map(|word| self.stem(&word)).map(|stem| self.term(stem)).collect()
    }

    /// The terms of texts, each once.
    pub(super) fn terms_of(&self, parts: &[&str]) -> BTreeSet<Term> {
        let sentences = parts.iter().map(|part| Sentence::wanted(part, self));
        sentences.flat_map(|sentence| sentence.terms).map(|marked| marked.term).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_term_weighs_more_than_a_common_one() {
        let texts: [&[&str]; 3] = [&["zebra pony"], &["zebra goose"], &["zebra otter"]];
        let lexicon = Lexicon::of(texts.into_iter());
        let weight = |word: &str| lexicon.weight(lexicon.term(lexicon.stem(word).unwrap()));
        // In one of three: ln(1 + 4 / 1.5); in all three: ln(1 + 4 / 3.5).
        assert!((weight("pony") - float::ln(1.0 + 4.0 / 1.5)).abs() < 1e-12);
        assert!((weight("zebras") - float::ln(1.0 + 4.0 / 3.5)).abs() < 1e-12);
        assert_eq!(lexicon.stem("unknown"), None);
    }
}

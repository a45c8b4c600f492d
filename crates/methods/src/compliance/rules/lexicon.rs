//! The words of a criteria set, and what each weighs: the rarer, the more.

use std::collections::{BTreeSet, HashMap};

use assize_score::float;
use foldhash::fast::FixedState;
use rust_stemmers::{Algorithm, Stemmer};

use super::words::{self, is_stop};

/// The number of a term in its lexicon.
pub(super) type Term = u32;

/// Words of so few letters are their own stem.
const SHORT_LETTERS: usize = 3;

/// Every term of a criteria set.
pub(super) struct Lexicon {
    stemmer: Stemmer,
    /// Words in lower case; none for those that are no term.
    by_word: HashMap<Box<str>, Option<Term>, FixedState>,
    by_stem: HashMap<Box<str>, Term, FixedState>,
    /// In how many criteria a term occurs; then what it weighs.
    counts: Vec<u32>,
    weights: Vec<f64>,
}

impl Lexicon {
    /// The lexicon of texts, one for each criterion.
    pub(super) fn of<'t>(texts: impl Iterator<Item = &'t [&'t str]>) -> Self {
        let mut lexicon = Self {
            stemmer: Stemmer::create(Algorithm::English),
            by_word: HashMap::with_hasher(FixedState::default()),
            by_stem: HashMap::with_hasher(FixedState::default()),
            counts: Vec::new(),
            weights: Vec::new(),
        };
        let mut criteria: u32 = 0;
        for parts in texts {
            criteria += 1;
            let mut seen = BTreeSet::new();
            for word in parts.iter().flat_map(|part| words::words(part)) {
                seen.extend(lexicon.add(&word.text.to_lowercase()));
            }
            for term in seen {
                lexicon.counts[term as usize] += 1;
            }
        }
        let all = f64::from(criteria) + 1.0;
        let weigh = |count: &u32| float::ln(1.0 + all / (f64::from(*count) + 0.5));
        lexicon.weights = lexicon.counts.iter().map(weigh).collect();
        lexicon
    }

    /// How many terms there are.
    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// What a term weighs.
    pub(super) fn weight(&self, term: Term) -> f64 {
        self.weights[term as usize]
    }

    /// The terms of texts, each once.
    pub(super) fn terms_of(&self, parts: &[&str]) -> BTreeSet<Term> {
        let words = parts.iter().flat_map(|part| words::words(part));
        words.filter_map(|word| self.term(&word.text.to_lowercase())).collect()
    }

    /// The term of a word in lower case, if a criterion uses it.
    pub(super) fn term(&self, lower: &str) -> Option<Term> {
        if let Some(known) = self.by_word.get(lower) {
            return *known;
        }
        if is_stop(lower) { None } else { self.by_stem.get(&*self.stem(lower)).copied() }
    }

    fn add(&mut self, lower: &str) -> Option<Term> {
        if let Some(known) = self.by_word.get(lower) {
            return *known;
        }
        let term = if is_stop(lower) || lower.len() < 2 {
            None
        } else {
            let stem = self.stem(lower);
            let next = Term::try_from(self.counts.len()).ok()?;
            let term = *self.by_stem.entry(stem.into()).or_insert(next);
            if term == next {
                self.counts.push(0);
            }
            Some(term)
        };
        self.by_word.insert(lower.into(), term);
        term
    }

    fn stem(&self, lower: &str) -> String {
        let bare = lower.strip_suffix("'s").or_else(|| lower.strip_suffix("’s")).unwrap_or(lower);
        if bare.len() <= SHORT_LETTERS || !bare.is_ascii() {
            return bare.to_owned();
        }
        self.stemmer.stem(bare).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_term_weighs_more_than_a_common_one() {
        let texts: [&[&str]; 3] = [&["review accounts"], &["review logs"], &["review plans"]];
        let lexicon = Lexicon::of(texts.into_iter());
        let weight = |word: &str| lexicon.weight(lexicon.term(word).unwrap());
        // In one of three: ln(1 + 4 / 1.5); in all three: ln(1 + 4 / 3.5).
        assert!((weight("accounts") - float::ln(1.0 + 4.0 / 1.5)).abs() < 1e-12);
        assert!((weight("reviewed") - float::ln(1.0 + 4.0 / 3.5)).abs() < 1e-12);
        assert_eq!(lexicon.term("the"), None);
        assert_eq!(lexicon.term("unknown"), None);
    }
}

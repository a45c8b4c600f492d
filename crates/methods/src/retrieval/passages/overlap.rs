//! How many words two texts share, counted as sets or as bags.

use std::hash::{BuildHasher, BuildHasherDefault};

use assize_text::tokens::for_each_alnum_token_normalized;
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::options::F1;

/// How many different words a query usually has; more only take a little longer.
const WORDS_EXPECTED: usize = 256;

/// The words of two texts, counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overlap {
    /// How many words both texts have.
    pub shared: usize,
    /// How many words the passage has.
    pub in_passage: usize,
    /// How many words the gold has.
    pub in_gold: usize,
}

/// Counts words of one passage against several golds.
///
/// Every different word is kept once, in one long string, and known by its number from
/// then on; nothing is freed between queries, so a counter is meant to be used again.
/// Texts are in the form of `assize_text::for_matching`.
#[derive(Debug)]
pub struct OverlapCounter {
    letters: String,
    words: Vec<Word>,
    numbers: HashTable<usize>,
    hasher: BuildHasherDefault<FxHasher>,
    passage_words: usize,
    /// Counts up with every gold, so that its counts need no clearing.
    gold_number: usize,
}

/// One different word, where it stands in the long string, and how often it occurs.
#[derive(Debug)]
struct Word {
    start: usize,
    end: usize,
    in_passage: usize,
    in_gold: usize,
    /// Which gold `in_gold` is about.
    gold_number: usize,
}

impl Default for OverlapCounter {
    fn default() -> Self {
        Self {
            letters: String::with_capacity(WORDS_EXPECTED * 8),
            words: Vec::with_capacity(WORDS_EXPECTED),
            numbers: HashTable::with_capacity(WORDS_EXPECTED),
            hasher: BuildHasherDefault::default(),
            passage_words: 0,
            gold_number: 0,
        }
    }
}

impl OverlapCounter {
    /// Starts over with the words of a passage.
    pub(crate) fn set_passage(&mut self, passage: &str, reading: F1) {
        self.letters.clear();
        self.words.clear();
        self.numbers.clear();
        self.passage_words = 0;
        self.gold_number = 0;
        for_each_alnum_token_normalized(passage, |token| {
            let number = self.number_of(token);
            let word = &mut self.words[number];
            if word.in_passage == 0 || reading == F1::Bag {
                word.in_passage += 1;
                self.passage_words += 1;
            }
        });
    }

    /// Counts the words of a gold against those of the passage.
    pub fn with_gold(&mut self, gold: &str, reading: F1) -> Overlap {
        self.gold_number += 1;
        let (mut shared, mut in_gold) = (0, 0);
        for_each_alnum_token_normalized(gold, |token| {
            let number = self.number_of(token);
            let word = &mut self.words[number];
            if word.gold_number != self.gold_number {
                word.gold_number = self.gold_number;
                word.in_gold = 0;
            }
            if word.in_gold == 0 || reading == F1::Bag {
                word.in_gold += 1;
                in_gold += 1;
                shared += usize::from(word.in_gold <= word.in_passage);
            }
        });
        Overlap { shared, in_passage: self.passage_words, in_gold }
    }

    /// The number of a word, a new one if it is new.
    fn number_of(&mut self, token: &str) -> usize {
        let Self { letters, words, numbers, hasher, .. } = self;
        let spelled = |number: usize| &letters[words[number].start..words[number].end];
        let hash = hasher.hash_one(token);
        if let Some(number) = numbers.find(hash, |number| spelled(*number) == token) {
            return *number;
        }
        let number = words.len();
        let rehash = |number: &usize| hasher.hash_one(spelled(*number));
        numbers.insert_unique(hash, number, rehash);
        let start = letters.len();
        letters.push_str(token);
        let end = letters.len();
        words.push(Word { start, end, in_passage: 0, in_gold: 0, gold_number: 0 });
        number
    }
}

#[cfg(test)]
mod tests {
    use assize_text::for_matching;

    use super::*;

    fn overlaps(passage: &str, golds: &[&str], reading: F1) -> Vec<Overlap> {
        let mut counter = OverlapCounter::default();
        counter.set_passage(&for_matching(passage), reading);
        golds.iter().map(|gold| counter.with_gold(&for_matching(gold), reading)).collect()
    }

    #[test]
    fn a_set_counts_each_different_word_once() {
        let found = overlaps("pay pay the fee", &["The fee, the fee"], F1::Set);
        assert_eq!(found, [Overlap { shared: 2, in_passage: 3, in_gold: 2 }]);
    }

    #[test]
    fn a_bag_shares_a_word_as_often_as_both_have_it() {
        let found = overlaps("pay pay the fee", &["The fee, the fee, pay pay pay"], F1::Bag);
        assert_eq!(found, [Overlap { shared: 4, in_passage: 4, in_gold: 7 }]);
    }

    #[test]
    fn golds_are_counted_apart_from_each_other() {
        let found = overlaps("alpha beta", &["alpha", "beta gamma", "delta"], F1::Set);
        let counts: Vec<_> = found.iter().map(|one| (one.shared, one.in_gold)).collect();
        assert_eq!(counts, [(1, 1), (1, 2), (0, 1)]);
    }

    #[test]
    fn a_counter_forgets_the_query_before() {
        let mut counter = OverlapCounter::default();
        counter.set_passage("alpha", F1::Set);
        counter.with_gold("alpha", F1::Set);
        counter.set_passage("beta", F1::Set);
        let expected = Overlap { shared: 0, in_passage: 1, in_gold: 1 };
        assert_eq!(counter.with_gold("alpha", F1::Set), expected);
    }
}

//! Texts as bags of terms: which terms, how often, how many in all.

use rayon::prelude::*;

use crate::lexical::Vocabulary;
use crate::tokens::Tokenizer;

/// Texts tokenised together by one thread. Fixed, so that term numbers never depend on
/// how many threads there are.
const TEXTS_PER_BATCH: usize = 64;
/// Batches that wait to be joined at the same time, which bounds the memory they need.
const BATCHES_PER_WAVE: usize = 64;

/// A term's number and how often it occurs in one text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Count {
    pub term: u32,
    /// Its occurrences.
    pub times: u32,
}

/// The bags of many texts.
#[derive(Debug, Clone, Default)]
pub struct Bags {
    /// The terms of all texts.
    pub vocabulary: Vocabulary,
    counts: Vec<Count>,
    /// Where each text's counts begin; one more than there are texts.
    starts: Vec<usize>,
    lengths: Vec<u32>,
}

impl Bags {
    /// Tokenises texts `0..count`, in parallel; the result does not depend on threads.
    pub fn of<'a>(
        count: usize,
        text: impl Fn(usize) -> &'a str + Sync,
        tokenizer: Tokenizer,
    ) -> Self {
        let batch = |first: usize| {
            let mut batch = Self::empty();
            for index in first..(first + TEXTS_PER_BATCH).min(count) {
                batch.add(text(index), tokenizer);
            }
            batch
        };
        let firsts: Vec<usize> = (0..count).step_by(TEXTS_PER_BATCH).collect();
        let mut all = Self::empty();
        for wave in firsts.chunks(BATCHES_PER_WAVE) {
            let batches: Vec<Self> = wave.par_iter().map(|first| batch(*first)).collect();
            for batch in batches {
                all.append(batch);
            }
        }
        all
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// The terms of a text, each once, in the order of their first occurrence.
    pub(crate) fn bag(&self, text: usize) -> &[Count] {
        &self.counts[self.starts[text]..self.starts[text + 1]]
    }

    /// How many terms each text has, repetitions included.
    pub(crate) fn lengths(&self) -> &[u32] {
        &self.lengths
    }

    fn empty() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    fn add(&mut self, text: &str, tokenizer: Tokenizer) {
        let mut terms: Vec<u32> = Vec::new();
        tokenizer.each(text, &mut |term| terms.push(self.vocabulary.intern(term)));
        self.lengths.push(u32::try_from(terms.len()).unwrap_or(u32::MAX));
        terms.sort_unstable();
        let counts = terms
            .chunk_by(|left, right| left == right)
            .map(|run| Count { term: run[0], times: u32::try_from(run.len()).unwrap_or(u32::MAX) });
        self.counts.extend(counts);
        self.starts.push(self.counts.len());
    }

    fn append(&mut self, batch: Self) {
        let numbers: Vec<u32> =
            batch.vocabulary.terms().map(|term| self.vocabulary.intern(term)).collect();
        let renumbered = batch
            .counts
            .iter()
            .map(|count| Count { term: numbers[count.term as usize], times: count.times });
        let offset = self.counts.len();
        self.counts.extend(renumbered);
        self.starts.extend(batch.starts[1..].iter().map(|start| start + offset));
        self.lengths.extend(batch.lengths);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bag_counts_each_term_and_the_length_counts_all() {
        let texts = ["beta alpha beta", "gamma beta"];
        let bags = Bags::of(2, |index| texts[index], Tokenizer::Sklearn);
        let named = |text: usize| -> Vec<(&str, u32)> {
            let name = |count: &Count| (bags.vocabulary.term(count.term), count.times);
            bags.bag(text).iter().map(name).collect()
        };
        assert_eq!(named(0), [("beta", 2), ("alpha", 1)]);
        assert_eq!(named(1), [("beta", 1), ("gamma", 1)]);
        assert_eq!(bags.lengths(), [3, 2]);
    }

    #[test]
    fn batches_are_joined_as_if_there_were_only_one() {
        let texts: Vec<String> = (0..200).map(|index| format!("common word{index}")).collect();
        let bags = Bags::of(200, |index| &texts[index], Tokenizer::Sklearn);
        assert_eq!(bags.vocabulary.len(), 201);
        let common = bags.vocabulary.find("common").unwrap();
        assert!((0..200).all(|text| bags.bag(text).iter().any(|count| count.term == common)));
    }
}

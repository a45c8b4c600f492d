//! Words and pairs of neighbouring words, cut to those that occur most often.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::lexical::Vocabulary;
use crate::tokens::Tokenizer;

/// Texts tokenised together by one thread; fixed, so that nothing depends on threads.
const TEXTS_PER_BATCH: usize = 64;

/// A word, or two neighbouring ones: numbers of words, the second one higher by one and
/// zero for none.
pub(super) type Feature = (u32, u32);

/// Texts as sequences of word numbers.
#[derive(Debug, Default)]
pub(super) struct Sequences {
    pub(super) vocabulary: Vocabulary,
    words: Vec<u32>,
    starts: Vec<usize>,
}

impl Sequences {
    /// Tokenises texts `0..count`, in parallel; the result does not depend on threads.
    pub(super) fn of<'a>(count: usize, text: impl Fn(usize) -> &'a str + Sync) -> Self {
        let batches: Vec<usize> = (0..count).step_by(TEXTS_PER_BATCH).collect();
        let batches: Vec<Self> = batches
            .into_par_iter()
            .map(|first| {
                let mut batch = Self { starts: vec![0], ..Self::default() };
                for index in first..(first + TEXTS_PER_BATCH).min(count) {
                    let Self { vocabulary, words, starts } = &mut batch;
                    let sink = &mut |word: &str| words.push(vocabulary.intern(word));
                    Tokenizer::Sklearn.each(text(index), sink);
                    starts.push(words.len());
                }
                batch
            })
            .collect();
        let mut all = Self { starts: vec![0], ..Self::default() };
        for batch in batches {
            all.append(&batch);
        }
        all
    }

    /// How many texts there are.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The words and pairs of a text.
    pub(super) fn features(&self, text: usize) -> impl Iterator<Item = Feature> {
        features(&self.words[self.starts[text]..self.starts[text + 1]])
    }

    /// A feature as text.
    pub(super) fn name(&self, feature: Feature) -> String {
        let (first, second) = feature;
        match second.checked_sub(1) {
            None => self.vocabulary.term(first).to_owned(),
            Some(second) => {
                format!("{} {}", self.vocabulary.term(first), self.vocabulary.term(second))
            }
        }
    }

    /// The features that occur most often in all texts together, at most so many; of
    /// equally frequent ones the alphabetically first. Sorted by name.
    pub(super) fn most_frequent(&self, features_max: usize) -> Vec<Feature> {
        let mut totals: FxHashMap<Feature, u64> = FxHashMap::default();
        for text in 0..self.len() {
            for feature in self.features(text) {
                *totals.entry(feature).or_default() += 1;
            }
        }
        let mut frequencies: Vec<u64> = totals.values().copied().collect();
        frequencies.sort_unstable_by(|left, right| right.cmp(left));
        let least = frequencies.get(features_max.wrapping_sub(1)).copied().unwrap_or(0);
        let candidates = totals.into_iter().filter(|(_, total)| *total >= least);
        let mut named: Vec<(u64, String, Feature)> =
            candidates.map(|(feature, total)| (total, self.name(feature), feature)).collect();
        named.sort_unstable_by(|left, right| right.0.cmp(&left.0).then(left.1.cmp(&right.1)));
        named.truncate(features_max);
        named.sort_unstable_by(|left, right| left.1.cmp(&right.1));
        named.into_iter().map(|(_, _, feature)| feature).collect()
    }

    fn append(&mut self, batch: &Self) {
        let numbers: Vec<u32> =
            batch.vocabulary.terms().map(|term| self.vocabulary.intern(term)).collect();
        let offset = self.words.len();
        self.words.extend(batch.words.iter().map(|word| numbers[*word as usize]));
        self.starts.extend(batch.starts[1..].iter().map(|start| start + offset));
    }
}

/// The words and pairs of a sequence of word numbers.
pub(super) fn features(words: &[u32]) -> impl Iterator<Item = Feature> {
    let single = words.iter().map(|word| (*word, 0));
    single.chain(words.windows(2).map(|pair| (pair[0], pair[1] + 1)))
}

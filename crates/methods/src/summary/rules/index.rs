//! The article, indexed once: how rare each stem is, and where it stands.

use std::collections::HashSet;

use assize_score::float::ln;
use foldhash::fast::FixedState;

use super::reading::Reading;
use super::vocabulary::{Stem, Vocabulary};

/// Where every stem of the article stands.
pub(super) struct Index {
    /// All stems of the article in order.
    pub flat: Vec<Stem>,
    /// The rarity of each stem: `ln(1 + N / df)`, or `ln(1 + 2 N)` where the article lacks it.
    rarity: Vec<f64>,
    in_sentences: Lists,
    at_positions: Lists,
    bigrams: HashSet<u64, FixedState>,
    names: Vec<bool>,
}

/// A list of numbers for every stem, one after the other in one vector.
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// From pairs of a stem and an item, in the order of the items.
    fn of(pairs: impl Iterator<Item = (Stem, u32)> + Clone, stems: usize) -> Self {
        let mut starts = vec![0_u32; stems + 1];
        for (stem, _) in pairs.clone() {
            starts[stem as usize + 1] += 1;
        }
        for stem in 0..stems {
            starts[stem + 1] += starts[stem];
        }
        let mut next = starts.clone();
        let mut items = vec![0; starts[stems] as usize];
        for (stem, item) in pairs {
            items[next[stem as usize] as usize] = item;
            next[stem as usize] += 1;
        }
        Self { starts, items }
    }

    fn get(&self, stem: Stem) -> &[u32] {
        let stem = stem as usize;
        &self.items[self.starts[stem] as usize..self.starts[stem + 1] as usize]
    }
}

impl Index {
    /// Indexes an article; the vocabulary must already know the summary as well.
    pub(super) fn of(article: &Reading, vocabulary: &Vocabulary) -> Self {
        let stems = vocabulary.len();
        let flat: Vec<Stem> = article.words.iter().map(|word| word.stem).collect();
        let mut once = Vec::with_capacity(flat.len());
        let mut bigrams = HashSet::with_capacity_and_hasher(flat.len(), FixedState::default());
        let mut seen_in = vec![u32::MAX; stems];
        for (number, sentence) in (0_u32..).zip(&article.sentences) {
            let words = sentence.words.clone();
            for &stem in &flat[words.clone()] {
                if std::mem::replace(&mut seen_in[stem as usize], number) != number {
                    once.push((stem, number));
                }
            }
            bigrams.extend(flat[words].windows(2).map(|pair| bigram(pair[0], pair[1])));
        }
        let in_sentences = Lists::of(once.iter().copied(), stems);
        let at_positions = Lists::of(flat.iter().copied().zip(0..), stems);
        let rarity = rarities(&in_sentences, article.sentences.len(), stems);
        let names = names(article, vocabulary);
        Self { flat, rarity, in_sentences, at_positions, bigrams, names }
    }

    /// The distinct stems of the article.
    pub(super) fn stems(&self) -> impl Iterator<Item = Stem> + '_ {
        (0..).take(self.rarity.len()).filter(|stem| self.holds(*stem))
    }

    /// Whether the article holds a stem.
    pub(super) fn holds(&self, stem: Stem) -> bool {
        !self.in_sentences.get(stem).is_empty()
    }

    /// How rare a stem is in the article.
    pub(super) fn rarity(&self, stem: Stem) -> f64 {
        self.rarity[stem as usize]
    }

    /// The sentences that hold a stem.
    pub(super) fn sentences_with(&self, stem: Stem) -> &[u32] {
        self.in_sentences.get(stem)
    }

    /// The positions of a stem in `flat`.
    pub(super) fn positions_of(&self, stem: Stem) -> &[u32] {
        self.at_positions.get(stem)
    }

    /// Whether two stems follow each other somewhere within a sentence.
    pub(super) fn holds_bigram(&self, first: Stem, second: Stem) -> bool {
        self.bigrams.contains(&bigram(first, second))
    }

    /// Whether the article writes a stem as a name.
    pub(super) fn is_name(&self, stem: Stem) -> bool {
        self.names[stem as usize]
    }
}

fn bigram(first: Stem, second: Stem) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

fn rarities(in_sentences: &Lists, sentences: usize, stems: usize) -> Vec<f64> {
    let count = sentences as f64;
    let of_frequency = |frequency: usize| match frequency {
        0 => ln(1.0 + 2.0 * count),
        _ => ln(1.0 + count / frequency as f64),
    };
    let common: Vec<f64> = (0..8).map(of_frequency).collect();
    (0..stems)
        .map(|stem| {
            let frequency = (in_sentences.starts[stem + 1] - in_sentences.starts[stem]) as usize;
            common.get(frequency).copied().unwrap_or_else(|| of_frequency(frequency))
        })
        .collect()
}

/// A name is written with a capital within a sentence, or at its beginning before
/// another capital, and hardly ever without.
fn names(article: &Reading, vocabulary: &Vocabulary) -> Vec<bool> {
    let mut capitals = vec![0_u32; vocabulary.len()];
    let mut small = vec![0_u32; vocabulary.len()];
    for sentence in &article.sentences {
        let words = article.words_of(sentence);
        for (place, word) in words.iter().enumerate() {
            if !word.capital {
                small[word.stem as usize] += 1;
            } else if place > 0 || words.get(1).is_some_and(|next| next.capital) {
                capitals[word.stem as usize] += 1;
            }
        }
    }
    let counts = capitals.iter().zip(&small).zip(0..);
    counts
        .map(|((capitals, small), stem)| {
            *capitals > 0 && *small <= 1 && vocabulary.is_content(stem)
        })
        .collect()
}

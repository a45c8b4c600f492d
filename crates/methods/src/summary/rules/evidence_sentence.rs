//! Which sentence of the article speaks of what a claim says.

use super::index::Index;
use super::vocabulary::Stem;

/// The sentence that holds most of a claim, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Best {
    /// Its number in the article.
    pub sentence: usize,
    /// The rarity-weighted share of the claim's stems that it holds.
    pub share: f64,
}

/// Finds the best sentences for one claim after the other without new memory.
pub(super) struct Finder {
    /// What each sentence holds of the claim at hand.
    weights: Vec<f64>,
}

impl Finder {
    /// For an article of so many sentences.
    pub(super) fn new(sentences: usize) -> Self {
        Self { weights: vec![0.0; sentences] }
    }

    /// The sentence that holds most of the distinct stems; the first of equals.
    pub(super) fn best(&mut self, distinct: &[Stem], index: &Index) -> Best {
        self.weigh(distinct, index);
        let total: f64 = distinct.iter().map(|stem| index.rarity(*stem)).sum();
        let (sentence, weight) = self.heaviest();
        Best { sentence, share: if total > 0.0 { weight / total } else { 0.0 } }
    }

    fn weigh(&mut self, distinct: &[Stem], index: &Index) {
        self.weights.fill(0.0);
        for &stem in distinct {
            let rarity = index.rarity(stem);
            for &sentence in index.sentences_with(stem) {
                self.weights[sentence as usize] += rarity;
            }
        }
    }

    fn heaviest(&self) -> (usize, f64) {
        let mut best = (0, 0.0);
        for (sentence, &weight) in self.weights.iter().enumerate() {
            if weight > best.1 {
                best = (sentence, weight);
            }
        }
        best
    }
}

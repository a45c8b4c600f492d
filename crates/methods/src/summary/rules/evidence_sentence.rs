//! Which sentence of the article speaks of what a claim says.

use super::index::Index;
use super::vocabulary::Stem;
use super::windows::WINDOWS;

/// The sentence that holds most of a claim, and how much of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Best {
    /// Its number in the article.
    pub sentence: usize,
    /// The rarity-weighted share of the claim's stems that it holds.
    pub share: f64,
    /// The same for the best two sentences in a row.
    pub share_of_two: f64,
}

/// Finds the best sentences for one claim after the other without new memory.
pub(super) struct Finder {
    /// What each sentence holds of the claim at hand.
    weights: Vec<f64>,
    /// What each sentence holds together with the one before it.
    weights_of_two: Vec<f64>,
}

impl Finder {
    /// For an article of so many sentences.
    pub(super) fn new(sentences: usize) -> Self {
        Self { weights: vec![0.0; sentences], weights_of_two: vec![0.0; sentences + 1] }
    }

    /// The sentence that holds most of the distinct stems; the first of equals.
    pub(super) fn best(&mut self, distinct: &[Stem], index: &Index) -> Best {
        self.weigh(distinct, index);
        let total: f64 = distinct.iter().map(|stem| index.rarity(*stem)).sum();
        let (sentence, weight) = self.heaviest();
        let of_two = self.weights_of_two.iter().copied().fold(0.0, f64::max);
        let share = |weight: f64| if total > 0.0 { weight / total } else { 0.0 };
        Best { sentence, share: share(weight), share_of_two: share(of_two) }
    }

    /// The sentences of the best windows of two for the stems that were weighed last: the
    /// first of equals, in order, each once.
    pub(super) fn windows(&self) -> Vec<usize> {
        let mut best: [(f64, usize); WINDOWS] = [(0.0, 0); WINDOWS];
        for (window, &weight) in self.weights_of_two.iter().enumerate() {
            if let Some(place) = best.iter().position(|(other, _)| weight > *other) {
                best[place..].rotate_right(1);
                best[place] = (weight, window);
            }
        }
        let held = best.iter().filter(|(weight, _)| *weight > 0.0);
        let mut sentences: Vec<usize> = held
            .flat_map(|(_, window)| [window.checked_sub(1), Some(*window)])
            .flatten()
            .filter(|sentence| *sentence < self.weights.len())
            .collect();
        sentences.sort_unstable();
        sentences.dedup();
        sentences
    }

    /// What each sentence holds of the stems that were weighed last.
    pub(super) fn held(&self) -> impl Iterator<Item = f64> + '_ {
        self.weights.iter().copied()
    }

    fn weigh(&mut self, distinct: &[Stem], index: &Index) {
        self.weights.fill(0.0);
        self.weights_of_two.fill(0.0);
        for &stem in distinct {
            let rarity = index.rarity(stem);
            let mut uncounted = 0;
            for &sentence in index.sentences_with(stem) {
                let sentence = sentence as usize;
                self.weights[sentence] += rarity;
                for weight in &mut self.weights_of_two[sentence.max(uncounted)..=sentence + 1] {
                    *weight += rarity;
                }
                uncounted = sentence + 2;
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

//! How much of what matters in the article the summary says, without bands.

use super::index::Index;
use super::reading::Reading;
use super::vocabulary::{Stem, Vocabulary};

/// A sentence of which the summary holds no more than this share counts as not said.
const SAID_NOTHING: f64 = 0.1;
/// A sentence of which the summary holds this share counts as fully said.
const SAID_ALL: f64 = 0.9;

/// What a summary holds: which stems, and how often it repeats itself.
pub(super) struct Holdings {
    holds: Vec<bool>,
    repeated_words: f64,
    repeated_bigrams: f64,
}

impl Holdings {
    /// Looks through a summary once.
    pub(super) fn of(summary: &Reading, vocabulary: &Vocabulary) -> Self {
        let mut holds = vec![false; vocabulary.len()];
        let mut content = 0;
        let mut again = 0;
        for word in &summary.words {
            let known = std::mem::replace(&mut holds[word.stem as usize], true);
            if vocabulary.is_content(word.stem) {
                content += 1;
                again += usize::from(known);
            }
        }
        let mut bigrams: Vec<(Stem, Stem)> =
            summary.words.windows(2).map(|pair| (pair[0].stem, pair[1].stem)).collect();
        let all = bigrams.len();
        bigrams.sort_unstable();
        bigrams.dedup();
        Self {
            holds,
            repeated_words: share(again, content),
            repeated_bigrams: share(all - bigrams.len(), all),
        }
    }

    /// Whether the summary holds a stem.
    pub(super) fn holds(&self, stem: Stem) -> bool {
        self.holds[stem as usize]
    }
}

/// What a sentence says, and what of it the summary says: the summed rarity of its
/// distinct content stems, and of those that are held.
///
/// `None` for a sentence without content.
pub(super) fn content_said(
    stems: impl Iterator<Item = Stem>,
    holdings: &Holdings,
    index: &Index,
    vocabulary: &Vocabulary,
) -> Option<(f64, f64)> {
    let mut content: Vec<Stem> = stems.filter(|stem| vocabulary.is_content(*stem)).collect();
    content.sort_unstable();
    content.dedup();
    let weigh = |stem: &Stem| index.rarity(*stem);
    let all: f64 = content.iter().map(weigh).sum();
    let said: f64 = content.iter().filter(|stem| holdings.holds(**stem)).map(weigh).sum();
    (all > 0.0).then_some((all, said))
}

/// The share of the article's weight that the summary says.
pub(super) fn recall(shares: &[Option<f64>], weights: &[f64]) -> f64 {
    let mut said = 0.0;
    let mut all = 0.0;
    for (share, weight) in shares.iter().zip(weights) {
        let Some(share) = share else { continue };
        let ramp = ((share - SAID_NOTHING) / (SAID_ALL - SAID_NOTHING)).clamp(0.0, 1.0);
        said += weight * ramp;
        all += weight;
    }
    if all == 0.0 { 0.0 } else { said / all }
}

/// What is left of that for a summary that repeats itself.
pub(super) fn soft_recall(recall: f64, holdings: &Holdings) -> f64 {
    let fresh = 1.0 - holdings.repeated_bigrams;
    recall * fresh * fresh * (1.0 - holdings.repeated_words).sqrt()
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

//! Whether a number of the summary stands in the article, in whatever writing.

use super::reading::Reading;
use super::vocabulary::{Vocabulary, Word};

/// Words that multiply the number before them.
const SCALES: [(&str, f64); 12] = [
    ("100", 1e2),
    ("b", 1e9),
    ("billion", 1e9),
    ("bn", 1e9),
    ("k", 1e3),
    ("m", 1e6),
    ("million", 1e6),
    ("mln", 1e6),
    ("mn", 1e6),
    ("thousand", 1e3),
    ("tn", 1e12),
    ("trillion", 1e12),
];

/// Words that say a number is not meant exactly, in the form in which stems are kept.
const ABOUT: [&str; 12] = [
    "about", "almost", "approxim", "around", "estim", "less", "more", "near", "over", "rough",
    "some", "under",
];

/// How far a number may lie from the article's when the summary says it is not exact.
const ABOUT_SHARE: f64 = 0.1;

/// The numbers of an article, with the words that multiply them.
pub(super) struct Numbers {
    /// Sorted.
    values: Vec<f64>,
}

impl Numbers {
    /// All numbers of an article.
    pub(super) fn of(article: &Reading, vocabulary: &Vocabulary) -> Self {
        let mut values = Vec::new();
        for at in 0..article.words.len() {
            if let Some((value, _)) = value(&article.words, at, vocabulary) {
                values.push(value);
            }
        }
        values.sort_by(f64::total_cmp);
        Self { values }
    }

    /// Whether the number at a position of a claim is one of the article's: the same
    /// value, the article's value rounded, or near it where the claim says `about`.
    pub(super) fn know(&self, claim: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
        let Some((value, unit)) = value(claim, at, vocabulary) else { return false };
        let is_loose = claim[at.saturating_sub(3)..at]
            .iter()
            .any(|word| ABOUT.binary_search(&vocabulary.text(word.stem)).is_ok());
        let slack = if is_loose { value * ABOUT_SHARE } else { 0.0 };
        let rounded = if unit > 1.0 { unit / 2.0 } else { 0.0 };
        let reach = slack.max(rounded) + value * 1e-9;
        let first = self.values.partition_point(|known| *known < value - reach);
        self.values.get(first).is_some_and(|known| *known <= value + reach)
    }
}

/// The value of a number word, and the worth of its last digit.
fn value(words: &[Word], at: usize, vocabulary: &Vocabulary) -> Option<(f64, f64)> {
    let word = words[at];
    if !vocabulary.kind(word.stem).is_number {
        return None;
    }
    let text = vocabulary.text(word.stem);
    let plain: f64 = text.parse().ok()?;
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(15));
    let last_digit = (0..decimals).fold(1.0, |digit, _| digit / 10.0);
    let scale = words.get(at + 1).and_then(|next| scale(vocabulary.text(next.stem)));
    let scale = scale.unwrap_or(1.0);
    Some((plain * scale, last_digit * scale))
}

fn scale(text: &str) -> Option<f64> {
    let found = SCALES.binary_search_by_key(&text, |(word, _)| word).ok()?;
    Some(SCALES[found].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(article: &str, claim: &str) -> bool {
        let mut vocabulary = Vocabulary::new(true);
        let article = Reading::of(article, &mut vocabulary);
        let claim = Reading::of(claim, &mut vocabulary);
        let numbers = Numbers::of(&article, &vocabulary);
        let is_number = |at: &usize| vocabulary.kind(claim.words[*at].stem).is_number;
        (0..claim.words.len())
            .filter(is_number)
            .all(|at| numbers.know(&claim.words, at, &vocabulary))
    }

    #[test]
    fn the_same_value_in_another_writing_is_known() {
        assert!(knows("It cost 1,300,000 dollars.", "It cost $1.3m."));
        assert!(knows("It cost 1.3 million.", "It cost 1.3 million."));
        assert!(knows("Seven died.", "7 died."));
    }

    #[test]
    fn rounding_is_known_and_another_number_is_not() {
        assert!(knows("It cost 1,274,000 dollars.", "It cost 1.3 million."));
        assert!(!knows("It cost 1,420,000 dollars.", "It cost 1.3 million."));
        assert!(!knows("It was 1998.", "It was 1999."));
    }

    #[test]
    fn near_is_enough_only_for_a_number_that_says_so() {
        assert!(knows("They found 213 graves.", "They found more than 200 graves."));
        assert!(!knows("They found 213 graves.", "They found 200 graves."));
    }

    #[test]
    fn tables_are_sorted() {
        assert!(ABOUT.is_sorted());
        assert!(SCALES.is_sorted_by_key(|(word, _)| *word));
    }
}

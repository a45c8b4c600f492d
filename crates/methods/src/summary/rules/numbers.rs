//! Whether a number of the summary stands in the article, in whatever writing.

use std::sync::LazyLock;

use assize_text::word_list::word_values;

use super::reading::Reading;
use super::vocabulary::{Vocabulary, Word};

/// Words that multiply the number before them.
static SCALES: LazyLock<Vec<(&str, f64)>> =
    LazyLock::new(|| word_values(include_str!("../../../data/scales.txt")));

/// Words that say a number is not meant exactly, in the form in which stems are kept.
const ABOUT: [&str; 12] = [
    "about", "almost", "approxim", "around", "estim", "less", "more", "near", "over", "rough",
    "some", "under",
];

/// Words that stand for a number, in the form in which stems are kept: what the article
/// calls the third or a couple, a summary may write with a digit.
static WORTH: LazyLock<Vec<(&str, f64)>> =
    LazyLock::new(|| word_values(include_str!("../../../data/number_stems.txt")));

/// How far a number may lie from the article's when the summary says it is not exact.
const ABOUT_SHARE: f64 = 0.1;

/// Years, as opposed to other numbers of four digits.
const YEARS: std::ops::RangeInclusive<f64> = 1800.0..=2100.0;

/// So many years and spans of years are combined at most.
const DATES_MAX: usize = 8;

/// The numbers of an article, with the words that multiply them.
pub(super) struct Numbers {
    /// Sorted.
    values: Vec<f64>,
}

impl Numbers {
    /// All numbers of an article, those its words stand for, and the years that its
    /// years and spans of years give: 2015 and `five years ago` give 2010.
    pub(super) fn of(article: &Reading, vocabulary: &Vocabulary) -> Self {
        let mut values = Vec::new();
        let (mut years, mut spans) = (Vec::new(), Vec::new());
        for (at, word) in article.words.iter().enumerate() {
            let text = vocabulary.text(word.stem);
            if let Ok(found) = WORTH.binary_search_by_key(&text, |(word, _)| word) {
                values.push(WORTH[found].1);
            }
            let Some(Value { value, .. }) = value(&article.words, at, vocabulary) else { continue };
            values.push(value);
            let next = article.words.get(at + 1).map(|next| vocabulary.text(next.stem));
            if YEARS.contains(&value) {
                years.push(value);
            } else if next == Some("year") && value < 100.0 {
                spans.push(value);
            }
        }
        for year in years.iter().take(DATES_MAX) {
            values.extend(spans.iter().take(DATES_MAX).flat_map(|span| [year - span, year + span]));
        }
        values.sort_by(f64::total_cmp);
        Self { values }
    }

    /// Whether the article has a number of exactly this value.
    pub(super) fn have(&self, value: f64) -> bool {
        self.values.binary_search_by(|known| known.total_cmp(&value)).is_ok()
    }

    /// Whether the number at a position of a claim is one of the article's: the same
    /// value, the article's value rounded, or near it where the claim says `about`.
    pub(super) fn know(&self, claim: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
        if is_unit_of_tens(claim, at, vocabulary) || is_scale(claim, at, vocabulary) {
            return true;
        }
        let Some(Value { value, last_digit, .. }) = value(claim, at, vocabulary) else {
            return false;
        };
        let is_loose = claim[at.saturating_sub(3)..at]
            .iter()
            .any(|word| ABOUT.binary_search(&vocabulary.text(word.stem)).is_ok());
        let slack = if is_loose { value * ABOUT_SHARE } else { 0.0 };
        let rounded = if last_digit > 1.0 { last_digit / 2.0 } else { 0.0 };
        let reach = slack.max(rounded) + value * 1e-9;
        let first = self.values.partition_point(|known| *known < value - reach);
        self.values.get(first).is_some_and(|known| *known <= value + reach)
    }
}

/// Whether a number is multiplied by the word after it, so that its digits alone say little.
pub(super) fn is_scaled(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    words.get(at + 1).is_some_and(|next| scale(vocabulary.text(next.stem)).is_some())
}

/// A number of a text.
struct Value {
    value: f64,
    /// The worth of its last digit.
    last_digit: f64,
}

/// The value of a number word: `3.2 million`, `twenty - five`.
fn value(words: &[Word], at: usize, vocabulary: &Vocabulary) -> Option<Value> {
    let word = words[at];
    if !vocabulary.kind(word.stem).is_number {
        return None;
    }
    let text = vocabulary.text(word.stem);
    let plain: f64 = text.parse().ok()?;
    let decimals = text.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(15));
    let last_digit = (0..decimals).fold(1.0, |digit, _| digit / 10.0);
    let units = tens_and_units(words, at, vocabulary).unwrap_or(0.0);
    let after = at + 1 + usize::from(units > 0.0);
    let scale = words.get(after).and_then(|next| scale(vocabulary.text(next.stem)));
    let scale = scale.unwrap_or(1.0);
    Some(Value { value: (plain + units) * scale, last_digit: last_digit * scale })
}

/// The units after tens: 5 at `twenty` of `twenty five`.
fn tens_and_units(words: &[Word], at: usize, vocabulary: &Vocabulary) -> Option<f64> {
    let number = |at: usize| -> Option<f64> {
        let word = words.get(at)?;
        let is_number = vocabulary.kind(word.stem).is_number && word.is_spelled;
        is_number.then(|| vocabulary.text(word.stem).parse().ok()).flatten()
    };
    let tens = number(at).filter(|tens| (20.0..100.0).contains(tens) && tens % 10.0 == 0.0);
    let units = number(at + 1).filter(|units| (1.0..10.0).contains(units));
    tens.and(units)
}

/// Whether a number was already counted with the tens before it.
fn is_unit_of_tens(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    at > 0 && tens_and_units(words, at - 1, vocabulary).is_some()
}

/// Whether a number only multiplies the one before it: `two hundred`.
fn is_scale(words: &[Word], at: usize, vocabulary: &Vocabulary) -> bool {
    at > 0
        && vocabulary.kind(words[at - 1].stem).is_number
        && scale(vocabulary.text(words[at].stem)).is_some()
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
        assert!(knows("He is 25.", "He is twenty - five."));
        assert!(knows("Twenty-five men came.", "25 men came."));
        assert!(knows("It weighs 3,5 tons.", "It weighs 3.5 tons."));
        assert!(knows("The third quarter was good.", "Q3 was good."));
        assert!(knows("Two hundred came.", "200 came."));
    }

    #[test]
    fn rounding_is_known_and_another_number_is_not() {
        assert!(knows("It cost 1,274,000 dollars.", "It cost 1.3 million."));
        assert!(!knows("It cost 1,420,000 dollars.", "It cost 1.3 million."));
        assert!(!knows("It was 1998.", "It was 1999."));
        assert!(!knows("It cost 5 billion.", "It cost 5 million."));
    }

    #[test]
    fn years_are_counted_on_and_back() {
        assert!(knows("In 2015 he said he came five years ago.", "He came in 2010."));
        assert!(!knows("In 2015 he said he came five years ago.", "He came in 2011."));
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
        assert!(WORTH.is_sorted_by_key(|(word, _)| *word));
    }
}

//! How a text feels: a small lexicon, and denials turn a feeling around.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use rust_stemmers::{Algorithm, Stemmer};

use super::vocabulary::{Vocabulary, Word};

/// The lexicon as it is written down: a word and its value on each line.
const WRITTEN: &str = include_str!("../../../data/sentiment.txt");
/// How many words a denial reaches over.
const DENIAL_REACH: usize = 3;
/// What is left of a feeling that is denied.
const DENIED: f64 = -0.75;
/// How much feeling it takes to come near 1.
const SOFTENING: f64 = 15.0;

/// The value of each stem.
static VALUES: LazyLock<HashMap<String, f64, FixedState>> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut values = HashMap::with_hasher(FixedState::default());
    for line in WRITTEN.lines().filter(|line| !line.starts_with('#')) {
        let Some((word, value)) = line.split_once(' ') else { continue };
        let stem = if word.len() > 3 { stemmer.stem(word).into_owned() } else { word.to_owned() };
        let value: f64 = value.parse().unwrap_or(0.0);
        values.entry(stem).or_insert(value);
    }
    values
});

/// What was felt while reading.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Feeling {
    sum: f64,
}

impl Feeling {
    pub(super) fn read(&mut self, words: &[Word], vocabulary: &Vocabulary) {
        for (at, word) in words.iter().enumerate() {
            let Some(value) = VALUES.get(vocabulary.text(word.stem)) else { continue };
            let before = &words[at.saturating_sub(DENIAL_REACH)..at];
            let is_denied = before.iter().any(|word| vocabulary.kind(word.stem).is_negation);
            self.sum += if is_denied { value * DENIED } else { *value };
        }
    }

    /// From -1, very bad, to 1, very good.
    pub(super) fn value(self) -> f64 {
        self.sum / (self.sum * self.sum + SOFTENING).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::summary::rules::reading::Reading;

    fn value(text: &str) -> f64 {
        let mut vocabulary = Vocabulary::new(true);
        let reading = Reading::of(text, &mut vocabulary);
        let mut feeling = Feeling::default();
        feeling.read(&reading.words, &vocabulary);
        feeling.value()
    }

    #[test]
    fn praise_is_good_and_murder_is_bad_and_a_timetable_is_neither() {
        assert!(value("Fans celebrated a wonderful victory.") > 0.7);
        assert!(value("Two people were murdered in a brutal attack.") < -0.7);
        assert_eq!(value("The train leaves at noon."), 0.0);
    }

    #[test]
    fn a_denial_turns_a_feeling_around() {
        assert!(value("It was not a success.") < 0.0);
    }
}

//! Words of one kind, of which only one can be true in one place: Monday and Tuesday.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use rust_stemmers::{Algorithm, Stemmer};

use super::vocabulary::{SHORT_LETTERS, Stem, Vocabulary};

/// The table as it is written down.
const WRITTEN: &str = include_str!("../../../data/kinds.txt");

/// The line on which a word stands, and its place there.
type Place = (usize, usize);

/// The places of each stem.
static PLACES: LazyLock<HashMap<String, Vec<Place>, FixedState>> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut places: HashMap<String, Vec<Place>, FixedState> = HashMap::default();
    let lines = WRITTEN.lines().filter(|line| !line.starts_with('#'));
    for (number, line) in lines.enumerate() {
        for (place, words) in line.split_whitespace().enumerate() {
            for word in words.split('=') {
                let stem = if word.len() > SHORT_LETTERS {
                    stemmer.stem(word).into_owned()
                } else {
                    word.to_owned()
                };
                places.entry(stem).or_default().push((number, place));
            }
        }
    }
    places
});

/// Of which kind the stems of one vocabulary are.
pub(super) struct Kinds {
    of_stem: Vec<&'static [Place]>,
}

impl Kinds {
    /// Looks every stem up once; nothing is known of words of other languages.
    pub(super) fn of(vocabulary: &Vocabulary) -> Self {
        let look_up = |stem: Stem| -> &'static [Place] {
            if !vocabulary.is_english() {
                return &[];
            }
            PLACES.get(vocabulary.text(stem)).map_or(&[], Vec::as_slice)
        };
        Self { of_stem: (0..).take(vocabulary.len()).map(look_up).collect() }
    }

    /// Whether a stem is of some kind.
    pub(super) fn knows(&self, stem: Stem) -> bool {
        !self.places(stem).is_empty()
    }

    /// Whether two stems stand for the same.
    pub(super) fn are_same(&self, left: Stem, right: Stem) -> bool {
        left == right || self.places(left).iter().any(|place| self.places(right).contains(place))
    }

    /// Whether two stems are of one kind, and not the same.
    pub(super) fn are_rivals(&self, left: Stem, right: Stem) -> bool {
        let line = |place: &Place| self.places(right).iter().any(|other| other.0 == place.0);
        !self.are_same(left, right) && self.places(left).iter().any(line)
    }

    fn places(&self, stem: Stem) -> &'static [Place] {
        self.of_stem[stem as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_kind_are_rivals_and_words_for_the_same_are_not() {
        let mut vocabulary = Vocabulary::new(true);
        let words = ["Monday", "Friday", "yearly", "annual", "quarters", "bridge"];
        let [monday, friday, yearly, annual, quarters, bridge] =
            words.map(|word| vocabulary.stem_of(&word.to_lowercase()));
        let kinds = Kinds::of(&vocabulary);
        assert!(kinds.are_rivals(monday, friday) && kinds.are_rivals(quarters, annual));
        assert!(kinds.are_same(yearly, annual) && !kinds.are_rivals(yearly, annual));
        assert!(!kinds.are_rivals(monday, yearly) && !kinds.are_rivals(bridge, monday));
        assert!(!kinds.knows(bridge) && !kinds.are_rivals(bridge, bridge));
    }

    #[test]
    fn every_line_has_two_words_at_least() {
        for line in WRITTEN.lines().filter(|line| !line.starts_with('#')) {
            assert!(line.split_whitespace().count() >= 2, "{line}");
        }
    }
}

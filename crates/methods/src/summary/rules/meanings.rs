//! Words that mean about the same, and words that say the opposite.
//!
//! The table holds lines of one or two sides. Two stems mean about the same if they
//! stand on one side of a line, and are opposites if they stand on its two sides.

use std::collections::HashMap;
use std::sync::LazyLock;

use foldhash::fast::FixedState;
use rust_stemmers::{Algorithm, Stemmer};

use super::vocabulary::{SHORT_LETTERS, Stem, Vocabulary};

/// The table as it is written down.
const WRITTEN: &str = include_str!("../../../data/meanings.txt");

/// The number of a side: line `n` has the sides `2n` and `2n + 1`, the second perhaps empty.
type Side = u16;

/// The sides on which each stem stands, sorted.
static SIDES: LazyLock<HashMap<String, Vec<Side>, FixedState>> = LazyLock::new(|| {
    let stemmer = Stemmer::create(Algorithm::English);
    let mut sides: HashMap<String, Vec<Side>, FixedState> = HashMap::default();
    let lines = WRITTEN.lines().filter(|line| !line.starts_with('#'));
    for (line, number) in lines.zip((0..).step_by(2)) {
        for (side, written) in (number..).zip(line.split('|').take(2)) {
            for word in written.split_whitespace() {
                let stem = if word.len() > SHORT_LETTERS {
                    stemmer.stem(word).into_owned()
                } else {
                    word.to_owned()
                };
                let known = sides.entry(stem).or_default();
                if !known.contains(&side) {
                    known.push(side);
                }
            }
        }
    }
    sides
});

/// What the stems of one vocabulary mean.
pub(super) struct Meanings {
    of_stem: Vec<&'static [Side]>,
}

impl Meanings {
    /// Looks every stem up once; nothing is known of words of other languages.
    pub(super) fn of(vocabulary: &Vocabulary) -> Self {
        let look_up = |stem: Stem| -> &'static [Side] {
            let kind = vocabulary.kind(stem);
            if !vocabulary.is_english() || kind.is_number {
                return &[];
            }
            SIDES.get(vocabulary.text(stem)).map_or(&[], Vec::as_slice)
        };
        Self { of_stem: (0..).take(vocabulary.len()).map(look_up).collect() }
    }

    /// Whether something is known about a stem.
    pub(super) fn knows(&self, stem: Stem) -> bool {
        !self.sides(stem).is_empty()
    }

    /// Whether two stems mean about the same.
    pub(super) fn are_alike(&self, left: Stem, right: Stem) -> bool {
        left == right || share(self.sides(left), self.sides(right), |side| side)
    }

    /// Whether two stems say the opposite, on one line at least, and are alike on none.
    pub(super) fn are_opposites(&self, left: Stem, right: Stem) -> bool {
        share(self.sides(left), self.sides(right), |side| side ^ 1) && !self.are_alike(left, right)
    }

    /// All that a stretch of stems means.
    pub(super) fn held_by(&self, stems: impl Iterator<Item = Stem>) -> Meaning {
        let mut sides: Vec<Side> = stems.flat_map(|stem| self.sides(stem)).copied().collect();
        sides.sort_unstable();
        sides.dedup();
        Meaning { sides }
    }

    fn sides(&self, stem: Stem) -> &'static [Side] {
        self.of_stem[stem as usize]
    }
}

/// Whether something is known about a stem of the English table.
pub(super) fn is_in_table(stem: &str) -> bool {
    SIDES.contains_key(stem)
}

/// What some stretch of text means.
pub(super) struct Meaning {
    sides: Vec<Side>,
}

impl Meaning {
    /// Whether the stretch has a word that means about the same.
    pub(super) fn has_like(&self, stem: Stem, meanings: &Meanings) -> bool {
        meanings.sides(stem).iter().any(|side| self.sides.binary_search(side).is_ok())
    }

    /// Whether the stretch has a word that says the opposite.
    pub(super) fn has_opposite(&self, stem: Stem, meanings: &Meanings) -> bool {
        meanings.sides(stem).iter().any(|side| self.sides.binary_search(&(side ^ 1)).is_ok())
    }
}

fn share(left: &[Side], right: &[Side], turned: impl Fn(Side) -> Side) -> bool {
    left.iter().any(|side| right.contains(&turned(*side)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(words: [&str; 4]) -> (Meanings, [Stem; 4]) {
        let mut vocabulary = Vocabulary::new(true);
        let stems = words.map(|word| vocabulary.stem_of(word));
        (Meanings::of(&vocabulary), stems)
    }

    #[test]
    fn likes_and_opposites_are_found_from_either_side_and_in_other_forms() {
        let (meanings, [rose, grew, fell, table]) = stems(["rose", "grew", "fell", "table"]);
        assert!(meanings.are_alike(rose, grew) && meanings.are_alike(grew, rose));
        assert!(meanings.are_opposites(rose, fell) && meanings.are_opposites(fell, grew));
        assert!(!meanings.are_opposites(rose, grew) && !meanings.are_alike(rose, fell));
        assert!(!meanings.are_alike(table, rose) && meanings.are_alike(table, table));
    }

    #[test]
    fn every_line_has_two_sides_or_two_words() {
        for line in WRITTEN.lines().filter(|line| !line.starts_with('#')) {
            let sides: Vec<&str> = line.split('|').collect();
            let words = line.split_whitespace().filter(|word| *word != "|").count();
            assert!(sides.len() <= 2 && words >= 2, "{line}");
            assert!(sides.iter().all(|side| !side.trim().is_empty()), "{line}");
        }
    }
}

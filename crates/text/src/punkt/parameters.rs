//! The trained tables of the English Punkt model, read once from `data/punkt_english`.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

/// Seen in the middle of a sentence with a capital.
pub(super) const MIDDLE_UPPER: u16 = 1 << 2;
/// Seen with a capital anywhere.
pub(super) const ANY_UPPER: u16 = 1 << 1 | MIDDLE_UPPER | 1 << 3;
/// Seen at the beginning of a sentence with a small letter.
pub(super) const BEGIN_LOWER: u16 = 1 << 4;
/// Seen with a small letter anywhere.
pub(super) const ANY_LOWER: u16 = BEGIN_LOWER | 1 << 5 | 1 << 6;
/// A word that often begins sentences.
pub(super) const STARTER: u16 = 1 << 8;
/// An abbreviation, written without its last full stop.
pub(super) const ABBREVIATION: u16 = 1 << 9;
/// The first word of a collocation.
pub(super) const COLLOCATES: u16 = 1 << 10;

/// In which cases each word was seen where.
const ORTHOGRAPHY: &str = include_str!("../../data/punkt_english/ortho_context.tab");

static PARAMETERS: LazyLock<Parameters> = LazyLock::new(Parameters::read);

type Table = HashMap<&'static str, u16, BuildHasherDefault<Mixer>>;

struct Parameters {
    /// What is known of words before a full stop: few, and asked at each.
    before: Table,
    /// What is known of words after one: many, and seldom asked.
    after: Table,
    collocations: Vec<(&'static str, &'static str)>,
}

/// Whether a type, without its full stop, is an [`ABBREVIATION`] and [`COLLOCATES`].
pub(super) fn known_before(word_type: &str) -> u16 {
    PARAMETERS.before.get(word_type).copied().unwrap_or(0)
}

/// In which cases a type was seen where, and whether it is a [`STARTER`].
pub(super) fn known_after(word_type: &str) -> u16 {
    PARAMETERS.after.get(word_type).copied().unwrap_or(0)
}

/// The words that were seen with a small letter somewhere, in the order of the table.
pub(super) fn seen_small() -> impl Iterator<Item = &'static str> {
    ORTHOGRAPHY.lines().map(pair).filter_map(|(word, flags)| {
        let is_small = flags.parse::<u16>().is_ok_and(|flags| flags & ANY_LOWER != 0);
        is_small.then_some(word)
    })
}

/// Whether the two types are known to follow each other within a sentence.
pub(super) fn are_collocated(first: &str, second: &str) -> bool {
    known_before(first) & COLLOCATES != 0
        && PARAMETERS.collocations.binary_search(&(first, second)).is_ok()
}

impl Parameters {
    fn read() -> Self {
        let mut before = Table::default();
        for word in include_str!("../../data/punkt_english/abbrev_types.txt").lines() {
            *before.entry(word).or_default() |= ABBREVIATION;
        }
        let mut collocations: Vec<_> =
            include_str!("../../data/punkt_english/collocations.tab").lines().map(pair).collect();
        collocations.sort_unstable();
        for (first, _) in &collocations {
            *before.entry(first).or_default() |= COLLOCATES;
        }
        let mut after = Table::default();
        for line in ORTHOGRAPHY.lines() {
            let (word, flags) = pair(line);
            *after.entry(word).or_default() |= flags.parse::<u16>().expect("flags are a number");
        }
        for word in include_str!("../../data/punkt_english/sent_starters.txt").lines() {
            *after.entry(word).or_default() |= STARTER;
        }
        Self { before, after, collocations }
    }
}

fn pair(line: &'static str) -> (&'static str, &'static str) {
    line.split_once('\t').expect("the table has two columns")
}

/// A small hash for short words; the table is fixed, so nobody can flood it.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(word))
                .wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_complete() {
        let parameters = Parameters::read();
        let count =
            |table: &Table, flag| table.values().filter(|known| **known & flag != 0).count();
        assert_eq!(count(&parameters.before, ABBREVIATION), 156);
        assert_eq!(count(&parameters.after, STARTER), 39);
        assert_eq!(count(&parameters.after, ANY_UPPER | ANY_LOWER), 20_366);
        assert_eq!(parameters.collocations.len(), 37);
    }

    #[test]
    fn words_are_known_as_they_were_trained() {
        assert_eq!(known_before("dr"), ABBREVIATION);
        assert_eq!(known_before(". . "), ABBREVIATION);
        assert_eq!(known_after("the") & STARTER, STARTER);
        assert_eq!(known_after("coverage"), 36);
        assert!(are_collocated("##number##", "international"));
        assert!(!are_collocated("b", "international"));
    }
}

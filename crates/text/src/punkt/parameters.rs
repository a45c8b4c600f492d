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
/// An abbreviation, written without its last full stop.
pub(super) const ABBREVIATION: u16 = 1 << 8;
/// A word that often begins sentences.
pub(super) const STARTER: u16 = 1 << 9;
/// The first word of a collocation.
const COLLOCATES: u16 = 1 << 10;

static PARAMETERS: LazyLock<Parameters> = LazyLock::new(Parameters::read);

struct Parameters {
    types: HashMap<&'static str, u16, BuildHasherDefault<Mixer>>,
    collocations: Vec<(&'static str, &'static str)>,
}

/// What is known of a word type.
pub(super) fn knowledge(word_type: &str) -> u16 {
    PARAMETERS.types.get(word_type).copied().unwrap_or(0)
}

/// Whether the two types are known to follow each other within a sentence.
pub(super) fn are_collocated(first: &str, second: &str) -> bool {
    knowledge(first) & COLLOCATES != 0
        && PARAMETERS.collocations.binary_search(&(first, second)).is_ok()
}

impl Parameters {
    fn read() -> Self {
        let mut types = HashMap::with_capacity_and_hasher(1 << 15, BuildHasherDefault::default());
        for line in include_str!("../../data/punkt_english/ortho_context.tab").lines() {
            let (word, flags) = pair(line);
            *types.entry(word).or_default() |= flags.parse::<u16>().expect("flags are a number");
        }
        for word in include_str!("../../data/punkt_english/abbrev_types.txt").lines() {
            *types.entry(word).or_default() |= ABBREVIATION;
        }
        for word in include_str!("../../data/punkt_english/sent_starters.txt").lines() {
            *types.entry(word).or_default() |= STARTER;
        }
        let mut collocations: Vec<_> =
            include_str!("../../data/punkt_english/collocations.tab").lines().map(pair).collect();
        collocations.sort_unstable();
        for (first, _) in &collocations {
            *types.entry(first).or_default() |= COLLOCATES;
        }
        Self { types, collocations }
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
        let count = |flag| parameters.types.values().filter(|known| **known & flag != 0).count();
        assert_eq!(count(ABBREVIATION), 156);
        assert_eq!(count(STARTER), 39);
        assert_eq!(count(ANY_UPPER | ANY_LOWER), 20_366);
        assert_eq!(parameters.collocations.len(), 37);
    }

    #[test]
    fn words_are_known_as_they_were_trained() {
        assert_eq!(knowledge("dr") & ABBREVIATION, ABBREVIATION);
        assert_eq!(knowledge(". . ") & ABBREVIATION, ABBREVIATION);
        assert_eq!(knowledge("the") & STARTER, STARTER);
        assert_eq!(knowledge("coverage") & 0xff, 36);
        assert!(are_collocated("##number##", "international"));
        assert!(!are_collocated("b", "international"));
    }
}

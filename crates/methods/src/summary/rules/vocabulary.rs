//! Words by number: each stem once, with what is known about it.

use std::collections::HashMap;
use std::ops::Range;

use foldhash::fast::FixedState;
use rust_stemmers::{Algorithm, Stemmer};

use super::word_lists;
use crate::summary::lexical::{WordSink, scan};

/// The number of a stem in its vocabulary.
pub(super) type Stem = u32;

/// One word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    /// Its normal form.
    pub stem: Stem,
    /// Byte offset of its first character.
    pub start: u32,
    /// Byte offset after its last character.
    pub end: u32,
    /// Whether it begins with a capital.
    pub capital: bool,
    /// Whether it is written in letters: `seven`, not `7`.
    pub is_spelled: bool,
}

impl Word {
    /// The bytes it stands on.
    pub(super) fn bytes(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// What a stem is, beside its letters.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Kind {
    /// A word that holds sentences together and says little.
    pub is_stop: bool,
    /// A number in digits, written out or not.
    pub is_number: bool,
    /// A word that denies.
    pub is_negation: bool,
}

/// The words of one article and one summary.
pub(super) struct Vocabulary {
    /// Whether English rules apply: stems, stop words, number words.
    is_english: bool,
    stemmer: Stemmer,
    by_surface: HashMap<Box<str>, Stem, FixedState>,
    by_stem: HashMap<Box<str>, Stem, FixedState>,
    texts: Vec<Box<str>>,
    kinds: Vec<Kind>,
}

/// Words of so few letters are their own stem.
pub(super) const SHORT_LETTERS: usize = 3;

impl Vocabulary {
    /// An empty one.
    pub(super) fn new(is_english: bool) -> Self {
        Self {
            is_english,
            stemmer: Stemmer::create(Algorithm::English),
            by_surface: HashMap::with_capacity_and_hasher(512, FixedState::default()),
            by_stem: HashMap::with_capacity_and_hasher(512, FixedState::default()),
            texts: Vec::with_capacity(512),
            kinds: Vec::with_capacity(512),
        }
    }

    /// How many stems there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether English rules apply.
    pub(super) fn is_english(&self) -> bool {
        self.is_english
    }

    /// What a stem is.
    pub(super) fn kind(&self, stem: Stem) -> Kind {
        self.kinds[stem as usize]
    }

    /// Whether a stem carries content.
    pub(super) fn is_content(&self, stem: Stem) -> bool {
        !self.kinds[stem as usize].is_stop
    }

    /// The letters of a stem.
    pub(super) fn text(&self, stem: Stem) -> &str {
        &self.texts[stem as usize]
    }

    /// The stem of a lowercase word, if the texts hold it.
    pub(super) fn known(&self, lower: &str) -> Option<Stem> {
        self.by_surface.get(lower).copied()
    }

    /// Reads a stretch of a text; appends its words.
    pub(super) fn read(&mut self, text: &str, range: Range<usize>, words: &mut Vec<Word>) {
        scan(text, range, &mut Reader { vocabulary: self, words });
    }

    /// The stem of a lowercase word, numbered on first sight.
    pub(super) fn stem_of(&mut self, lower: &str) -> Stem {
        if let Some(stem) = self.by_surface.get(lower) {
            return *stem;
        }
        let stem = self.first_sight(lower);
        self.by_surface.insert(lower.into(), stem);
        stem
    }

    fn first_sight(&mut self, lower: &str) -> Stem {
        let is_digits = lower.as_bytes()[0].is_ascii_digit();
        if !self.is_english || is_digits {
            let kind = Kind { is_number: is_digits, ..Kind::default() };
            return self.number(lower, kind);
        }
        let lower = word_lists::in_full(lower);
        let known = word_lists::known(lower);
        if let Some(digits) = known.digits {
            return self.number(digits, Kind { is_number: true, ..Kind::default() });
        }
        let kind =
            Kind { is_stop: known.is_stop, is_number: false, is_negation: known.is_negation };
        if lower.len() <= SHORT_LETTERS || !lower.is_ascii() {
            return self.number(lower, kind);
        }
        let stem = self.stemmer.stem(lower);
        self.number(&stem, kind)
    }

    fn number(&mut self, text: &str, kind: Kind) -> Stem {
        if let Some(stem) = self.by_stem.get(text) {
            let known = &mut self.kinds[*stem as usize];
            known.is_stop |= kind.is_stop;
            return *stem;
        }
        let stem = Stem::try_from(self.texts.len()).unwrap_or(Stem::MAX);
        self.by_stem.insert(text.into(), stem);
        self.texts.push(text.into());
        self.kinds.push(kind);
        stem
    }
}

struct Reader<'a> {
    vocabulary: &'a mut Vocabulary,
    words: &'a mut Vec<Word>,
}

impl WordSink for Reader<'_> {
    fn word(&mut self, place: Range<usize>, lower: &str, capital: bool) {
        let stem = self.vocabulary.stem_of(lower);
        let offset = |byte: usize| u32::try_from(byte).unwrap_or(u32::MAX);
        let (start, end) = (offset(place.start), offset(place.end));
        let is_spelled = !lower.starts_with(|first: char| first.is_ascii_digit());
        self.words.push(Word { stem, start, end, capital, is_spelled });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems(text: &str, is_english: bool) -> Vec<String> {
        let mut vocabulary = Vocabulary::new(is_english);
        let mut words = Vec::new();
        vocabulary.read(text, 0..text.len(), &mut words);
        words.iter().map(|word| vocabulary.text(word.stem).to_owned()).collect()
    }

    #[test]
    fn number_words_and_digits_are_the_same_word() {
        assert_eq!(
            stems("Seven of 7 voters voted twice", true),
            ["7", "of", "7", "voter", "vote", "twice"]
        );
    }

    #[test]
    fn words_of_another_language_stay_as_they_are() {
        assert_eq!(
            stems("Sieben Wählerinnen wählten", false),
            ["sieben", "wählerinnen", "wählten"]
        );
    }

    #[test]
    fn a_stem_is_a_stop_word_however_it_was_met_first() {
        let mut vocabulary = Vocabulary::new(true);
        let being = vocabulary.stem_of("being");
        assert_eq!(vocabulary.stem_of("be"), being);
        assert!(!vocabulary.is_content(being));
    }
}

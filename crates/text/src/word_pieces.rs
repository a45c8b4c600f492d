//! Text into the word pieces of BERT: clean, split, then the longest known piece.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// A word of more code points than this is not looked up.
const WORD_LENGTH_MAX: usize = 100;

/// The pieces words are made of, and their numbers.
#[derive(Debug)]
pub(crate) struct WordPieces {
    /// Pieces that begin a word.
    initial: FxHashMap<Cow<'static, str>, u32>,
    /// Pieces that continue one, without their `##`.
    inner: FxHashMap<Cow<'static, str>, u32>,
    longest_bytes: usize,
    reading: Reading,
}

/// What is done to a text before it is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Capitals become small letters.
    pub lower: bool,
    /// Letters lose their accents.
    pub strip_accents: bool,
    /// Every Chinese character is a word.
    pub ideographs_apart: bool,
}

/// As the uncased models read.
pub(crate) const UNCASED: Reading =
    Reading { lower: true, strip_accents: true, ideographs_apart: true };

impl WordPieces {
    /// The pieces of a list, one a line, numbered from 0, for texts read without capitals.
    pub(crate) fn of(list: &'static str) -> Self {
        Self::new(list.lines().map(Cow::Borrowed).zip(0..), UNCASED)
    }

    /// Pieces and their numbers; those that continue a word begin with `##`.
    pub(crate) fn new(
        pieces: impl Iterator<Item = (Cow<'static, str>, u32)>,
        reading: Reading,
    ) -> Self {
        let (mut initial, mut inner) = (FxHashMap::default(), FxHashMap::default());
        let mut longest_bytes = 0;
        for (piece, number) in pieces {
            longest_bytes = longest_bytes.max(piece.len());
            match continuing(piece) {
                Ok(rest) => inner.insert(rest, number),
                Err(piece) => initial.insert(piece, number),
            };
        }
        Self { initial, inner, longest_bytes, reading }
    }

    /// Gives the number of every piece of a text to `sink`; unknown words give nothing.
    pub(crate) fn each(&self, text: &str, sink: &mut dyn FnMut(u32)) {
        self.each_or(text, None, sink);
    }

    /// The same; a word that is unknown gives the number for it, if there is one.
    pub(crate) fn each_or(&self, text: &str, unknown: Option<u32>, sink: &mut dyn FnMut(u32)) {
        let mut pieces = Vec::new();
        each_word(text, self.reading, &mut |word| {
            pieces.clear();
            if self.split(word, &mut pieces) {
                for piece in &pieces {
                    sink(*piece);
                }
            } else if let Some(unknown) = unknown {
                sink(unknown);
            }
        });
    }

    /// The longest known piece from the left, again and again; false for an unknown word.
    fn split(&self, word: &str, pieces: &mut Vec<u32>) -> bool {
        if word.len() > WORD_LENGTH_MAX && word.chars().count() > WORD_LENGTH_MAX {
            return false;
        }
        let mut start = 0;
        while start < word.len() {
            let known = if start == 0 { &self.initial } else { &self.inner };
            let mut end = word.len().min(start + self.longest_bytes);
            let found = loop {
                if end == start {
                    return false;
                }
                if let Some(piece) = word.get(start..end).and_then(|piece| known.get(piece)) {
                    break *piece;
                }
                end -= 1;
            };
            pieces.push(found);
            start = end;
        }
        true
    }
}

/// What follows `##` in a piece that continues a word; another piece comes back as it is.
fn continuing(piece: Cow<'static, str>) -> Result<Cow<'static, str>, Cow<'static, str>> {
    let rest = match &piece {
        Cow::Borrowed(piece) => piece.strip_prefix("##").map(Cow::Borrowed),
        Cow::Owned(piece) => piece.strip_prefix("##").map(|rest| Cow::Owned(rest.to_owned())),
    };
    rest.filter(|rest| !rest.is_empty()).ok_or(piece)
}

/// Gives every word of a text to `sink`, punctuation apart.
fn each_word(text: &str, reading: Reading, sink: &mut dyn FnMut(&str)) {
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        if !word.is_empty() {
            sink(word);
            word.clear();
        }
    };
    let mut take = |character: char| match kind(character) {
        Kind::Alone if !reading.ideographs_apart && is_ideograph(character) => word.push(character),
        Kind::Space => flush(&mut word),
        Kind::Alone => {
            flush(&mut word);
            word.push(character);
            flush(&mut word);
        }
        Kind::Letter => word.push(character),
    };
    if text.is_ascii() {
        let kept = text.bytes().filter(|byte| !byte.is_ascii_control() || is_blank(*byte));
        let lowered = |byte: u8| if reading.lower { byte.to_ascii_lowercase() } else { byte };
        kept.for_each(|byte| take(char::from(lowered(byte))));
    } else {
        let kept = text.chars().filter(|character| !is_control(*character));
        let mut cased = |character: char| {
            if reading.lower {
                character.to_lowercase().for_each(&mut take);
            } else {
                take(character);
            }
        };
        if reading.strip_accents {
            kept.nfd().filter(|character| !is_accent(*character)).for_each(cased);
        } else {
            kept.for_each(&mut cased);
        }
    }
    flush(&mut word);
}

enum Kind {
    Space,
    Alone,
    Letter,
}

fn kind(character: char) -> Kind {
    if character.is_whitespace() {
        Kind::Space
    } else if character.is_ascii() {
        if character.is_ascii_punctuation() { Kind::Alone } else { Kind::Letter }
    } else if is_ideograph(character)
        || character.general_category_group() == GeneralCategoryGroup::Punctuation
    {
        Kind::Alone
    } else {
        Kind::Letter
    }
}

/// Whether a character is a sign that stands alone, and no word of a script without spaces.
pub fn is_sign(character: char) -> bool {
    !is_ideograph(character) && matches!(kind(character), Kind::Alone)
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r')
}

/// What is taken out of the text before anything else.
fn is_control(character: char) -> bool {
    match character {
        '\t' | '\n' | '\r' => false,
        '\0' | '\u{fffd}' => true,
        _ if character.is_ascii() => character.is_ascii_control(),
        _ => character.general_category_group() == GeneralCategoryGroup::Other,
    }
}

fn is_accent(character: char) -> bool {
    !character.is_ascii() && character.general_category() == GeneralCategory::NonspacingMark
}

/// Chinese characters, each a word of its own.
fn is_ideograph(character: char) -> bool {
    matches!(
        u32::from(character),
        0x4E00..=0x9FFF
            | 0x3400..=0x4DBF
            | 0x20000..=0x2A6DF
            | 0x2A700..=0x2B73F
            | 0x2B740..=0x2B81F
            | 0x2B920..=0x2CEAF
            | 0xF900..=0xFAFF
            | 0x2F800..=0x2FA1F
    )
}

//! What each byte of a sentence means to the walk over it.

/// What to do at a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter or digit.
    Plain,
    /// Part of a piece, though no letter or digit.
    Inner,
    /// The space itself.
    Space,
    /// Other white space, which the original replaces by a space only late.
    OtherSpace,
    /// A token of its own, split off early.
    AloneEarly,
    /// A token of its own, split off late.
    AloneLate,
    /// A comma or colon.
    Comma,
    Backtick,
    DoubleQuote,
    Apostrophe,
    Dot,
    Dash,
    /// The first byte of a longer character.
    Wide,
}

/// The class of every byte; continuation bytes are never asked for.
pub(super) static CLASSES: [Class; 256] = classes();

const fn classes() -> [Class; 256] {
    let mut classes = [Class::Wide; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = class(byte);
        byte += 1;
    }
    classes
}

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Class::Plain,
        b' ' => Class::Space,
        b'\t'..=b'\r' => Class::OtherSpace,
        b';' | b'@' | b'#' | b'$' | b'%' | b'&' | b'?' | b'!' => Class::AloneEarly,
        b'*' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' => Class::AloneLate,
        b',' | b':' => Class::Comma,
        b'`' => Class::Backtick,
        b'"' => Class::DoubleQuote,
        b'\'' => Class::Apostrophe,
        b'.' => Class::Dot,
        b'-' => Class::Dash,
        _ => Class::Inner,
    }
}

/// How many ASCII letters and digits stand at the start.
///
/// Eight bytes are looked at together, because the lengths of words are what a
/// processor cannot predict.
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let mut length = 0;
    while let Some(eight) = bytes[length..].first_chunk::<8>() {
        let others = !plain_marks(u64::from_le_bytes(*eight)) & HIGH_BITS;
        if others != 0 {
            return length + others.trailing_zeros() as usize / 8;
        }
        length += 8;
    }
    let is_plain = |byte: &&u8| CLASSES[usize::from(**byte)] == Class::Plain;
    length + bytes[length..].iter().take_while(is_plain).count()
}

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;
const LOW_BITS: u64 = 0x0101_0101_0101_0101;

/// The high bit of each byte that is an ASCII letter or digit.
const fn plain_marks(bytes: u64) -> u64 {
    let ascii = bytes & !HIGH_BITS;
    let folded = ascii | (0x20 * LOW_BITS);
    let letters = at_least(folded, b'a') & !at_least(folded, b'z' + 1);
    let digits = at_least(ascii, b'0') & !at_least(ascii, b'9' + 1);
    (letters | digits) & !bytes & HIGH_BITS
}

/// Sets the high bit of each byte of `ascii` that is `bound` or more.
const fn at_least(ascii: u64, bound: u8) -> u64 {
    ascii + (0x80 - bound as u64) * LOW_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_counted_as_its_class_says_in_every_place() {
        for byte in 0..=255 {
            for place in 0..20 {
                let mut bytes = [b'x'; 20];
                bytes[place] = byte;
                let plain = byte.is_ascii_alphanumeric();
                assert_eq!(plain_length(&bytes), if plain { 20 } else { place }, "{byte} {place}");
            }
        }
    }
}

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

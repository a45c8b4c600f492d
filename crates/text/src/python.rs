//! What Python's `str` does with case, white space and letters.
//!
//! The scorers we must agree with run on Python 3.11 (Unicode 14). Rust's own
//! tables are newer and cut differently: `char::is_alphanumeric` accepts 15,559
//! code points that `str.isalnum` refuses, so none of them are used here.

use std::borrow::Cow;

mod properties;

use properties::{ALNUM, CASED, DIGIT, LOWER, LOWERS, SKIPPED, UPPER, WORD, flags, lowered};

/// The text in lower case, as `str.lower` gives it; borrowed when it is already.
///
/// A capital sigma becomes `ς` at the end of a word and `σ` elsewhere; `İ` becomes
/// an `i` and a combining dot.
///
/// ```
/// # use assize_text::python::lower;
/// assert_eq!(lower("ΟΔΟΣ İ"), "οδος i\u{307}");
/// ```
pub fn lower(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let Some(first) = bytes.iter().position(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
    else {
        return Cow::Borrowed(text);
    };
    if bytes[first..].is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    let changes = |c: char| {
        if c.is_ascii() { c.is_ascii_uppercase() } else { flags(c) & LOWERS != 0 }
    };
    let Some((first, _)) = text.char_indices().find(|&(_, c)| changes(c)) else {
        return Cow::Borrowed(text);
    };
    let mut result = String::with_capacity(text.len() + 8);
    result.push_str(&text[..first]);
    for (index, c) in text[first..].char_indices() {
        result.extend(lower_of(text, first + index, c));
    }
    Cow::Owned(result)
}

/// Writes the lower case of `c`, which stands at `index` in `text`, to the start of a
/// buffer of at least six bytes, and returns its length.
pub(crate) fn write_lower(buffer: &mut [u8], text: &str, index: usize, c: char) -> usize {
    lower_of(text, index, c).fold(0, |at, c| at + c.encode_utf8(&mut buffer[at..]).len())
}

/// The lower case of `c`, which stands at `index` in `text`.
fn lower_of(text: &str, index: usize, c: char) -> impl Iterator<Item = char> {
    let (first, second) = match c {
        _ if c.is_ascii() => (c.to_ascii_lowercase(), None),
        'Σ' => (if ends_word(text, index) { 'ς' } else { 'σ' }, None),
        'İ' => ('i', Some('\u{307}')),
        _ if flags(c) & LOWERS != 0 => (lowered(c), None),
        _ => (c, None),
    };
    std::iter::once(first).chain(second)
}

/// The lower case of a character by itself; `İ`, which would become two, is kept.
pub(crate) fn lower_char(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { lowered(c) }
}

/// Whether the sigma at `index` has a cased letter before it and none after it.
fn ends_word(text: &str, index: usize) -> bool {
    let cased = |c: Option<char>| c.is_some_and(|c| flags(c) & CASED != 0);
    let counts = |c: &char| flags(*c) & SKIPPED == 0;
    cased(text[..index].chars().rev().find(counts))
        && !cased(text[index + 'Σ'.len_utf8()..].chars().find(counts))
}

/// Whether the text is not empty and all letters and digits, as `str.isalnum` says.
///
/// ```
/// # use assize_text::python::is_alnum;
/// assert!(is_alnum("sec17") && is_alnum("½") && is_alnum("日本"));
/// assert!(!is_alnum("") && !is_alnum("co-op") && !is_alnum("e\u{301}"));
/// ```
pub fn is_alnum(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_alnum_char)
}

/// Whether one character is a letter or digit, as `str.isalnum` says.
pub fn is_alnum_char(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_alphanumeric() } else { flags(c) & ALNUM != 0 }
}

/// Whether `str.split` and `str.strip` treat the character as white space.
///
/// Besides Unicode's `White_Space` these are the separators U+001C to U+001F.
pub fn is_space(c: char) -> bool {
    matches!(c, '\u{1c}'..='\u{1f}') || is_white_space(c)
}

/// The text without white space at either end, as `str.strip` cuts it.
pub fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The text without white space at its end, as `str.rstrip` cuts it.
pub(crate) fn strip_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// Unicode's `White_Space`, which is what `\s` means to the `regex` package.
pub(crate) fn is_white_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}'
        | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// What `\w` means to Python's own `re`: letters, digits and the underscore.
pub(crate) fn is_re_word(c: char) -> bool {
    c == '_' || is_alnum_char(c)
}

/// What `\w` means to the `regex` package, which counts combining marks as well.
pub(crate) fn is_regex_word(c: char) -> bool {
    if c.is_ascii() { c == '_' || c.is_ascii_alphanumeric() } else { flags(c) & WORD != 0 }
}

/// What `\d` means to the `regex` package: decimal digits of any script.
pub(crate) fn is_regex_digit(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_digit() } else { flags(c) & DIGIT != 0 }
}

/// Whether `str.isupper` holds for a string of this one character.
pub(crate) fn is_upper(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_uppercase() } else { flags(c) & UPPER != 0 }
}

/// Whether `str.islower` holds for a string of this one character.
pub(crate) fn is_lower(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_lowercase() } else { flags(c) & LOWER != 0 }
}

#[cfg(test)]
mod tests;

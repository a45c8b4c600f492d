//! Normal forms for comparing texts; one function for each purpose.

use std::borrow::Cow;

use crate::python::{is_space, lower, strip, write_lower};

/// The form in which passages and golds are searched in each other, and in which
/// text is tokenised: lower case, each run of white space one space, none at the ends.
///
/// ASCII text that is in this form already is borrowed.
///
/// ```
/// # use assize_text::for_matching;
/// assert_eq!(for_matching("  The\n\tParties "), "the parties");
/// ```
pub fn for_matching(text: &str) -> Cow<'_, str> {
    let text = strip(text);
    if is_plainly_normal(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    // Lower case may need more bytes than capitals, so room is checked at wide characters.
    let mut normal = vec![0; text.len() + WIDE_ROOM];
    let mut length = 0;
    let mut after_space = false;
    let mut at = 0;
    let mut slow_until = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        if at >= slow_until
            && let Some(chunk) = text.as_bytes()[at..].first_chunk()
        {
            let Some(lowered) = lowered_if_tidy(*chunk, after_space) else {
                slow_until = at + CHUNK;
                continue;
            };
            normal[length..length + CHUNK].copy_from_slice(&lowered);
            after_space = lowered[CHUNK - 1] == b' ';
            length += CHUNK;
            at += CHUNK;
            continue;
        }
        if byte.is_ascii() {
            let byte = NORMAL_BYTES[usize::from(byte)];
            normal[length] = byte;
            let is_space = byte == b' ';
            length += usize::from(!(is_space && after_space));
            after_space = is_space;
            at += 1;
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        if is_space(c) {
            normal[length] = b' ';
            length += usize::from(!after_space);
        } else {
            normal.resize(normal.len().max(length + text.len() - at + WIDE_ROOM), 0);
            length += write_lower(&mut normal[length..], text, at, c);
        }
        after_space = is_space(c);
        at += c.len_utf8();
    }
    normal.truncate(length);
    Cow::Owned(String::from_utf8(normal).expect("characters were written whole"))
}

/// How many bytes are looked at together.
const CHUNK: usize = 16;

/// The bytes in lower case with white space as spaces, unless two spaces would meet or one of the
/// bytes is not ASCII.
///
/// No branch and no early end: so the compiler computes with all of them at once.
fn lowered_if_tidy(bytes: [u8; CHUNK], after_space: bool) -> Option<[u8; CHUNK]> {
    let (mut lowered, mut spaces) = ([0; CHUNK], [0; CHUNK]);
    let mut wide = 0;
    for ((lowered, is_space), byte) in lowered.iter_mut().zip(&mut spaces).zip(bytes) {
        wide |= byte & 0x80;
        // Tab to carriage return, and the four separators that stand before the space.
        *is_space = u8::from(byte.wrapping_sub(b'\t') < 5) | u8::from(byte.wrapping_sub(0x1c) < 5);
        let mask = 0_u8.wrapping_sub(*is_space);
        *lowered = (byte.to_ascii_lowercase() & !mask) | (b' ' & mask);
    }
    let spaces = u128::from_le_bytes(spaces);
    let meeting = spaces & (spaces << 8 | u128::from(after_space));
    (wide == 0 && meeting == 0).then_some(lowered)
}

/// More bytes than the lower case of any one character needs.
const WIDE_ROOM: usize = 8;

/// Each ASCII byte in lower case, white space as a space.
static NORMAL_BYTES: [u8; 128] = normal_bytes();

const fn normal_bytes() -> [u8; 128] {
    let mut bytes = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        bytes[byte as usize] = match byte {
            b'\t'..=b'\r' | 0x1c..=0x1f => b' ',
            _ => byte.to_ascii_lowercase(),
        };
        byte += 1;
    }
    bytes
}

/// Whether the bytes are ASCII without capitals, control characters and double spaces.
fn is_plainly_normal(bytes: &[u8]) -> bool {
    const CHUNK: usize = 64;
    let differs = |byte: u8, next: u8| {
        let is_plain = (b' '..0x7f).contains(&byte) && !byte.is_ascii_uppercase();
        !is_plain || (byte == b' ' && next == b' ')
    };
    let nexts = bytes.get(1..).unwrap_or_default();
    let last = bytes.last().is_none_or(|last| !differs(*last, 0));
    // No early end within a chunk: so the compiler can look at many bytes at once.
    last && bytes.chunks(CHUNK).zip(nexts.chunks(CHUNK)).all(|(bytes, nexts)| {
        !bytes.iter().zip(nexts).fold(false, |found, (byte, next)| found | differs(*byte, *next))
    })
}

/// The form in which two texts are an exact match: lower case, nothing at the ends.
///
/// ```
/// # use assize_text::lower_strip;
/// assert_eq!(lower_strip(" Net  30\n"), "net  30");
/// ```
pub fn lower_strip(text: &str) -> Cow<'_, str> {
    lower(strip(text))
}

/// Each run of white space as one space, and none at either end.
///
/// ```
/// # use assize_text::normalize::collapse;
/// assert_eq!(collapse("\u{1c}a \u{a0} b"), "a b");
/// ```
pub fn collapse(text: &str) -> Cow<'_, str> {
    let text = strip(text);
    let Some(start) = first_untidy(text) else {
        return Cow::Borrowed(text);
    };
    let mut result = String::with_capacity(text.len());
    result.push_str(&text[..start]);
    let mut rest = &text[start..];
    while let Some(space) = next_space(rest) {
        result.push_str(&rest[..space]);
        result.push(' ');
        rest = rest[space..].trim_start_matches(is_space);
    }
    result.push_str(rest);
    Cow::Owned(result)
}

/// Where white space begins that is not one single space.
fn first_untidy(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(space) = next_space(&text[from..]) {
        let at = from + space;
        let rest = &text[at..];
        if !rest.starts_with(' ') || rest[1..].starts_with(is_space) {
            return Some(at);
        }
        from = at + 1;
    }
    None
}

/// Where the next white space begins.
fn next_space(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    loop {
        // Every white space byte is at most a space, or begins a longer character.
        let at = from + bytes[from..].iter().position(|byte| *byte <= b' ' || *byte >= 0x80)?;
        let c = text[at..].chars().next()?;
        if is_space(c) {
            return Some(at);
        }
        from = at + c.len_utf8();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_form_for_matching_is_lower_case_collapsed(
            text in "([A-Za-z@\\[`{\u{7f}]{1,9}| {1,3}|\t|\n|\u{1c}|\u{a0}|é|É|İ|Σ|ß|日){0,40}",
        ) {
            let lowered = lower(&text);
            prop_assert_eq!(for_matching(&text), collapse(&lowered));
        }
    }

    #[test]
    fn text_in_normal_form_is_borrowed() {
        assert!(matches!(for_matching(" already there\n"), Cow::Borrowed("already there")));
        assert!(matches!(lower_strip("\tx  y "), Cow::Borrowed("x  y")));
    }

    #[test]
    fn every_kind_of_white_space_collapses_to_a_space() {
        assert_eq!(for_matching("A\u{a0}B\u{1f}\u{2028}C\u{3000}D\u{85}"), "a b c d");
        assert_eq!(for_matching("A  É\nÑ"), "a é ñ");
        assert_eq!(collapse("no\u{200b}space \u{feff}"), "no\u{200b}space \u{feff}");
    }

    #[test]
    fn blank_text_becomes_empty() {
        assert_eq!(for_matching(""), "");
        assert_eq!(for_matching(" \n\u{1c} "), "");
        assert_eq!(lower_strip("\u{2003}"), "");
    }
}

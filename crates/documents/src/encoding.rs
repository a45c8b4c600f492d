//! Bytes into text: UTF-8, UTF-16 with its mark, and what Windows wrote before them.

use crate::document::Notice;
use crate::error::{DocumentError, Result};

/// Of how many characters one may be a control character before a file counts as binary.
const CHARACTERS_FOR_ONE_CONTROL: usize = 100;

/// What windows-1252 has at 0x80 to 0x9f; the rest is as in Latin-1. Five places are
/// empty there, and stand for the control character of the same number on the web.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// A text and what there is to say about how it was decoded.
pub(crate) struct DecodedText {
    pub(crate) text: String,
    pub(crate) notices: Vec<Notice>,
}

/// The text of a file, or that it holds none.
pub(crate) fn decode(bytes: &[u8]) -> Result<DecodedText> {
    let decoded = if let Some(rest) = bytes.strip_prefix(b"\xef\xbb\xbf") {
        utf8_or_older(rest)
    } else if let Some(rest) = bytes.strip_prefix(b"\xff\xfe") {
        utf16(rest, u16::from_le_bytes, "UTF-16, little end first")
    } else if let Some(rest) = bytes.strip_prefix(b"\xfe\xff") {
        utf16(rest, u16::from_be_bytes, "UTF-16, big end first")
    } else {
        utf8_or_older(bytes)
    };
    if is_binary(&decoded.text) { Err(DocumentError::Binary) } else { Ok(decoded) }
}

/// The text with `\n` for every end of a line and spaces for other control characters.
pub(crate) fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut after_return = false;
    for c in text.chars() {
        match c {
            '\n' if after_return => {}
            '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => clean.push('\n'),
            '\t' => clean.push('\t'),
            '\u{feff}' => {}
            c if c.is_control() => clean.push(' '),
            c => clean.push(c),
        }
        after_return = c == '\r';
    }
    clean
}

fn utf8_or_older(bytes: &[u8]) -> DecodedText {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return DecodedText { text: text.to_owned(), notices: Vec::new() };
    }
    let mut broken = 0;
    let mut whole = 0;
    for chunk in bytes.utf8_chunks() {
        whole += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        broken += usize::from(!chunk.invalid().is_empty());
    }
    if whole > broken || ends_in_a_character(bytes) {
        let text = String::from_utf8_lossy(bytes).into_owned();
        return DecodedText { text, notices: vec![Notice::Unreadable { characters: broken }] };
    }
    let text = bytes.iter().map(|byte| windows_1252(*byte)).collect();
    let notice = Notice::Encoding { read_as: "windows-1252".to_owned() };
    DecodedText { text, notices: vec![notice] }
}

/// Whether the text is UTF-8 but for a last character that was cut off.
fn ends_in_a_character(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
        && bytes.iter().rev().take(3).any(|byte| *byte >= 0xc2)
        && bytes.iter().filter(|byte| **byte >= 0x80).count() > 1
}

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16, read_as: &str) -> DecodedText {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut characters = rest.len();
    let text = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .map(|unit| {
            unit.unwrap_or_else(|_| {
                characters += 1;
                char::REPLACEMENT_CHARACTER
            })
        })
        .collect();
    let mut notices = vec![Notice::Encoding { read_as: read_as.to_owned() }];
    if characters > 0 {
        notices.push(Notice::Unreadable { characters });
    }
    DecodedText { text, notices }
}

/// Whether these are no words: a NUL, or more control characters than text has.
fn is_binary(text: &str) -> bool {
    let mut controls = 0;
    for c in text.chars() {
        if c == '\0' {
            return true;
        }
        controls += usize::from(c.is_control() && !"\t\n\r\u{b}\u{c}\u{1b}\u{85}".contains(c));
    }
    controls * CHARACTERS_FOR_ONE_CONTROL > text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: &[u8]) -> String {
        decode(bytes).unwrap().text
    }

    #[test]
    fn marks_at_the_start_tell_the_encoding() {
        assert_eq!(text(b"\xef\xbb\xbfna\xc3\xafve"), "naïve");
        assert_eq!(text(b"\xff\xfen\x00\xef\x00"), "nï");
        assert_eq!(text(b"\xfe\xff\xd8\x3d\xde\x00"), "😀");
    }

    #[test]
    fn older_windows_text_is_read_and_said_to_be() {
        let decoded = decode(b"\x93caf\xe9\x94 \x80 5").unwrap();
        assert_eq!(decoded.text, "“café” € 5");
        assert_eq!(decoded.notices, [Notice::Encoding { read_as: "windows-1252".to_owned() }]);
    }

    #[test]
    fn utf8_with_a_flaw_stays_utf8() {
        let decoded = decode("naïve café\u{20ac}".as_bytes().split_last().unwrap().1).unwrap();
        assert_eq!(decoded.text, "naïve café\u{fffd}");
        assert_eq!(decoded.notices, [Notice::Unreadable { characters: 1 }]);
    }

    #[test]
    fn a_lone_half_of_a_pair_is_replaced() {
        let decoded = decode(b"\xff\xfea\x00\x00\xd8b\x00\x01").unwrap();
        assert_eq!(decoded.text, "a\u{fffd}b");
        assert_eq!(decoded.notices[1], Notice::Unreadable { characters: 2 });
    }

    #[test]
    fn binary_is_refused() {
        assert_eq!(decode(b"MZ\x00\x01").err(), Some(DocumentError::Binary));
        let noise: Vec<u8> = (1..=255).collect();
        assert_eq!(decode(&noise).err(), Some(DocumentError::Binary));
        assert!(decode(b"a form feed\x0c and a colour \x1b[31m are text").is_ok());
    }

    #[test]
    fn line_ends_become_one_kind_and_control_characters_spaces() {
        assert_eq!(clean("a\r\nb\rc\n\nd\u{2028}e\u{1}f\u{feff}\tg"), "a\nb\nc\n\nd\ne f\tg");
    }
}

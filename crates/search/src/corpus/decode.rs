//! Bytes into text: encodings by mark, by trial, by fallback; newlines as one.
//!
//! Positions agree with what Python's text mode gives: newlines are translated, and a
//! byte order mark of UTF-8 stays in the text as its first code point.

/// What the encoding of a file turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, which includes ASCII.
    Utf8,
    /// UTF-16, by its byte order mark.
    Utf16,
    /// Not UTF-8, so read byte for byte as Windows-1252: a guess worth a remark.
    Windows1252,
}

/// Why bytes are not a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotText {
    /// A zero byte among the first thousands, or the signature of another format.
    Binary(&'static str),
    /// UTF-16 that breaks off or pairs its surrogates wrongly, or UTF-32.
    BrokenEncoding(&'static str),
}

/// How far we look for a zero byte.
const BINARY_PROBE_BYTES: usize = 8192;

/// Beginnings of files that people take for texts.
const SIGNATURES: [(&[u8], &str); 4] = [
    (b"%PDF-", "a PDF; convert it to text first"),
    (b"PK\x03\x04", "a ZIP archive or an office document; convert it to text first"),
    (b"\x1f\x8b", "gzip; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "zstd; unpack it first"),
];

/// The text in these bytes, with its newlines translated.
pub fn decode(bytes: Vec<u8>) -> Result<(String, Encoding), NotText> {
    if bytes.starts_with(&[0xff, 0xfe, 0, 0]) || bytes.starts_with(&[0, 0, 0xfe, 0xff]) {
        return Err(NotText::BrokenEncoding("UTF-32 is not supported; save it as UTF-8"));
    }
    if bytes.starts_with(&[0xff, 0xfe]) {
        return utf16(&bytes[2..], u16::from_le_bytes);
    }
    if bytes.starts_with(&[0xfe, 0xff]) {
        return utf16(&bytes[2..], u16::from_be_bytes);
    }
    if let Some((_, what)) = SIGNATURES.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Err(NotText::Binary(what));
    }
    if bytes[..bytes.len().min(BINARY_PROBE_BYTES)].contains(&0) {
        return Err(NotText::Binary("not text: it contains zero bytes"));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (one_newline(text), Encoding::Utf8),
        Err(error) => {
            let text = error.as_bytes().iter().map(|byte| windows_1252(*byte)).collect();
            (one_newline(text), Encoding::Windows1252)
        }
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<(String, Encoding), NotText> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    if !rest.is_empty() {
        return Err(NotText::BrokenEncoding("UTF-16 with an odd number of bytes"));
    }
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .collect::<Result<String, _>>()
        .map(|text| (one_newline(text), Encoding::Utf16))
        .map_err(|_| NotText::BrokenEncoding("UTF-16 with a lone surrogate"))
}

/// `\r\n` and a lone `\r` become `\n`.
pub(crate) fn one_newline(text: String) -> String {
    if !text.contains('\r') {
        return text;
    }
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// The characters of 0x80..=0x9F in Windows-1252; the five that are unassigned stay controls.
const UPPER_CONTROLS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(byte: u8) -> char {
    match byte {
        0x80..=0x9f => UPPER_CONTROLS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(bytes: &[u8]) -> Result<(String, Encoding), NotText> {
        decode(bytes.to_vec())
    }

    #[test]
    fn newlines_are_translated_as_python_does() {
        assert_eq!(read(b"a\r\nb\rc\n\r\nd").unwrap().0, "a\nb\nc\n\nd");
    }

    #[test]
    fn a_utf8_mark_counts_as_the_first_code_point() {
        assert_eq!(read(b"\xef\xbb\xbfa").unwrap(), ("\u{feff}a".to_owned(), Encoding::Utf8));
    }

    #[test]
    fn utf16_is_known_by_its_mark_in_both_byte_orders() {
        let expected = ("aé\n".to_owned(), Encoding::Utf16);
        assert_eq!(read(b"\xff\xfea\0\xe9\0\r\0\n\0").unwrap(), expected);
        assert_eq!(read(b"\xfe\xff\0a\0\xe9\0\n").unwrap(), expected);
    }

    #[test]
    fn broken_utf16_and_utf32_are_refused() {
        for bytes in [&b"\xff\xfea"[..], b"\xff\xfe\0\xd8", b"\xff\xfe\0\0a\0\0\0"] {
            assert!(matches!(read(bytes), Err(NotText::BrokenEncoding(_))), "{bytes:?}");
        }
    }

    #[test]
    fn what_is_not_utf8_is_read_as_windows_1252() {
        let expected = ("\u{201c}caf\u{e9}\u{201d} \u{20ac}".to_owned(), Encoding::Windows1252);
        assert_eq!(read(b"\x93caf\xe9\x94 \x80").unwrap(), expected);
    }

    #[test]
    fn binaries_are_known_by_a_zero_byte_or_their_signature() {
        for bytes in [&b"abc\0def"[..], b"%PDF-1.7 abc", b"PK\x03\x04abc"] {
            assert!(matches!(read(bytes), Err(NotText::Binary(_))), "{bytes:?}");
        }
    }
}

//! A font's own table from codes to characters (`ToUnicode`).
//!
//! Only the entries are read; the PostScript around them is skipped, as every writer of
//! PDF has its own idea of it.

/// The characters of a font's codes.
#[derive(Debug, Default)]
pub(super) struct UnicodeMap {
    /// In order of their first code.
    ranges: Vec<Range>,
}

#[derive(Debug)]
struct Range {
    first: u32,
    last: u32,
    /// What the first code stands for, in UTF-16; the last unit counts on from there.
    target: Vec<u16>,
}

/// How long the text of one code may be, in units of UTF-16: a ligature has a few, and a
/// page of codes with long texts would fill the memory.
const TARGET_MAX: usize = 32;

/// How many entries a font may have.
const ENTRIES_MAX: usize = 100_000;

enum Token<'a> {
    Hex(Vec<u8>),
    Bracket(u8),
    Word(&'a [u8]),
}

impl UnicodeMap {
    pub(super) fn parse(bytes: &[u8]) -> Self {
        let mut map = Self::default();
        let mut mode: &[u8] = b"";
        let mut codes: Vec<Vec<u8>> = Vec::new();
        let mut list_at = None;
        for token in tokens(bytes) {
            match token {
                Token::Word(word) => {
                    mode = word;
                    codes.clear();
                    list_at = None;
                }
                Token::Bracket(b'[') => list_at = Some(0),
                Token::Bracket(_) => {
                    list_at = None;
                    codes.clear();
                }
                Token::Hex(hex) => match (mode, codes.as_slice(), list_at) {
                    (b"beginbfchar", [code], _) => {
                        map.add(code, code, &hex, 0);
                        codes.clear();
                    }
                    (b"beginbfrange", [first, _], Some(index)) => {
                        map.add(first, first, &hex, index);
                        list_at = Some(index + 1);
                    }
                    (b"beginbfrange", [first, last], None) => {
                        map.add(first, last, &hex, 0);
                        codes.clear();
                    }
                    (b"beginbfchar" | b"beginbfrange", ..) => codes.push(hex),
                    _ => {}
                },
            }
        }
        map.ranges.sort_by_key(|range| range.first);
        map
    }

    fn add(&mut self, first: &[u8], last: &[u8], target: &[u8], offset: u32) {
        let first = number(first).saturating_add(offset);
        let last = number(last).saturating_add(offset).max(first);
        let target: Vec<u16> =
            target.chunks(2).map(|unit| u16::try_from(number(unit)).unwrap_or(0)).collect();
        if self.ranges.len() < ENTRIES_MAX && (1..=TARGET_MAX).contains(&target.len()) {
            self.ranges.push(Range { first, last, target });
        }
    }

    /// Adds the characters of a code; says whether it has any.
    pub(super) fn push(&self, code: u32, into: &mut String) -> bool {
        let after = self.ranges.partition_point(|range| range.first <= code);
        let Some(range) = self.ranges[..after].last().filter(|range| code <= range.last) else {
            return false;
        };
        let (last, before) = range.target.split_last().expect("no empty target is added");
        let offset = u16::try_from(code - range.first).unwrap_or(0);
        let units = before.iter().copied().chain([last.wrapping_add(offset)]);
        into.extend(char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)));
        true
    }
}

/// A number of up to four bytes, the big end first.
fn number(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, byte| (number << 8) | u32::from(*byte))
}

fn tokens(bytes: &[u8]) -> impl Iterator<Item = Token<'_>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        rest = rest.trim_ascii_start();
        let (first, after) = rest.split_first()?;
        match first {
            b'<' if after.first() != Some(&b'<') => {
                let end = after.iter().position(|byte| *byte == b'>').unwrap_or(after.len());
                let token = Token::Hex(hex(&after[..end]));
                rest = after.get(end + 1..).unwrap_or_default();
                Some(token)
            }
            b'[' | b']' => {
                rest = after;
                Some(Token::Bracket(*first))
            }
            _ => {
                let ends = |byte: &u8| byte.is_ascii_whitespace() || b"<[]".contains(byte);
                let end = after.iter().position(ends).map_or(rest.len(), |at| at + 1);
                let (word, after) = rest.split_at(end);
                rest = after;
                Some(Token::Word(word))
            }
        }
    })
}

fn hex(digits: &[u8]) -> Vec<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|d| u8::try_from(d).ok());
    let digits: Vec<u8> = digits.iter().filter_map(digit).collect();
    digits.chunks(2).map(|pair| (pair[0] << 4) | pair.get(1).copied().unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_ranges_and_lists_are_read() {
        let map = UnicodeMap::parse(
            b"/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <FFFF> \
              endcodespacerange 2 beginbfchar <0003> <0020>\n<0005><00660069>endbfchar \
              2 beginbfrange <0024> <0026> <0041> <0030> <0031> [<0078> <D83DDE00>] endbfrange",
        );
        let text = |code| {
            let mut text = String::new();
            map.push(code, &mut text).then_some(text)
        };
        assert_eq!(text(3).as_deref(), Some(" "));
        assert_eq!(text(5).as_deref(), Some("fi"));
        assert_eq!(text(0x25).as_deref(), Some("B"));
        assert_eq!(text(0x26).as_deref(), Some("C"));
        assert_eq!(text(0x30).as_deref(), Some("x"));
        assert_eq!(text(0x31).as_deref(), Some("😀"));
        assert_eq!(text(0x27), None);
        assert_eq!(text(0), None);
    }

    #[test]
    fn nonsense_is_an_empty_table() {
        for bytes in [&b""[..], b"beginbfchar <", b"beginbfrange <00> [ ] ] endbfrange", b"<<>>"] {
            assert!(UnicodeMap::parse(bytes).ranges.is_empty());
        }
    }
}

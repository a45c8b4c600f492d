//! Where the n-th code point of a text stands, without walking it from the start.

/// Bytes between two marks: a look-up walks at most this far.
const BLOCK_BYTES: usize = 256;

/// Marks in a text; none at all when it is plain ASCII.
#[derive(Debug, Clone)]
pub struct CodePoints {
    /// Code points that begin before each block; empty when bytes and code points agree.
    before_block: Vec<usize>,
    length: usize,
}

impl CodePoints {
    /// The marks of a text.
    pub fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self { before_block: Vec::new(), length: text.len() };
        }
        let mut before_block = Vec::with_capacity(text.len() / BLOCK_BYTES + 1);
        let mut length = 0;
        for block in text.as_bytes().chunks(BLOCK_BYTES) {
            before_block.push(length);
            length += starts(block);
        }
        Self { before_block, length }
    }

    /// How many code points the text has.
    pub fn length(&self) -> usize {
        self.length
    }

    /// How many code points begin before this byte.
    pub(crate) fn at_byte(&self, text: &str, byte: usize) -> usize {
        let byte = byte.min(text.len());
        let block = byte / BLOCK_BYTES;
        match self.before_block.get(block) {
            Some(before) => before + starts(&text.as_bytes()[block * BLOCK_BYTES..byte]),
            None if self.before_block.is_empty() => byte,
            None => self.length,
        }
    }

    /// The byte where this code point begins; the end of the text for its length.
    pub(crate) fn byte_of(&self, text: &str, code_point: usize) -> Option<usize> {
        if code_point >= self.length {
            return (code_point == self.length).then_some(text.len());
        }
        if self.before_block.is_empty() {
            return Some(code_point);
        }
        let block = self.before_block.partition_point(|before| *before <= code_point) - 1;
        let wanted = code_point - self.before_block[block];
        let from = block * BLOCK_BYTES;
        let begins = |byte: &u8| is_start(*byte);
        let offset = text.as_bytes()[from..]
            .iter()
            .enumerate()
            .filter(|(_, byte)| begins(byte))
            .nth(wanted)
            .map(|(offset, _)| offset)?;
        Some(from + offset)
    }
}

fn starts(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| is_start(**byte)).count()
}

/// Every byte but a continuation byte begins a code point.
fn is_start(byte: u8) -> bool {
    byte & 0b1100_0000 != 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn looking_up_agrees_with_walking(text in "[a-zé€😀]{0,700}") {
            let points = CodePoints::of(&text);
            prop_assert_eq!(points.length(), text.chars().count());
            for (index, (byte, _)) in text.char_indices().enumerate() {
                prop_assert_eq!(points.at_byte(&text, byte), index);
                prop_assert_eq!(points.byte_of(&text, index), Some(byte));
            }
            prop_assert_eq!(points.at_byte(&text, text.len()), points.length());
            prop_assert_eq!(points.byte_of(&text, points.length()), Some(text.len()));
            prop_assert_eq!(points.byte_of(&text, points.length() + 1), None);
        }
    }
}

//! Where a passage stands: in the text of its file, and in code points.

use super::super::bytes::{Bytes, Damage, checksum};

pub(super) const ENTRY_BYTES: usize = 40;

/// Where a passage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Entry {
    /// Where it begins in the text of its file, in bytes.
    pub(in super::super) offset: u64,
    /// How many bytes it has.
    pub(in super::super) bytes: u64,
    /// Start and end in code points.
    pub(in super::super) span: (u64, u64),
    /// The checksum of its text.
    pub(in super::super) checksum: u32,
}

impl Entry {
    /// The entry of passage `number`, which goes into its checksum: no entry passes for another.
    pub(super) fn to_bytes(self, number: u32) -> [u8; ENTRY_BYTES] {
        let mut bytes = [0; ENTRY_BYTES];
        let longs = [self.offset, self.bytes, self.span.0, self.span.1];
        for (place, long) in bytes.chunks_exact_mut(8).zip(longs) {
            place.copy_from_slice(&long.to_le_bytes());
        }
        bytes[32..36].copy_from_slice(&self.checksum.to_le_bytes());
        let own = checksum(&[&bytes[..36], &number.to_le_bytes()]);
        bytes[36..].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    pub(super) fn of(bytes: &[u8], number: u32) -> Result<Self, Damage> {
        let mut left = Bytes::of(bytes);
        let (offset, length) = (left.long()?, left.long()?);
        let span = (left.long()?, left.long()?);
        let (text, own) = (left.word()?, left.word()?);
        if own != checksum(&[&bytes[..36], &number.to_le_bytes()]) {
            return Err(Damage("the checksum of a passage's place differs"));
        }
        Ok(Self { offset, bytes: length, span, checksum: text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_as_it_was_written_and_in_its_own_place_only() {
        let entry = Entry { offset: 7, bytes: 3, span: (5, 8), checksum: 9 };
        let bytes = entry.to_bytes(4);
        assert_eq!(Entry::of(&bytes, 4), Ok(entry));
        assert!(Entry::of(&bytes, 5).is_err());
        assert!(Entry::of(&bytes[..39], 4).is_err());
    }
}

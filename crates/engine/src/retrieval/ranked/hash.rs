//! A fast hash of identifiers, and the small table that finds them again.
//!
//! The hash is the same on every machine and in every run. Nothing that is shown depends on
//! its order: it only finds things.

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;

/// The hash of an identifier.
#[inline]
pub(super) fn hash(bytes: &[u8]) -> u64 {
    let length = bytes.len() as u64;
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        let mut first = u64::from_le_bytes(*first);
        if bytes.len() > 16 {
            // All but the last word; that one overlaps what comes before it.
            for word in bytes[8..bytes.len() - 1].as_chunks::<8>().0 {
                first = folded(first, u64::from_le_bytes(*word));
            }
        }
        folded(first ^ length, u64::from_le_bytes(*last))
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        folded(u64::from(first) ^ length << 32, u64::from(last))
    } else {
        folded(bytes.iter().fold(length, |packed, byte| packed << 8 | u64::from(*byte)), 0)
    }
}

/// Two words multiplied to twice their width, and that folded to one.
#[inline]
fn folded(left: u64, right: u64) -> u64 {
    let product = u128::from(left ^ SEED) * u128::from(right ^ FACTOR);
    #[expect(clippy::cast_possible_truncation, reason = "both halves of the product are used")]
    let (low, high) = (product as u64, (product >> 64) as u64);
    low ^ high
}

/// Finds the position of an identifier among up to 2^32 - 2 of them, which the caller keeps.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Empty is 0; otherwise the upper half of the hash, and the position plus one below it.
    /// The length is 0 or a power of two, and at least twice `count`.
    slots: Vec<u64>,
    count: usize,
}

/// The half of a slot that holds the hash.
const TAG: u64 = 0xffff_ffff_0000_0000;

impl Table {
    /// Empties the table and makes room for `expected` identifiers.
    pub(super) fn clear(&mut self, expected: usize) {
        self.count = 0;
        self.slots.clear();
        self.slots.resize((expected * 2).next_power_of_two().max(8), 0);
    }

    /// Adds an identifier that stands at `position`, unless there is one that `is_same`: then
    /// nothing changes, and its position comes back.
    #[inline]
    pub(super) fn insert(
        &mut self,
        hash: u64,
        position: usize,
        is_same: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        debug_assert!(self.count * 2 < self.slots.len(), "there is room for one more");
        match self.probe(hash, is_same) {
            Ok(known) => Some(known),
            Err(slot) => {
                self.slots[slot] = (hash & TAG) | (position as u64 + 1);
                self.count += 1;
                None
            }
        }
    }

    /// The position of the identifier with this hash that `is_same`.
    #[inline]
    pub(super) fn find(&self, hash: u64, is_same: impl Fn(usize) -> bool) -> Option<usize> {
        if self.slots.is_empty() { None } else { self.probe(hash, is_same).ok() }
    }

    /// Whether one more identifier needs a larger table first.
    pub(super) fn is_full(&self) -> bool {
        (self.count + 1) * 2 >= self.slots.len()
    }

    #[inline]
    fn probe(&self, hash: u64, is_same: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        #[expect(clippy::cast_possible_truncation, reason = "only the low bits are used")]
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at & mask];
            if slot == 0 {
                return Err(at & mask);
            }
            if (slot ^ hash) & TAG == 0 {
                let position = (slot & !TAG) as usize - 1;
                if is_same(position) {
                    return Ok(position);
                }
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_of_every_length_are_told_apart() {
        let text = "abcdefghijklmnopqrstuvwxyz0123456789";
        let mut hashes: Vec<u64> =
            (0..text.len()).map(|end| hash(&text.as_bytes()[..end])).collect();
        hashes.extend((1..text.len()).map(|start| hash(&text.as_bytes()[start..])));
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), text.len() * 2 - 1);
    }

    #[test]
    fn a_table_finds_what_was_put_in_and_nothing_else() {
        let names: Vec<String> = (0..1000).map(|number| format!("d{number}")).collect();
        let mut table = Table::default();
        table.clear(names.len());
        for (position, name) in names.iter().enumerate() {
            assert_eq!(
                table.insert(hash(name.as_bytes()), position, |known| names[known] == *name),
                None
            );
        }
        for (position, name) in names.iter().enumerate() {
            assert_eq!(
                table.find(hash(name.as_bytes()), |known| names[known] == *name),
                Some(position)
            );
        }
        assert_eq!(table.find(hash(b"d1000"), |known| names[known] == "d1000"), None);
    }

    #[test]
    fn equal_hashes_are_told_apart_by_the_bytes() {
        let mut table = Table::default();
        table.clear(2);
        assert_eq!(table.insert(7, 0, |_| false), None);
        assert_eq!(table.insert(7, 1, |_| false), None);
        assert_eq!(table.find(7, |position| position == 1), Some(1));
    }
}

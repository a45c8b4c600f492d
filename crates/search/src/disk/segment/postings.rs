//! The passages that hold a term, and how often, in few bytes.

use super::super::bytes::{Bytes, Damage, put_number};

/// The passages that hold a term, as they are collected.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Growing {
    /// For each passage how many were skipped since the last, and how often it holds the term.
    pub(super) bytes: Vec<u8>,
    /// How many passages hold it.
    pub(super) holding: u32,
    next: u32,
}

impl Growing {
    /// Takes in a passage; they come in order.
    pub(in super::super) fn push(&mut self, passage: u32, times: u32) {
        debug_assert!(passage >= self.next && times > 0, "passages come in order");
        put_number(&mut self.bytes, u64::from(passage - self.next));
        put_number(&mut self.bytes, u64::from(times));
        self.holding += 1;
        self.next = passage + 1;
    }

    pub(in super::super) fn is_empty(&self) -> bool {
        self.holding == 0
    }

    /// Makes room for another term.
    pub(in super::super) fn clear(&mut self) {
        self.bytes.clear();
        (self.holding, self.next) = (0, 0);
    }
}

/// Gives each passage and how often it holds the term to `sink`, in order.
///
/// Every passage given is below `passages`.
pub(super) fn each(
    bytes: &[u8],
    passages: usize,
    mut sink: impl FnMut(usize, u32),
) -> Result<u32, Damage> {
    let mut left = Bytes::of(bytes);
    let (mut next, mut holding) = (0_usize, 0);
    while !left.is_empty() {
        let skipped = left.small()? as usize;
        let times = left.small()?;
        let passage = next.checked_add(skipped);
        let passage = passage.filter(|passage| *passage < passages && times > 0);
        let passage = passage.ok_or(Damage("a term refers to a missing passage"))?;
        sink(passage, times);
        next = passage + 1;
        holding += 1;
    }
    Ok(holding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_are_read_as_they_were_written() {
        let expected = [(0, 1), (1, 3), (5, 200), (70_000, 1)];
        let mut growing = Growing::default();
        for (passage, times) in expected {
            growing.push(passage, times);
        }
        let mut found = Vec::new();
        let holding = each(&growing.bytes, 70_001, |passage, times| {
            found.push((u32::try_from(passage).unwrap(), times));
        });
        assert_eq!((holding, found.as_slice()), (Ok(4), expected.as_slice()));
        assert!(each(&growing.bytes, 70_000, |_, _| ()).is_err());
        assert!(each(&growing.bytes[..growing.bytes.len() - 1], 70_001, |_, _| ()).is_err());
    }
}

//! What is kept in memory of a segment: its files, the lengths of passages, first terms.

use super::super::bytes::{Bytes, Damage, put_number, put_text};

/// A file in a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct IndexedFile {
    /// Its path below the corpus folder.
    pub(in super::super) name: String,
    /// Fingerprint of its bytes.
    pub(in super::super) fingerprint: u64,
    /// Where its text begins in the segment.
    pub(in super::super) text_at: u64,
    /// How many bytes its text has.
    pub(in super::super) text_bytes: u64,
    /// The number of its first passage.
    pub(in super::super) first: u32,
    /// How many passages it has.
    pub(in super::super) passages: u32,
}

/// Terms that are read together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The first of them.
    pub(super) term: Box<str>,
    /// Where their postings begin.
    pub(super) postings_at: u64,
    /// How many bytes of postings there are; the terms follow.
    pub(super) postings_bytes: u64,
    /// How many bytes the terms have.
    pub(super) terms_bytes: u64,
}

/// The tables of a segment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tables {
    /// Where the entries of passages begin.
    pub(super) entries_at: u64,
    /// The files, in the order of their passages.
    pub(super) files: Vec<IndexedFile>,
    /// How many terms each passage has, repetitions included.
    pub(super) lengths: Vec<u32>,
    /// The groups of terms, in order.
    pub(super) groups: Vec<Group>,
}

impl Tables {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_number(&mut out, self.entries_at);
        put_number(&mut out, self.files.len() as u64);
        for file in &self.files {
            put_text(&mut out, &file.name);
            out.extend_from_slice(&file.fingerprint.to_le_bytes());
            put_number(&mut out, file.text_at);
            put_number(&mut out, file.text_bytes);
            put_number(&mut out, u64::from(file.passages));
        }
        put_number(&mut out, self.lengths.len() as u64);
        for length in &self.lengths {
            put_number(&mut out, u64::from(*length));
        }
        put_number(&mut out, self.groups.len() as u64);
        for group in &self.groups {
            put_text(&mut out, &group.term);
            put_number(&mut out, group.postings_at);
            put_number(&mut out, group.postings_bytes);
            put_number(&mut out, group.terms_bytes);
        }
        out
    }

    pub(super) fn of(bytes: &[u8]) -> Result<Self, Damage> {
        let mut left = Bytes::of(bytes);
        let entries_at = left.number()?;
        let mut first = 0_u32;
        let mut files = Vec::new();
        for _ in 0..left.count()? {
            let (name, fingerprint) = (left.text()?.to_owned(), left.long()?);
            let (text_at, text_bytes) = (left.number()?, left.number()?);
            let passages = left.small()?;
            files.push(IndexedFile { name, fingerprint, text_at, text_bytes, first, passages });
            first = first.checked_add(passages).ok_or(Damage("there are too many passages"))?;
        }
        let count = left.count()?;
        let lengths = (0..count).map(|_| left.small()).collect::<Result<Vec<u32>, Damage>>()?;
        let mut groups = Vec::new();
        for _ in 0..left.count()? {
            groups.push(Group {
                term: left.text()?.into(),
                postings_at: left.number()?,
                postings_bytes: left.number()?,
                terms_bytes: left.number()?,
            });
        }
        if lengths.len() != first as usize || !left.is_empty() {
            return Err(Damage("its tables contradict each other"));
        }
        Ok(Self { entries_at, files, lengths, groups })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Tables {
        let held = |name: &str, first: u32, passages: u32| IndexedFile {
            name: name.to_owned(),
            fingerprint: u64::MAX,
            text_at: 8,
            text_bytes: 300,
            first,
            passages,
        };
        let term = "rent".into();
        Tables {
            entries_at: 1_000,
            files: vec![held("a.txt", 0, 2), held("é.txt", 2, 1)],
            lengths: vec![3, 0, 200],
            groups: vec![Group { term, postings_at: 9, postings_bytes: 400, terms_bytes: 5 }],
        }
    }

    #[test]
    fn tables_are_read_as_they_were_written() {
        assert_eq!(Tables::of(&tables().to_bytes()), Ok(tables()));
        assert_eq!(Tables::of(&Tables::default().to_bytes()), Ok(Tables::default()));
    }

    /// Checksums are looked at before; these are tables that somebody made up.
    #[test]
    fn made_up_tables_are_refused_or_read_and_never_end_the_program() {
        let bytes = tables().to_bytes();
        for end in 0..bytes.len() {
            assert!(Tables::of(&bytes[..end]).is_err(), "{end}");
        }
        for place in 0..bytes.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut other = bytes.clone();
                other[place] = byte;
                let _ = Tables::of(&other);
            }
        }
    }
}

//! Writing a segment, from its beginning to its end: texts, entries, terms, tables.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::super::bytes::{checksum, put_number, put_text};
use super::super::manifest::SegmentEntry;
use super::tables::{Group, IndexedFile, Tables};
use super::{Entry, GROUP_TERMS, Growing, MAGIC, file_name};

/// A segment that is being written. All texts come first, then all entries, then all terms.
pub(in super::super) struct SegmentWriter {
    out: BufWriter<File>,
    number: u64,
    at: u64,
    tables: Tables,
    entries: u32,
    group: OpenGroup,
}

/// Terms that are not written yet; their postings are.
#[derive(Default)]
struct OpenGroup {
    first: Box<str>,
    terms: Vec<u8>,
    count: usize,
    postings_at: u64,
}

impl SegmentWriter {
    pub(in super::super) fn create(folder: &Path, number: u64) -> io::Result<Self> {
        let out = BufWriter::with_capacity(1 << 20, File::create(folder.join(file_name(number)))?);
        let (tables, group) = (Tables::default(), OpenGroup::default());
        let mut writer = Self { out, number, at: 0, tables, entries: 0, group };
        writer.put(MAGIC)?;
        Ok(writer)
    }

    /// Begins a file with so many passages; its text follows by [`Self::text`].
    pub(in super::super) fn file(&mut self, name: &str, fingerprint: u64, lengths: &[u32]) {
        let count = |lengths: &[u32]| {
            u32::try_from(lengths.len()).expect("fewer than four billion passages in a segment")
        };
        self.tables.files.push(IndexedFile {
            name: name.to_owned(),
            fingerprint,
            text_at: self.at,
            text_bytes: 0,
            first: count(&self.tables.lengths),
            passages: count(lengths),
        });
        self.tables.lengths.extend_from_slice(lengths);
    }

    /// More text of the file begun last.
    pub(in super::super) fn text(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.put(bytes)?;
        if let Some(file) = self.tables.files.last_mut() {
            file.text_bytes += bytes.len() as u64;
        }
        Ok(())
    }

    /// Where the next passage stands.
    pub(in super::super) fn entry(&mut self, entry: Entry) -> io::Result<()> {
        if self.entries == 0 {
            self.tables.entries_at = self.at;
        }
        self.put(&entry.to_bytes(self.entries))?;
        self.entries += 1;
        Ok(())
    }

    /// The next term in the order of bytes, and the passages that hold it.
    pub(in super::super) fn term(&mut self, term: &str, postings: &Growing) -> io::Result<()> {
        if self.group.count == GROUP_TERMS {
            self.close_group()?;
        }
        if self.group.count == 0 {
            self.group.first = term.into();
            self.group.postings_at = self.at;
        }
        put_text(&mut self.group.terms, term);
        put_number(&mut self.group.terms, u64::from(postings.holding));
        put_number(&mut self.group.terms, postings.bytes.len() as u64);
        let sum = checksum(&[&postings.bytes]);
        self.group.terms.extend_from_slice(&sum.to_le_bytes());
        self.group.count += 1;
        self.put(&postings.bytes)
    }

    /// Writes the tables, and waits until all of it is on the disk.
    pub(in super::super) fn finish(mut self) -> io::Result<SegmentEntry> {
        debug_assert_eq!(self.entries as usize, self.tables.lengths.len(), "an entry a passage");
        self.close_group()?;
        let tables_at = self.at;
        let tables = self.tables.to_bytes();
        self.put(&tables)?;
        self.put(&tables_at.to_le_bytes())?;
        self.put(MAGIC)?;
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.sync_all()?;
        let removed = Vec::new();
        Ok(SegmentEntry {
            number: self.number,
            bytes: self.at,
            checksum: checksum(&[&tables]),
            removed,
        })
    }

    fn close_group(&mut self) -> io::Result<()> {
        if self.group.count == 0 {
            return Ok(());
        }
        let mut group = std::mem::take(&mut self.group);
        let sum = checksum(&[&group.terms]);
        group.terms.extend_from_slice(&sum.to_le_bytes());
        self.tables.groups.push(Group {
            term: group.first,
            postings_at: group.postings_at,
            postings_bytes: self.at - group.postings_at,
            terms_bytes: group.terms.len() as u64,
        });
        self.put(&group.terms)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }
}

//! Reading a segment: the tables at once, everything else where and when it is needed.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::super::bytes::{Bytes, Damage, checksum};
use super::super::manifest::SegmentEntry;
use super::super::{DiskError, Result};
use super::entry::{ENTRY_BYTES, Entry};
use super::tables::{Group, IndexedFile, Tables};
use super::{END_BYTES, MAGIC, file_name, postings};

/// Where the postings of a term are.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Place {
    /// How many passages hold the term, removed ones included.
    holding: u32,
    at: u64,
    bytes: u64,
    checksum: u32,
}

/// An open segment.
pub(in super::super) struct Segment {
    file: Mutex<File>,
    listed: SegmentEntry,
    tables: Tables,
    /// Which files are removed, by their number; empty when none is.
    gone: Vec<bool>,
    /// What is left.
    live: Live,
}

/// What a segment holds without removed files.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct Live {
    /// How many passages.
    pub(in super::super) passages: u64,
    /// How many terms they have, repetitions included.
    pub(in super::super) terms: u64,
}

impl Segment {
    /// Opens a segment that is on the list.
    pub(in super::super) fn open(folder: &Path, listed: SegmentEntry) -> Result<Self> {
        let name = file_name(listed.number);
        let file = match File::open(folder.join(&name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(DiskError::Damaged { file: name, why: "it is missing" });
            }
            file => file?,
        };
        let length = file.metadata()?.len();
        let (file, tables, live) = (Mutex::new(file), Tables::default(), Live::default());
        let mut segment = Self { file, listed, tables, gone: Vec::new(), live };
        if length != segment.listed.bytes || length < END_BYTES + MAGIC.len() as u64 {
            return Err(segment.damaged(Damage("its size differs")));
        }
        let end = segment.read(length - END_BYTES, END_BYTES)?;
        let tables_at = Bytes::of(&end).long().map_err(|broken| segment.damaged(broken))?;
        let begins = segment.read(0, MAGIC.len() as u64)?;
        if begins != MAGIC || !end.ends_with(MAGIC) || tables_at > length - END_BYTES {
            return Err(segment.damaged(Damage("it is not a segment")));
        }
        let tables = segment.read(tables_at, length - END_BYTES - tables_at)?;
        if checksum(&[&tables]) != segment.listed.checksum {
            return Err(segment.damaged(Damage("the checksum of its tables differs")));
        }
        segment.tables = Tables::of(&tables).map_err(|broken| segment.damaged(broken))?;
        segment.live = Live::of(segment.lengths());
        for file in std::mem::take(&mut segment.listed.removed) {
            if !segment.remove(file) {
                return Err(segment.damaged(Damage("a removed file is not in it")));
            }
        }
        Ok(segment)
    }

    /// How the segment is listed, with the files removed since it was written.
    pub(in super::super) fn listed(&self) -> SegmentEntry {
        let gone = self.gone.iter().enumerate().filter(|(_, gone)| **gone);
        let removed = gone.filter_map(|(file, _)| u32::try_from(file).ok()).collect();
        SegmentEntry { removed, ..self.listed.clone() }
    }

    /// Its number, which no other segment of the index ever had.
    pub(in super::super) fn number(&self) -> u64 {
        self.listed.number
    }

    /// Its size in bytes.
    pub(in super::super) fn bytes(&self) -> u64 {
        self.listed.bytes
    }

    /// Its files, removed ones included; their place is their number.
    pub(in super::super) fn files(&self) -> &[IndexedFile] {
        &self.tables.files
    }

    /// Its files and their numbers, without removed ones.
    pub(in super::super) fn live_files(&self) -> impl Iterator<Item = (usize, &IndexedFile)> {
        let live = move |file: usize| self.gone.get(file).is_none_or(|gone| !gone);
        self.files().iter().enumerate().filter(move |(file, _)| live(*file))
    }

    /// What it holds without removed files.
    pub(in super::super) fn live(&self) -> Live {
        self.live
    }

    /// Whether the file of a passage was not removed.
    pub(in super::super) fn is_live(&self, passage: usize) -> bool {
        self.gone.is_empty() || !self.gone[self.file_of(passage)]
    }

    /// Takes a file out; says whether it was there.
    pub(in super::super) fn remove(&mut self, file: u32) -> bool {
        self.gone.resize(self.tables.files.len(), false);
        let Some(gone) = self.gone.get_mut(file as usize).filter(|gone| !**gone) else {
            return false;
        };
        *gone = true;
        let less =
            Live::of(&self.tables.lengths[Self::passages(&self.tables.files[file as usize])]);
        self.live.passages -= less.passages;
        self.live.terms -= less.terms;
        true
    }

    /// How many terms each passage has, removed ones included; their place is their number.
    pub(in super::super) fn lengths(&self) -> &[u32] {
        &self.tables.lengths
    }

    /// The numbers of a file's passages.
    pub(in super::super) fn passages(file: &IndexedFile) -> Range<usize> {
        let first = file.first as usize;
        first..first + file.passages as usize
    }

    /// The number of the file that holds a passage.
    pub(in super::super) fn file_of(&self, passage: usize) -> usize {
        self.files().partition_point(|file| file.first as usize <= passage).saturating_sub(1)
    }

    /// Where some passages stand.
    pub(in super::super) fn entries(&self, passages: Range<usize>) -> Result<Vec<Entry>> {
        let entry_bytes = ENTRY_BYTES as u64;
        let at = (passages.start as u64).saturating_mul(entry_bytes);
        let at = at.saturating_add(self.tables.entries_at);
        let bytes = self.read(at, (passages.len() as u64).saturating_mul(entry_bytes))?;
        let numbered = bytes.chunks_exact(ENTRY_BYTES).zip(passages);
        numbered
            .map(|(bytes, passage)| {
                let passage = u32::try_from(passage).unwrap_or(u32::MAX);
                Entry::of(bytes, passage).map_err(|broken| self.damaged(broken))
            })
            .collect()
    }

    /// The text of a passage.
    pub(in super::super) fn text(&self, file: &IndexedFile, entry: &Entry) -> Result<String> {
        let end = entry.offset.checked_add(entry.bytes);
        if end.is_none_or(|end| end > file.text_bytes) {
            return Err(self.damaged(Damage("a passage ends behind its file")));
        }
        let bytes = self.read(file.text_at.saturating_add(entry.offset), entry.bytes)?;
        if checksum(&[&bytes]) != entry.checksum {
            return Err(self.damaged(Damage("the checksum of a passage differs")));
        }
        String::from_utf8(bytes).map_err(|_| self.damaged(Damage("a passage is not UTF-8")))
    }

    /// Where the postings of a term are; none when no passage holds it.
    pub(in super::super) fn find(&self, term: &str) -> Result<Option<Place>> {
        let behind = self.tables.groups.partition_point(|group| &*group.term <= term);
        let Some(group) = behind.checked_sub(1).map(|group| &self.tables.groups[group]) else {
            return Ok(None);
        };
        let at = group.postings_at.saturating_add(group.postings_bytes);
        let terms = self.read(at, group.terms_bytes)?;
        let mut found = None;
        self.each_term(group, &terms, |other, place| {
            if other == term {
                found = Some(place);
            }
        })?;
        Ok(found)
    }

    /// Gives each passage that holds a term, and how often, to `sink`, in order.
    pub(in super::super) fn each_posting(
        &self,
        place: Place,
        sink: impl FnMut(usize, u32),
    ) -> Result<()> {
        self.each_of(place, &self.read(place.at, place.bytes)?, sink)
    }

    /// How many live passages hold a term.
    pub(in super::super) fn holding(&self, place: Place) -> Result<u64> {
        if self.gone.is_empty() {
            return Ok(u64::from(place.holding));
        }
        let mut holding = 0;
        self.each_posting(place, |passage, _| {
            holding += u64::from(self.is_live(passage));
        })?;
        Ok(holding)
    }

    /// How many groups of terms there are.
    pub(in super::super) fn groups(&self) -> usize {
        self.tables.groups.len()
    }

    /// A group of terms with their postings, in the order of terms.
    pub(in super::super) fn group(&self, group: usize) -> Result<Vec<Listing>> {
        let group = &self.tables.groups[group];
        let all = group.postings_bytes.saturating_add(group.terms_bytes);
        let bytes = self.read(group.postings_at, all)?;
        // Both parts were read, so they fit memory.
        let middle = usize::try_from(group.postings_bytes).unwrap_or(usize::MAX).min(bytes.len());
        let (postings, terms) = bytes.split_at(middle);
        let mut listings = Vec::new();
        let mut left = Bytes::of(postings);
        let mut broken = None;
        self.each_term(group, terms, |term, place| {
            let length = usize::try_from(place.bytes).unwrap_or(usize::MAX);
            match left.take(length) {
                Ok(own) => {
                    listings.push(Listing { term: term.into(), place, postings: own.to_vec() });
                }
                Err(error) => broken = Some(error),
            }
        })?;
        broken.map_or(Ok(listings), |broken| Err(self.damaged(broken)))
    }

    /// The same as [`Self::each_posting`] for postings that were read before.
    pub(in super::super) fn each_listed(
        &self,
        listing: &Listing,
        sink: impl FnMut(usize, u32),
    ) -> Result<()> {
        self.each_of(listing.place, &listing.postings, sink)
    }

    /// Some bytes of the file.
    pub(in super::super) fn read(&self, at: u64, length: u64) -> Result<Vec<u8>> {
        let inside = at.checked_add(length).is_some_and(|end| end <= self.listed.bytes);
        let length = usize::try_from(length).ok().filter(|_| inside);
        let length = length.ok_or_else(|| self.damaged(Damage("it ends too early")))?;
        let mut bytes = vec![0; length];
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        match file.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(self.damaged(Damage("it ends too early")))
            }
            read => Ok(read.map(|()| bytes)?),
        }
    }

    fn each_of(&self, place: Place, bytes: &[u8], sink: impl FnMut(usize, u32)) -> Result<()> {
        if checksum(&[bytes]) != place.checksum {
            return Err(self.damaged(Damage("the checksum of a term's passages differs")));
        }
        let holding = postings::each(bytes, self.tables.lengths.len(), sink)
            .map_err(|broken| self.damaged(broken))?;
        if holding != place.holding {
            return Err(self.damaged(Damage("the passage count of a term differs")));
        }
        Ok(())
    }

    fn each_term(&self, group: &Group, bytes: &[u8], sink: impl FnMut(&str, Place)) -> Result<()> {
        each_term(group, bytes, sink).map_err(|broken| self.damaged(broken))
    }

    fn damaged(&self, Damage(why): Damage) -> DiskError {
        DiskError::Damaged { file: file_name(self.listed.number), why }
    }
}

impl Live {
    fn of(lengths: &[u32]) -> Self {
        let terms = lengths.iter().map(|length| u64::from(*length)).sum();
        Self { passages: lengths.len() as u64, terms }
    }
}

/// A term with its postings.
pub(in super::super) struct Listing {
    pub(in super::super) term: Box<str>,
    place: Place,
    postings: Vec<u8>,
}

/// Gives each term of a group and where its postings are to `sink`, in order.
fn each_term(group: &Group, bytes: &[u8], mut sink: impl FnMut(&str, Place)) -> Result<(), Damage> {
    let differs = Damage("the checksum of terms differs");
    let (terms, own) = bytes.split_last_chunk::<4>().ok_or(differs)?;
    if u32::from_le_bytes(*own) != checksum(&[terms]) {
        return Err(differs);
    }
    let mut left = Bytes::of(terms);
    let mut at = group.postings_at;
    while !left.is_empty() {
        let (term, holding) = (left.text()?, left.small()?);
        let (bytes, checksum) = (left.number()?, left.word()?);
        sink(term, Place { holding, at, bytes, checksum });
        at = at.checked_add(bytes).ok_or(Damage("a number is too large"))?;
    }
    Ok(())
}

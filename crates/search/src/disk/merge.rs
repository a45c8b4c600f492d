//! Segments written anew as one: without what was removed, and so that there are never many.

use std::collections::BTreeMap;
use std::path::Path;

use super::Result;
use super::manifest::SegmentEntry;
use super::segment::{Growing, IndexedFile, Listing, Segment, SegmentWriter};

/// So many segments of about one size become one.
const ALIKE_MAX: usize = 8;
/// Segments below this size are all alike.
const SMALL_BYTES: u64 = 1 << 20;
/// A segment is written anew when more than one part of so many of its text is removed.
const REMOVED_PARTS: u64 = 4;
/// Text and entries that are copied at a time.
const COPIED_BYTES: u64 = 1 << 20;
const COPIED_ENTRIES: usize = 4096;
/// The new number of a passage that was removed.
const GONE: u32 = u32::MAX;

/// The segments to be written anew as one, by their places; none when all is in order.
pub(super) fn due(segments: &[Segment]) -> Option<Vec<usize>> {
    let stale = segments.iter().position(|segment| {
        let bytes = |file: &IndexedFile| file.text_bytes;
        let all: u64 = segment.files().iter().map(bytes).fold(0, u64::saturating_add);
        let live = segment.live_files().map(|(_, file)| bytes(file)).fold(0, u64::saturating_add);
        (all - live).saturating_mul(REMOVED_PARTS) > all
    });
    if let Some(stale) = stale {
        return Some(vec![stale]);
    }
    let mut alike: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (place, segment) in segments.iter().enumerate() {
        let size = (segment.bytes() / SMALL_BYTES).max(1).ilog(8);
        alike.entry(size).or_default().push(place);
    }
    let fits = |places: &Vec<usize>| {
        let passages: usize = places.iter().map(|place| segments[*place].lengths().len()).sum();
        places.len() >= ALIKE_MAX && passages < GONE as usize
    };
    alike.into_values().find(fits)
}

/// Writes what is left of some segments as a new one.
pub(super) fn merge(folder: &Path, number: u64, sources: &[&Segment]) -> Result<SegmentEntry> {
    let mut writer = SegmentWriter::create(folder, number)?;
    for (source, file) in live_files(sources) {
        let lengths = &source.lengths()[Segment::passages(file)];
        writer.file(&file.name, file.fingerprint, lengths);
        let end = file.text_at.saturating_add(file.text_bytes);
        let mut at = file.text_at;
        while at < end {
            let length = (end - at).min(COPIED_BYTES);
            writer.text(&source.read(at, length)?)?;
            at += length;
        }
    }
    for (source, file) in live_files(sources) {
        let mut left = Segment::passages(file);
        while !left.is_empty() {
            let some = left.start..left.end.min(left.start + COPIED_ENTRIES);
            left.start = some.end;
            for entry in source.entries(some)? {
                writer.entry(entry)?;
            }
        }
    }
    copy_terms(&mut writer, sources)?;
    Ok(writer.finish()?)
}

fn live_files<'a>(sources: &[&'a Segment]) -> impl Iterator<Item = (&'a Segment, &'a IndexedFile)> {
    let files = |source: &'a Segment| source.live_files().map(move |(_, file)| (source, file));
    sources.iter().copied().flat_map(files)
}

fn copy_terms(writer: &mut SegmentWriter, sources: &[&Segment]) -> Result<()> {
    let mut first = 0;
    let mut cursors = Vec::with_capacity(sources.len());
    for source in sources {
        cursors.push(Cursor::of(source, &mut first)?);
    }
    let mut postings = Growing::default();
    while let Some(term) = cursors.iter().filter_map(Cursor::term).min().map(Box::<str>::from) {
        postings.clear();
        for cursor in cursors.iter_mut().filter(|cursor| cursor.term() == Some(&*term)) {
            cursor.take(&mut postings)?;
        }
        if !postings.is_empty() {
            writer.term(&term, &postings)?;
        }
    }
    Ok(())
}

/// The terms of a segment, one after the other.
struct Cursor<'a> {
    segment: &'a Segment,
    /// The new number of each passage.
    numbers: Vec<u32>,
    group: usize,
    listings: std::vec::IntoIter<Listing>,
    current: Option<Listing>,
}

impl<'a> Cursor<'a> {
    /// Stands at the first term; numbers live passages from `first` on.
    fn of(segment: &'a Segment, first: &mut u32) -> Result<Self> {
        let mut numbers = vec![GONE; segment.lengths().len()];
        for (_, file) in segment.live_files() {
            for number in &mut numbers[Segment::passages(file)] {
                *number = *first;
                *first += 1;
            }
        }
        let listings = Vec::new().into_iter();
        let mut cursor = Self { segment, numbers, group: 0, listings, current: None };
        cursor.advance()?;
        Ok(cursor)
    }

    fn term(&self) -> Option<&str> {
        self.current.as_ref().map(|listing| &*listing.term)
    }

    /// Gives the postings of the current term, and goes on to the next.
    fn take(&mut self, postings: &mut Growing) -> Result<()> {
        if let Some(listing) = &self.current {
            self.segment.each_listed(listing, |passage, times| {
                if self.numbers[passage] != GONE {
                    postings.push(self.numbers[passage], times);
                }
            })?;
        }
        self.advance()
    }

    fn advance(&mut self) -> Result<()> {
        self.current = self.listings.next();
        while self.current.is_none() && self.group < self.segment.groups() {
            self.listings = self.segment.group(self.group)?.into_iter();
            self.group += 1;
            self.current = self.listings.next();
        }
        Ok(())
    }
}

//! A segment: a file of passages that is written once and never changed.
//!
//! From its beginning to its end:
//!
//! | what | read |
//! |---|---|
//! | [`MAGIC`] | |
//! | the texts of its files, end to end | a passage at a time |
//! | [`Entry`] for each passage, all of one size | one at a time |
//! | groups of terms: the [`postings`] of each, then the terms themselves | a group of terms, then the postings of one |
//! | [`Tables`]: files, lengths of passages, first terms of groups | once, when the segment is opened |
//! | where the tables begin, [`MAGIC`] | once |
//!
//! Whatever is read on its own has a checksum, and no length in it is believed before it is
//! held against the size of the file. The checksum of the tables stands in the list of segments.

pub(super) mod build;
mod entry;
mod postings;
mod read;
mod tables;
mod write;

pub(super) use entry::Entry;
pub(super) use postings::Growing;
pub(super) use read::{Listing, Place, Segment};
pub(super) use tables::IndexedFile;
pub(super) use write::SegmentWriter;

/// What a segment begins and ends with. The zero says that it is no text.
const MAGIC: &[u8; 8] = b"assize\0\x02";
/// Terms that are read together.
const GROUP_TERMS: usize = 64;
/// Where the tables begin, and [`MAGIC`].
const END_BYTES: u64 = 16;

/// The name of a segment's file.
pub(super) fn file_name(number: u64) -> String {
    format!("assize-segment-{number}.bin")
}

/// The number of the segment that a file of this name holds.
pub(super) fn number_of(file_name: &str) -> Option<u64> {
    file_name.strip_prefix("assize-segment-")?.strip_suffix(".bin")?.parse().ok()
}

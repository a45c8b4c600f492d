//! Bringing a folder into the index: only what is new or changed is read in.
//!
//! A file and all its passages become durable together. Stop the process at any moment:
//! the next run takes up after the last files that were.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;

use super::manifest::{Lock, is_of_an_index};
use super::segment::build::{Builder, Cut};
use super::segment::{Segment, number_of};
use super::{DiskIndex, Result, merge};
use crate::chunk::Chunking;
use crate::corpus::read::read_file;
use crate::corpus::walk::{Found, list_folder};
use crate::corpus::{Document, Limits, Remark, Report};

/// Text taken in before it is made durable, as a segment of its own.
const SEGMENT_BYTES: usize = 64 << 20;
/// Files read at the same time have together about so many bytes, which bounds memory.
const BATCH_BYTES: u64 = 16 << 20;
/// What a file counts for beside its bytes, so that many tiny ones are not read at once.
const FILE_BYTES: u64 = 16 << 10;

/// How far an update has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Files looked at.
    pub files_done: usize,
    /// Files in the folder.
    pub files: usize,
}

/// What an update did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Updated {
    /// Files that were not in the index.
    pub added: usize,
    /// Files whose bytes had changed.
    pub changed: usize,
    /// Files that are gone from the folder.
    pub removed: usize,
    /// Files left as they were.
    pub unchanged: usize,
    /// Remarks on files that were read or left out.
    pub report: Report,
}

impl DiskIndex {
    /// Makes the index hold exactly the texts of a folder.
    pub fn update(
        &mut self,
        folder: &Path,
        limits: Limits,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<Updated> {
        let _lock = Lock::take(&self.folder)?;
        // As it is now: another process may have changed it since it was opened.
        *self = Self::open(&self.folder)?.cut_by(self.chunking)?;
        let (mut files, remarks) = list_folder(folder)?;
        // An index may lie below its corpus. Its list is another after each commit, and would be
        // a change for the next run; so would that of another index of the same corpus.
        files.retain(|file| {
            !file.path.file_name().and_then(OsStr::to_str).is_some_and(is_of_an_index)
        });
        let mut changes = Changes::to(&self.segments);
        changes.done.report.remarks = remarks;
        let mut files_done = 0;
        for batch in batches(&files) {
            self.take_in(batch, limits, &mut changes)?;
            for _ in batch {
                files_done += 1;
                progress(Progress { files_done, files: files.len() });
            }
        }
        let gone = std::mem::take(&mut changes.known);
        changes.done.removed += gone.len();
        changes.removed.extend(gone.into_values().map(|known| known.place));
        self.commit(&mut changes)?;
        self.settle()?;
        let mut done = changes.done;
        done.report.remarks.sort_by(|left, right| left.0.cmp(&right.0));
        Ok(done)
    }

    /// Takes files in where they are new or changed.
    fn take_in(&mut self, files: &[Found], limits: Limits, changes: &mut Changes) -> Result<()> {
        let (known, chunking) = (&changes.known, self.chunking);
        let looked: Vec<FileLook> =
            files.par_iter().map(|file| FileLook::at(file, limits, known, chunking)).collect();
        let mut cuts = Vec::new();
        for (file, looked) in files.iter().zip(looked) {
            cuts.extend(changes.note(file, looked));
        }
        if cuts.is_empty() {
            return Ok(());
        }
        let builder = match &mut changes.builder {
            Some(builder) => builder,
            none => {
                let number = self.take_number();
                none.insert(Builder::create(&self.folder, number)?)
            }
        };
        builder.take_in(&cuts)?;
        if builder.text_bytes() >= SEGMENT_BYTES {
            self.commit(changes)?;
        }
        Ok(())
    }

    /// Makes durable what has come in and what was removed, together.
    fn commit(&mut self, changes: &mut Changes) -> Result<()> {
        let new = changes.builder.take().map(Builder::finish).transpose()?;
        if new.is_none() && changes.removed.is_empty() {
            return Ok(());
        }
        for (number, file) in changes.removed.drain(..) {
            let mut segments = self.segments.iter_mut();
            if let Some(segment) = segments.find(|segment| segment.number() == number) {
                segment.remove(file);
            }
        }
        self.segments.retain(|segment| segment.live_files().next().is_some());
        if let Some(new) = new {
            self.segments.push(Segment::open(&self.folder, new)?);
        }
        self.write_list()?;
        self.sweep();
        Ok(())
    }

    /// Joins segments until there are few, and none has much in it that was removed.
    fn settle(&mut self) -> Result<()> {
        while let Some(places) = merge::due(&self.segments) {
            let number = self.take_number();
            let sources: Vec<&Segment> =
                places.iter().map(|place| &self.segments[*place]).collect();
            let merged = merge::merge(&self.folder, number, &sources)?;
            let merged = Segment::open(&self.folder, merged)?;
            for place in places.into_iter().rev() {
                self.segments.remove(place);
            }
            self.segments.push(merged);
            self.write_list()?;
            self.sweep();
        }
        Ok(())
    }

    fn take_number(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        number
    }

    /// Deletes segments that are not on the list. What cannot be deleted now, because somebody
    /// still reads it, is deleted the next time.
    fn sweep(&self) {
        let Ok(entries) = fs::read_dir(&self.folder) else { return };
        for entry in entries.flatten() {
            let number = entry.file_name().to_str().and_then(number_of);
            let listed = |number| self.segments.iter().any(|segment| segment.number() == number);
            if number.is_some_and(|number| !listed(number)) {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// A segment's number, and the number of a file in it.
type Place = (u64, u32);

/// A file in the index.
struct IndexEntry {
    fingerprint: u64,
    place: Place,
}

/// An update under way.
struct Changes {
    /// The files of the index that have not been met in the folder.
    known: BTreeMap<String, IndexEntry>,
    /// Files to be removed with the next commit.
    removed: Vec<Place>,
    builder: Option<Builder>,
    done: Updated,
}

impl Changes {
    fn to(segments: &[Segment]) -> Self {
        let mut known = BTreeMap::new();
        for segment in segments {
            for (file, held) in segment.live_files() {
                let file = u32::try_from(file).expect("fewer than four billion files");
                let place = (segment.number(), file);
                known
                    .insert(held.name.clone(), IndexEntry { fingerprint: held.fingerprint, place });
            }
        }
        Self { known, removed: Vec::new(), builder: None, done: Updated::default() }
    }

    /// Counts a file, and gives what is to be taken in of it.
    fn note(&mut self, file: &Found, looked: FileLook) -> Option<Cut> {
        let before = self.known.remove(&file.name);
        let FileLook::Read { fingerprint, document, remark } = looked else {
            self.done.unchanged += 1;
            return None;
        };
        self.done.report.remarks.extend(remark.map(|remark| (file.name.clone(), remark)));
        match (&document, &before) {
            (Some(_), Some(_)) => self.done.changed += 1,
            (Some(_), None) => self.done.added += 1,
            (None, before) => self.done.removed += usize::from(before.is_some()),
        }
        self.removed.extend(before.map(|known| known.place));
        document.map(|(document, passages)| Cut { document, fingerprint, passages })
    }
}

/// What there is to say about a file of the folder.
enum FileLook {
    Unchanged,
    Read {
        fingerprint: u64,
        document: Option<(Document, Vec<Range<usize>>)>,
        remark: Option<Remark>,
    },
}

impl FileLook {
    fn at(
        file: &Found,
        limits: Limits,
        known: &BTreeMap<String, IndexEntry>,
        chunking: Chunking,
    ) -> Self {
        let fingerprint = fingerprint(&file.path, limits);
        let before = known.get(&file.name).map(|known| known.fingerprint);
        if before.is_some() && before == fingerprint {
            return Self::Unchanged;
        }
        let (document, remark) = read_file(file, limits);
        let document = document.map(|document| {
            let passages = chunking.ranges(&document.text);
            (document, passages)
        });
        Self::Read { fingerprint: fingerprint.unwrap_or(0), document, remark }
    }
}

/// Files in groups that are read together.
fn batches(files: &[Found]) -> impl Iterator<Item = &[Found]> {
    let mut bytes = 0;
    files.chunk_by(move |file, _| {
        bytes += FILE_BYTES + fs::metadata(&file.path).map_or(0, |metadata| metadata.len());
        let full = bytes >= BATCH_BYTES;
        bytes = if full { 0 } else { bytes };
        !full
    })
}

/// FNV-1a over the bytes of a file; none when it cannot or need not be read.
fn fingerprint(path: &Path, limits: Limits) -> Option<u64> {
    let small = fs::metadata(path).is_ok_and(|metadata| metadata.len() <= limits.file_bytes_max);
    let bytes = small.then(|| fs::read(path).ok()).flatten()?;
    Some(bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

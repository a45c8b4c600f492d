//! Bringing a folder into the index: only what is new or changed is read in.
//!
//! A file and all its passages become durable together. Stop the process at any moment:
//! the next run takes up after the last files that were.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tantivy::collector::DocSetCollector;
use tantivy::indexer::UserOperation;
use tantivy::query::TermQuery;
use tantivy::schema::{IndexRecordOption, Value};
use tantivy::{DocAddress, IndexWriter, TantivyDocument, Term};

use super::schema::FILE;
use super::{DiskError, DiskIndex};
use crate::corpus::read::read_file;
use crate::corpus::walk::{Found, list_folder};
use crate::corpus::{Document, Limits, Report};

/// Memory the engine may fill before it writes.
const WRITER_BYTES: usize = 128 << 20;
/// Text taken in before it is made durable.
const COMMIT_BYTES: usize = 64 << 20;

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
    ) -> Result<Updated, DiskError> {
        let (files, remarks) = list_folder(folder)?;
        let mut known = self.files()?;
        let done = Updated { report: Report { remarks }, ..Updated::default() };
        let mut update = Update { writer: self.index.writer(WRITER_BYTES)?, done };
        let mut waiting_bytes = 0;
        let all = files.len();
        for (index, file) in files.iter().enumerate() {
            waiting_bytes += self.take_in(file, limits, &mut known, &mut update)?;
            if waiting_bytes >= COMMIT_BYTES {
                update.writer.commit()?;
                waiting_bytes = 0;
            }
            progress(Progress { files_done: index + 1, files: all });
        }
        let Update { mut writer, mut done } = update;
        for name in known.keys() {
            self.remove(name, &writer);
        }
        done.removed += known.len();
        writer.commit()?;
        self.settle(writer, done.changed + done.removed > 0)?;
        done.report.remarks.sort_by(|left, right| left.0.cmp(&right.0));
        Ok(done)
    }

    /// The files in the index and the fingerprints of their bytes.
    pub fn files(&self) -> Result<BTreeMap<String, u64>, DiskError> {
        let searcher = self.reader.searcher();
        let kind = Term::from_field_text(self.fields.kind, FILE);
        let entries = TermQuery::new(kind, IndexRecordOption::Basic);
        let entries = searcher.search(&entries, &DocSetCollector)?;
        let mut addresses: Vec<DocAddress> = entries.into_iter().collect();
        addresses.sort_unstable();
        let mut files = BTreeMap::new();
        for address in addresses {
            let entry: TantivyDocument = searcher.doc(address)?;
            let path = entry.get_first(self.fields.path).and_then(|value| value.as_str());
            let fingerprint = entry.get_first(self.fields.fingerprint);
            let fingerprint = fingerprint.and_then(|value| value.as_u64()).unwrap_or(0);
            files.extend(path.map(|path| (path.to_owned(), fingerprint)));
        }
        Ok(files)
    }

    /// Takes one file in if it is new or changed; says how many bytes of text came in.
    fn take_in(
        &self,
        file: &Found,
        limits: Limits,
        known: &mut BTreeMap<String, u64>,
        update: &mut Update,
    ) -> Result<usize, DiskError> {
        let fingerprint = fingerprint(&file.path, limits);
        let before = known.remove(&file.name);
        if before.is_some() && before == fingerprint {
            update.done.unchanged += 1;
            return Ok(0);
        }
        if before.is_some() {
            self.remove(&file.name, &update.writer);
        }
        let (document, remark) = read_file(file, limits);
        update.done.report.remarks.extend(remark.map(|remark| (file.name.clone(), remark)));
        let Some(document) = document else {
            update.done.removed += usize::from(before.is_some());
            return Ok(0);
        };
        match before {
            Some(_) => update.done.changed += 1,
            None => update.done.added += 1,
        }
        self.add(&document, fingerprint.unwrap_or(0), &update.writer)?;
        Ok(document.text.len())
    }

    fn add(
        &self,
        document: &Document,
        fingerprint: u64,
        writer: &IndexWriter,
    ) -> Result<(), DiskError> {
        let fields = self.fields;
        // One group of operations: the engine never makes a part of it durable.
        let mut entries = Vec::new();
        for (chunk, bytes) in self.chunking.ranges(&document.text).into_iter().enumerate() {
            let (start, end) = document.span(&bytes);
            let mut entry = TantivyDocument::new();
            entry.add_text(fields.path, &document.path);
            entry.add_u64(fields.chunk, chunk as u64);
            entry.add_u64(fields.start, start as u64);
            entry.add_u64(fields.end, end as u64);
            entry.add_text(fields.text, &document.text[bytes]);
            entries.push(UserOperation::Add(entry));
        }
        let mut entry = TantivyDocument::new();
        entry.add_text(fields.path, &document.path);
        entry.add_text(fields.kind, FILE);
        entry.add_u64(fields.fingerprint, fingerprint);
        entries.push(UserOperation::Add(entry));
        writer.run(entries)?;
        Ok(())
    }

    fn remove(&self, name: &str, writer: &IndexWriter) {
        writer.delete_term(Term::from_field_text(self.fields.path, name));
    }

    /// Entries that were deleted still count as texts until their segment is rewritten, so
    /// rewrite: the same files give the same scores, however the index came about.
    fn settle(&mut self, mut writer: IndexWriter, deleted: bool) -> Result<(), DiskError> {
        if deleted {
            let segments = self.index.searchable_segment_ids()?;
            writer.merge(&segments).wait()?;
        }
        writer.wait_merging_threads()?;
        self.reader.reload()?;
        Ok(())
    }
}

/// An update under way.
struct Update {
    writer: IndexWriter,
    done: Updated,
}

/// FNV-1a over the bytes of a file; none when it cannot or need not be read.
fn fingerprint(path: &Path, limits: Limits) -> Option<u64> {
    let small = fs::metadata(path).is_ok_and(|metadata| metadata.len() <= limits.file_bytes_max);
    let bytes = small.then(|| fs::read(path).ok()).flatten()?;
    Some(bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    }))
}

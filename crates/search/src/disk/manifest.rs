//! The list of segments, replaced as a whole: what is not on it is not in the index.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::bytes::checksum;
use super::segment::number_of;
use super::{DiskError, FORMAT, LIST, Result};

/// The list while it is written.
const NEW_LIST: &str = "assize-index.json.new";
/// The file that says by its lock that somebody writes.
const LOCK: &str = "assize-index.lock";

/// A segment on the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SegmentEntry {
    /// Its number, from which its file has its name.
    pub(super) number: u64,
    /// The size of its file.
    pub(super) bytes: u64,
    /// The checksum of its tables.
    pub(super) checksum: u32,
    /// The files in it that have been removed or changed since, by number.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) removed: Vec<u32>,
}

/// What the index consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Manifest {
    /// How the passages were cut.
    pub(super) chunking: String,
    /// The number of the next segment: no number is used twice.
    pub(super) next: u64,
    pub(super) segments: Vec<SegmentEntry>,
}

/// The file: every format has a number, this one the list with its checksum.
#[derive(Serialize, Deserialize)]
struct ManifestFile {
    format: u32,
    checksum: u32,
    index: Box<RawValue>,
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

impl Manifest {
    /// Reads the list of the index in a folder.
    pub(super) fn read(folder: &Path) -> Result<Self> {
        let bytes = match fs::read(folder.join(LIST)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(DiskError::Missing(folder.display().to_string()));
            }
            bytes => bytes?,
        };
        let Format { format } = serde_json::from_slice(&bytes)?;
        if format != FORMAT {
            return Err(DiskError::Format { found: format });
        }
        let written: ManifestFile = serde_json::from_slice(&bytes)?;
        let index = written.index.get();
        if checksum(&[index.as_bytes()]) != written.checksum {
            return Err(DiskError::Damaged { file: LIST.to_owned(), why: "its checksum differs" });
        }
        Ok(serde_json::from_str(index)?)
    }

    /// Puts this list in the place of the last one: whole or not at all, and on the disk.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let index = to_raw_value(self)?;
        let checksum = checksum(&[index.get().as_bytes()]);
        let bytes = serde_json::to_vec(&ManifestFile { format: FORMAT, checksum, index })?;
        Ok(replace(folder, &bytes, names_kept)?)
    }
}

/// Whether a file of this name belongs to an index, and is no text of a corpus.
pub(super) fn is_of_an_index(file_name: &str) -> bool {
    [LIST, NEW_LIST, LOCK].contains(&file_name) || number_of(file_name).is_some()
}

/// Puts a file in the place of the list. `names_kept` waits until the names in a folder are on
/// the disk: of segments before the list names them, and then of the list itself.
fn replace(
    folder: &Path,
    bytes: &[u8],
    mut names_kept: impl FnMut(&Path) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = File::create(folder.join(NEW_LIST))?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    names_kept(folder)?;
    fs::rename(folder.join(NEW_LIST), folder.join(LIST))?;
    names_kept(folder)
}

fn names_kept(folder: &Path) -> io::Result<()> {
    // Only where a folder can be opened as a file is there anything to wait for.
    File::open(folder).map_or(Ok(()), |folder| folder.sync_all())
}

/// Held by whoever changes the index; given back when dropped, or when the process ends.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of an index, without waiting.
    pub(super) fn take(folder: &Path) -> Result<Self> {
        let file = File::create(folder.join(LOCK))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(DiskError::Busy),
            // A file system without locks: nobody can be kept out.
            Err(TryLockError::Error(error)) if error.kind() != io::ErrorKind::Unsupported => {
                Err(error.into())
            }
            _ => Ok(Self { _file: file }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_on_the_disk_before_the_list_is_replaced_and_after() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).ok();
        fs::write(folder.path().join(LIST), "old").unwrap();
        let mut seen = Vec::new();
        let note = |synced: &Path| {
            assert_eq!(synced, folder.path());
            seen.push((read(LIST), read(NEW_LIST)));
            Ok(())
        };
        replace(folder.path(), b"new", note).unwrap();
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(seen, [(text("old"), text("new")), (text("new"), None)]);
    }
}

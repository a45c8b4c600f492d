//! The list of segments, replaced as a whole: what is not on it is not in the index.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use super::bytes::checksum;
use super::{DiskError, FORMAT, LIST};

/// The list while it is written.
const NEW_LIST: &str = "assize-index.json.new";
/// The file that says by its lock that somebody writes.
const LOCK: &str = "assize-index.lock";

/// A segment on the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Listed {
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
    /// The segments.
    pub(super) segments: Vec<Listed>,
}

/// The file: every format has a number, this one the list with its checksum.
#[derive(Serialize, Deserialize)]
struct Written {
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
    pub(super) fn read(folder: &Path) -> Result<Self, DiskError> {
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
        let written: Written = serde_json::from_slice(&bytes)?;
        let index = written.index.get();
        if checksum(&[index.as_bytes()]) != written.checksum {
            return Err(DiskError::Damaged { file: LIST.to_owned(), why: "its checksum differs" });
        }
        Ok(serde_json::from_str(index)?)
    }

    /// Puts this list in the place of the last one: whole or not at all, and on the disk.
    pub(super) fn write(&self, folder: &Path) -> Result<(), DiskError> {
        let index = to_raw_value(self)?;
        let checksum = checksum(&[index.get().as_bytes()]);
        let bytes = serde_json::to_vec(&Written { format: FORMAT, checksum, index })?;
        let mut file = File::create(folder.join(NEW_LIST))?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        drop(file);
        fs::rename(folder.join(NEW_LIST), folder.join(LIST))?;
        // Only where a folder can be opened as a file is there anything to wait for.
        if let Ok(folder) = File::open(folder) {
            folder.sync_all()?;
        }
        Ok(())
    }
}

/// Held by whoever changes the index; given back when dropped, or when the process ends.
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of an index, without waiting.
    pub(super) fn take(folder: &Path) -> Result<Self, DiskError> {
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

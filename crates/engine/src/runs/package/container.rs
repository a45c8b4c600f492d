//! The file of a package: a ZIP archive that ends with the hash of everything before it.
//!
//! Sizes are those that the manifest states, looked at before anything is unpacked. Nothing is
//! written to disk, and only names that a package can have are read.

use std::io::{self, Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use super::manifest::{hash, hex};
use super::refused;
use crate::runs::error::Result;

/// What the comment of the archive begins with; the hash of all bytes before it follows.
const SEAL: &str = "assize evidence package 1, sha256 ";
/// The length of a hash in hexadecimal digits.
const DIGITS: usize = 64;
/// Bytes of the record that ends an archive, without its comment.
const END_RECORD: usize = 22;
/// Where in that record the number of its files stands.
const COUNT_AT: usize = 10;
/// The largest file that is read.
pub const FILE_MAX: u64 = 1 << 30;
/// What the file as a whole is called in errors.
const WHOLE: &str = "the file";

/// The bytes of an archive with these files.
pub(super) fn write(files: impl IntoIterator<Item = (String, Vec<u8>)>) -> io::Result<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(zip::DateTime::default());
    for (name, content) in files {
        writer.start_file(name, options)?;
        writer.write_all(&content)?;
    }
    writer.set_comment(format!("{SEAL}{}", "0".repeat(DIGITS)))?;
    let mut bytes = writer.finish()?.into_inner();
    let end = bytes.len() - DIGITS;
    let seal = hex(&hash(&[&bytes[..end]]));
    bytes[end..].copy_from_slice(seal.as_bytes());
    Ok(bytes)
}

/// A file whose seal holds.
pub(super) struct Archive<'a>(ZipArchive<Cursor<&'a [u8]>>);

impl<'a> Archive<'a> {
    /// Opens a file that has the first part and no others than these.
    pub(super) fn open(bytes: &'a [u8], first: &str, others: &[String]) -> Result<Self> {
        let tail = END_RECORD + SEAL.len() + DIGITS;
        let start = bytes.len().checked_sub(tail);
        let start = start.ok_or_else(|| refused(WHOLE, "this is not an evidence package"))?;
        let (before, seal) = bytes.split_at(bytes.len() - DIGITS);
        if !before.ends_with(SEAL.as_bytes()) {
            let problem = "it does not end as an evidence package does: it is another file, or \
                           cut off, or changed";
            return Err(refused(WHOLE, problem));
        }
        if hex(&hash(&[before])).as_bytes() != seal {
            return Err(refused(WHOLE, "it was changed after it was written"));
        }
        let zip = ZipArchive::new(Cursor::new(bytes))
            .map_err(|error| refused(WHOLE, error.to_string()))?;
        let stated = [bytes[start + COUNT_AT], bytes[start + COUNT_AT + 1]];
        if usize::from(u16::from_le_bytes(stated)) != zip.len() {
            return Err(refused(WHOLE, "two of its parts have one name"));
        }
        for name in zip.file_names() {
            let name = name.map_err(|error| refused(WHOLE, error.to_string()))?;
            if name != first && !others.iter().any(|other| *other == *name) {
                return Err(refused(name.escape_debug().to_string(), "no part of a package"));
            }
        }
        Ok(Self(zip))
    }

    /// What a part holds; more than so many bytes are refused.
    pub(super) fn part(&mut self, name: &str, bytes_max: u64) -> Result<Vec<u8>> {
        let Some(index) = self.0.index_for_name(name) else {
            return Err(refused(name, "it is missing"));
        };
        let file = self.0.by_index(index).map_err(|error| refused(name, error.to_string()))?;
        let mut content = Vec::new();
        file.take(bytes_max.saturating_add(1))
            .read_to_end(&mut content)
            .map_err(|error| refused(name, format!("it cannot be unpacked: {error}")))?;
        if content.len() as u64 > bytes_max {
            return Err(refused(name, format!("it unpacks to more than {bytes_max} bytes")));
        }
        Ok(content)
    }
}

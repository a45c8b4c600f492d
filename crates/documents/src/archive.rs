//! ZIP archives, opened with care: how much comes out is counted, never believed.

use std::io::{Cursor, Read};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::{DocumentError, Result};
use crate::limits::{Limits, RATIO_FROM_BYTES};

/// How much is inflated before the limits are looked at again.
const CHUNK_BYTES: usize = 64 << 10;

/// An archive and how much may still come out of it.
pub(crate) struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    /// What the file is called in errors.
    kind: &'static str,
    bytes_left: usize,
    ratio_max: usize,
}

impl<'a> Archive<'a> {
    /// Opens an archive, unless it is damaged or holds too many files.
    pub(crate) fn open(bytes: &'a [u8], kind: &'static str, limits: &Limits) -> Result<Self> {
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| explain(kind, &error))?;
        if zip.len() > limits.entries_max {
            let count = zip.len();
            let reason =
                format!("it contains {count} files; at most {} are allowed", limits.entries_max);
            return Err(DocumentError::TooLarge(reason));
        }
        let bytes_left = limits.decompressed_bytes_max;
        Ok(Self { zip, kind, bytes_left, ratio_max: limits.ratio_max })
    }

    /// Whether the archive has a file of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.zip.index_for_name(name).is_some()
    }

    /// The names of the files in it that are text.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.zip.file_names().filter_map(|name| Some(name.ok()?.into_owned()))
    }

    /// What a file in the archive holds; `None` when there is no such file.
    pub(crate) fn part(&mut self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(index) = self.zip.index_for_name(name) else { return Ok(None) };
        let kind = self.kind;
        let mut file = self.zip.by_index(index).map_err(|error| explain(kind, &error))?;
        let packed = usize::try_from(file.compressed_size()).unwrap_or(usize::MAX).max(1);
        let mut content = Vec::new();
        loop {
            let before = content.len();
            let mut chunk = file.by_ref().take(CHUNK_BYTES as u64);
            chunk.read_to_end(&mut content).map_err(|error| {
                DocumentError::damaged(kind, format!("`{name}` in it cannot be unpacked ({error})"))
            })?;
            let added = content.len() - before;
            if added == 0 {
                return Ok(Some(content));
            }
            self.bytes_left = self.bytes_left.checked_sub(added).ok_or_else(|| {
                DocumentError::TooLarge(format!("`{name}` in it is too large when unpacked"))
            })?;
            if content.len() > RATIO_FROM_BYTES && content.len() / packed > self.ratio_max {
                let reason = format!("`{name}` in it expands more than {} times", self.ratio_max);
                return Err(DocumentError::TooLarge(reason));
            }
        }
    }
}

fn explain(kind: &'static str, error: &ZipError) -> DocumentError {
    match error {
        ZipError::UnsupportedArchive(text) if text.to_lowercase().contains("password") => {
            DocumentError::Encrypted(kind)
        }
        ZipError::InvalidArchive(_) | ZipError::Io(_) => {
            DocumentError::damaged(kind, "its table of contents is missing or corrupt")
        }
        other => DocumentError::damaged(kind, other.to_string()),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    /// An archive of these files.
    pub(crate) fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, content) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn part(bytes: &[u8], limits: &Limits) -> Result<Option<Vec<u8>>> {
        Archive::open(bytes, "DOCX", limits)?.part("a")
    }

    #[test]
    fn files_come_out_as_they_went_in() {
        let bytes = zipped(&[("a", b"hello"), ("b", b"")]);
        let mut archive = Archive::open(&bytes, "DOCX", &Limits::default()).unwrap();
        assert_eq!(archive.part("a").unwrap(), Some(b"hello".to_vec()));
        assert_eq!(archive.part("b").unwrap(), Some(Vec::new()));
        assert_eq!(archive.part("c").unwrap(), None);
    }

    #[test]
    fn a_bomb_is_found_by_what_comes_out_of_it() {
        let bytes = zipped(&[("a", &vec![b' '; 10 << 20])]);
        let error = part(&bytes, &Limits::default()).unwrap_err().to_string();
        assert!(error.contains("expands more than 200 times"), "{error}");
        let small = Limits { decompressed_bytes_max: 1 << 20, ..Limits::default() };
        let error = part(&bytes, &small).unwrap_err().to_string();
        assert!(error.contains("is too large when unpacked"), "{error}");
        let few = Limits { entries_max: 0, ..Limits::default() };
        assert!(matches!(part(&bytes, &few), Err(DocumentError::TooLarge(_))));
    }

    #[test]
    fn what_is_taken_out_counts_together() {
        let bytes = zipped(&[("a", &[b'x'; 600]), ("b", &[b'x'; 600])]);
        let limits = Limits { decompressed_bytes_max: 1000, ..Limits::default() };
        let mut archive = Archive::open(&bytes, "DOCX", &limits).unwrap();
        assert!(archive.part("a").is_ok());
        assert!(matches!(archive.part("b"), Err(DocumentError::TooLarge(_))));
    }

    #[test]
    fn an_archive_that_was_cut_off_or_changed_is_damaged() {
        let bytes = zipped(&[("a", &[b'x'; 600])]);
        let cut = part(&bytes[..bytes.len() - 30], &Limits::default());
        assert!(matches!(cut, Err(DocumentError::Damaged { .. })), "{cut:?}");
        let mut changed = bytes;
        changed[32] ^= 0xff;
        let changed = part(&changed, &Limits::default());
        assert!(matches!(changed, Err(DocumentError::Damaged { .. })), "{changed:?}");
    }
}

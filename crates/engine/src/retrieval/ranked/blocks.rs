//! A text in blocks: a plain file is read block by block and never held as a whole.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::error::{RankedError, Result};
use super::trec::LineError;
use crate::input::{Bytes, InputError, STANDARD_INPUT, is_utf16, open_bytes, refuse_binary};

/// How much is read at a time: enough to keep a core busy, little enough for its cache.
const BLOCK_BYTES: u64 = 1 << 18;

/// How much of the start is looked at to tell what a text is.
const HEAD_BYTES: u64 = 1 << 16;

const PARQUET_MAGIC: &[u8] = b"PAR1";
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A text that can be read in blocks, by several threads at once.
#[derive(Debug)]
pub(super) struct Blocks {
    path: PathBuf,
    content: Content,
    /// What is left out at the start: a byte order mark.
    skipped: u64,
    /// How long a block is.
    block_bytes: u64,
}

#[derive(Debug)]
enum Content {
    File(File, u64),
    Memory(Bytes),
}

impl Blocks {
    /// Opens a file for reading in blocks; standard input and compressed files go to memory.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let content = match plain_file(path)? {
            Some((file, length)) => Content::File(file, length),
            None => Content::Memory(open_bytes(path)?),
        };
        let mut blocks =
            Self { path: path.to_owned(), content, skipped: 0, block_bytes: BLOCK_BYTES };
        let head = blocks.head()?;
        if !head.starts_with(PARQUET_MAGIC) {
            refuse_binary(path, &head)?;
        }
        if head.starts_with(BYTE_ORDER_MARK) {
            blocks.skipped = BYTE_ORDER_MARK.len() as u64;
        }
        Ok(blocks)
    }

    /// A text that is in memory already, from a byte on.
    pub(super) fn in_memory(path: &Path, bytes: Bytes, start: u64) -> Self {
        let content = Content::Memory(bytes);
        Self { path: path.to_owned(), content, skipped: start, block_bytes: BLOCK_BYTES }
    }

    /// The same in blocks of another length.
    #[cfg(test)]
    pub(super) fn with_block_bytes(self, block_bytes: u64) -> Self {
        Self { block_bytes, ..self }
    }

    /// The path it was opened with.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The first bytes.
    pub(super) fn head(&self) -> Result<Vec<u8>> {
        let mut buffer = Vec::new();
        Ok(self.read(self.skipped, self.length().min(HEAD_BYTES), &mut buffer)?.to_vec())
    }

    /// All of it, in memory.
    pub(super) fn into_bytes(self) -> Result<Bytes> {
        match self.content {
            Content::Memory(bytes) => Ok(bytes),
            Content::File(..) => Ok(open_bytes(&self.path)?),
        }
    }

    /// How many blocks there are.
    pub(super) fn count(&self) -> usize {
        let blocks = (self.length() - self.skipped).div_ceil(self.block_bytes);
        usize::try_from(blocks).unwrap_or(usize::MAX)
    }

    /// Where a block starts in the text.
    pub(super) fn start(&self, block: usize) -> u64 {
        self.skipped + block as u64 * self.block_bytes
    }

    /// One block, in `buffer` if it has to be read.
    pub(super) fn block<'a>(&'a self, block: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        let start = self.start(block);
        self.read(start, (start + self.block_bytes).min(self.length()), buffer)
    }

    /// An error in a line, with the place of that line in the file; `offset` is where the text
    /// of the error starts.
    pub(super) fn error(&self, offset: u64, error: LineError) -> RankedError {
        let start = offset + error.at as u64;
        let mut buffer = Vec::new();
        let end = self.length().min(start + error.length as u64);
        let found = self.read(start, end, &mut buffer).map(|bytes| match bytes {
            [] => "the end of the line".to_owned(),
            _ => format!("`{}`", String::from_utf8_lossy(bytes)),
        });
        match (self.place(start), found) {
            (Ok((line, column)), Ok(found)) => RankedError::Line {
                file: self.path.clone(),
                line,
                column,
                expected: error.expected.to_owned(),
                found,
            },
            (Err(unreadable), _) | (_, Err(unreadable)) => unreadable,
        }
    }

    /// The line and column of a byte, both from 1.
    fn place(&self, at: u64) -> Result<(u64, u64)> {
        let mut buffer = Vec::new();
        let (mut line, mut line_start, mut start) = (1, self.skipped, self.skipped);
        while start < at {
            let end = (start + BLOCK_BYTES).min(at);
            for newline in memchr::memchr_iter(b'\n', self.read(start, end, &mut buffer)?) {
                line += 1;
                line_start = start + newline as u64 + 1;
            }
            start = end;
        }
        Ok((line, at - line_start + 1))
    }

    fn length(&self) -> u64 {
        match &self.content {
            Content::File(_, length) => *length,
            Content::Memory(bytes) => bytes.len() as u64,
        }
    }

    fn read<'a>(&'a self, start: u64, end: u64, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        #[expect(clippy::cast_possible_truncation, reason = "memory and blocks have such lengths")]
        let (from, to, length) = (start as usize, end as usize, (end - start) as usize);
        match &self.content {
            Content::Memory(bytes) => Ok(&bytes[from..to]),
            Content::File(file, _) => {
                buffer.resize(length, 0);
                read_at(file, buffer, start)
                    .map_err(|source| InputError::Unreadable { file: self.path.clone(), source })?;
                Ok(buffer)
            }
        }
    }
}

/// The file and its length, if it can be read in blocks as it is.
fn plain_file(path: &Path) -> Result<Option<(File, u64)>> {
    if path.as_os_str() == STANDARD_INPUT {
        return Ok(None);
    }
    let unreadable = |source| InputError::Unreadable { file: path.to_owned(), source };
    // Not opened before: a pipe that was opened and closed has lost what was written into it.
    if !fs::metadata(path).map_err(unreadable)?.is_file() {
        return Ok(None);
    }
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    let mut magic = [0; 4];
    // What is too short for a magic number is left to the general way.
    if read_at(&file, &mut magic, 0).is_err() {
        return Ok(None);
    }
    let is_compressed = magic.starts_with(&[0x1f, 0x8b]) || magic == [0x28, 0xb5, 0x2f, 0xfd];
    let is_plain = !is_compressed && !is_utf16(&magic);
    Ok(is_plain.then_some((file, metadata.len())))
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, buffer, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        buffer = &mut buffer[read..];
        offset += read as u64;
    }
    Ok(())
}

//! Opening a file to be read from front to back: decompressed, counted, never whole in memory.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::read::MultiGzDecoder;
use serde_json::Value;

use super::PairsError;
use crate::input::{InputError, STANDARD_INPUT, foreign, standard_input};

const BUFFER_BYTES: usize = 1 << 18;
/// The most of a file of another tool that is read.
const FOREIGN_BYTES_MAX: u64 = 1 << 30;
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How many bytes have been read, and how many there are.
#[derive(Debug, Clone)]
pub struct Counter {
    read: Arc<AtomicU64>,
    /// The file's size as it lies on the disk; unknown for pipes.
    pub total: Option<u64>,
}

impl Counter {
    /// Bytes read so far, as they lie on the disk.
    pub fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

/// A file that is open.
pub(super) struct Opened {
    pub(super) file: PathBuf,
    /// Its content without compression and byte order mark.
    pub(super) content: Box<dyn BufRead + Send>,
    /// A look at the first bytes of the content.
    pub(super) start: Vec<u8>,
    pub(super) counter: Counter,
}

impl Opened {
    /// Opens a file, or standard input for `-`.
    pub(super) fn of(path: &Path) -> Result<Self, InputError> {
        let unreadable = |source| InputError::Unreadable { file: path.to_owned(), source };
        let (raw, total): (Box<dyn Read + Send>, _) = if path.as_os_str() == STANDARD_INPUT {
            (standard_input().map_err(unreadable)?, None)
        } else {
            let file = File::open(path).map_err(unreadable)?;
            let metadata = file.metadata().map_err(unreadable)?;
            if metadata.is_dir() {
                return Err(InputError::Directory { file: path.to_owned() });
            }
            (Box::new(file), metadata.is_file().then_some(metadata.len()))
        };
        let counter = Counter { read: Arc::new(AtomicU64::new(0)), total };
        let raw = Counted { inner: raw, read: Arc::clone(&counter.read) };
        let raw = BufReader::with_capacity(BUFFER_BYTES, raw);
        let mut content = decompressed(raw).map_err(unreadable)?;
        let start = content.fill_buf().map_err(unreadable)?;
        if start.is_empty() {
            return Err(InputError::Empty { file: path.to_owned() });
        }
        if start.starts_with(BYTE_ORDER_MARK) {
            content.consume(BYTE_ORDER_MARK.len());
        }
        let start = content.fill_buf().map_err(unreadable)?;
        let start = start[..start.len().min(512)].to_vec();
        Ok(Self { file: path.to_owned(), content, start, counter })
    }

    /// The records of a file that another tool wrote, which is then read as a whole; `None` of any
    /// other, which stays as it is.
    pub(super) fn of_other_tool(&mut self) -> Result<Option<Vec<Value>>, PairsError> {
        let interrupted = |source| PairsError::Interrupted { file: self.file.clone(), source };
        let Some(tool) = foreign::tool(self.content.fill_buf().map_err(interrupted)?) else {
            return Ok(None);
        };
        let mut whole = Vec::new();
        let limited = (&mut self.content).take(FOREIGN_BYTES_MAX);
        BufReader::new(limited).read_to_end(&mut whole).map_err(interrupted)?;
        let refused = || PairsError::Table {
            file: self.file.clone(),
            problem: format!("looks like a file of another tool ({tool}), but lists no records"),
        };
        foreign::records(&whole).map(Some).ok_or_else(refused)
    }
}

fn decompressed(mut raw: BufReader<Counted>) -> io::Result<Box<dyn BufRead + Send>> {
    let start = raw.fill_buf()?;
    if start.starts_with(&GZIP_MAGIC) {
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, MultiGzDecoder::new(raw))));
    }
    if start.starts_with(&ZSTD_MAGIC) {
        let decoder = zstd::Decoder::with_buffer(raw)?;
        return Ok(Box::new(BufReader::with_capacity(BUFFER_BYTES, decoder)));
    }
    Ok(Box::new(raw))
}

/// A reader that counts what passes.
struct Counted {
    inner: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

//! Bytes of an input: a file, standard input, compressed or plain.
//!
//! Compression is recognised by the first bytes and not by the name, so it works on
//! standard input too. Large plain files are mapped into memory, not copied. What is read or
//! decompressed is bounded: a small file that expands to gigabytes is refused while it is small.

mod bytes;
pub mod foreign;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use assize_search::corpus::decode::{NotText, decode};
use flate2::read::MultiGzDecoder;
use thiserror::Error;

pub use self::bytes::Bytes;
use self::bytes::map;

/// The name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// How standard input is opened.
pub type OpenStandardInput = fn() -> Box<dyn Read + Send>;

static OPEN_STANDARD_INPUT: OnceLock<OpenStandardInput> = OnceLock::new();

/// Lets `-` stand for standard input in this process. A program whose input is not its user's,
/// such as a server, does not call it, and then `-` cannot be read. Only the first call counts.
pub fn allow_standard_input(open: OpenStandardInput) {
    let _ = OPEN_STANDARD_INPUT.set(open);
}

/// Standard input, if this process has one to read.
pub(crate) fn standard_input() -> io::Result<Box<dyn Read + Send>> {
    let open = OPEN_STANDARD_INPUT.get();
    open.map(|open| open()).ok_or_else(|| io::Error::other("standard input is not available here"))
}

/// Files below this are read, not mapped: a mapped file that another program cuts short ends this
/// one by a signal. Copying so little costs a few milliseconds.
const MAPPED_BYTES_MIN: u64 = 64 << 20;
/// Up to here a file may expand as much as it likes.
const EXPANDED_BYTES_FREE: usize = 32 << 20;
/// Beyond that, more than so many times what was read of it is no text, which shrinks by 3 to 20
/// times.
const EXPANSION_MAX: usize = 100;
/// So much is expanded between two looks at how much it is.
const EXPANSION_STEP: u64 = 4 << 20;

/// So much of a text is looked at to tell that it is none.
const BINARY_BYTES_MAX: usize = 64 << 10;
/// No more of an input is quoted in a message.
const QUOTED_CHARACTERS_MAX: usize = 200;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Why an input could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// There is a directory where a file was expected.
    #[error("{}: is a directory, expected a file", file.display())]
    Directory {
        /// The path as it was given.
        file: PathBuf,
    },
    /// The file cannot be opened or read.
    #[error("{}: cannot be read", file.display())]
    Unreadable {
        /// The path as it was given.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file starts like a compressed one and then does not decompress.
    #[error("{}: the {format} data is corrupt or truncated", file.display())]
    Damaged {
        /// The path as it was given.
        file: PathBuf,
        /// The compression that the first bytes announced.
        format: &'static str,
        /// What the decoder said.
        source: io::Error,
    },
    /// The file expands far more than text does.
    #[error(
        "{}: expands to more than {EXPANSION_MAX} times its size, which is unusual for text; \
         decompress it first if this is intended",
        file.display()
    )]
    Expands {
        /// The path as it was given.
        file: PathBuf,
    },
    /// There is nothing in the file.
    #[error("{}: is empty", file.display())]
    Empty {
        /// The path as it was given.
        file: PathBuf,
    },
    /// A workbook where a text was expected.
    #[error("{}: is a workbook; save the sheet as CSV", file.display())]
    Workbook {
        /// The path as it was given.
        file: PathBuf,
    },
    /// The bytes are no text of any kind.
    #[error("{}: is not text", file.display())]
    Binary {
        /// The path as it was given.
        file: PathBuf,
    },
    /// The text is in UTF-16 and damaged, or in UTF-32.
    #[error("{}: {problem}", file.display())]
    Encoding {
        /// The path as it was given.
        file: PathBuf,
        /// What is wrong.
        problem: &'static str,
    },
    /// The bytes are not UTF-8.
    #[error("{}:{line}:{column}: not valid UTF-8 text", file.display())]
    NotText {
        /// The path as it was given.
        file: PathBuf,
        /// The line of the first wrong byte, from 1.
        line: usize,
        /// Its place in the line in bytes, from 1.
        column: usize,
    },
}

/// An input with the name that messages give it.
#[derive(Debug)]
pub struct Source {
    /// The path as the user gave it, or what stands in its place.
    pub name: PathBuf,
    /// The content, decompressed.
    pub bytes: Bytes,
}

impl Source {
    /// Opens a file, or standard input when the path is `-`.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        Ok(Self { name: path.to_owned(), bytes: open_bytes(path)? })
    }

    /// An input that is in memory already.
    pub fn in_memory(name: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: Bytes::Owned(bytes.into()) }
    }

    /// The content without a byte order mark, whatever it is.
    pub(crate) fn content(&self) -> &[u8] {
        self.bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&self.bytes)
    }

    /// The content as text, without a byte order mark.
    pub fn text(&self) -> Result<&str, InputError> {
        text(&self.name, &self.bytes)
    }
}

/// The bytes of a file, or of standard input when the path is `-`; gzip and zstd are
/// undone. An input without a single byte is an error.
pub(crate) fn open_bytes(path: &Path) -> Result<Bytes, InputError> {
    let raw = if path.as_os_str() == STANDARD_INPUT {
        let mut bytes = Vec::new();
        let read = standard_input().and_then(|mut input| input.read_to_end(&mut bytes));
        read.map_err(|source| InputError::Unreadable { file: path.to_owned(), source })?;
        Bytes::Owned(bytes)
    } else {
        open_file(path)?
    };
    let bytes = decoded(path, decompressed(path, raw)?)?;
    if bytes.is_empty() {
        return Err(InputError::Empty { file: path.to_owned() });
    }
    Ok(bytes)
}

/// What a spreadsheet or a shell saved as UTF-16, in UTF-8; anything else as it is.
fn decoded(path: &Path, bytes: Bytes) -> Result<Bytes, InputError> {
    if !is_utf16(&bytes) {
        return Ok(bytes);
    }
    match decode(bytes.to_vec()) {
        Ok((text, _)) => Ok(Bytes::Owned(text.into_bytes())),
        Err(NotText::Binary(problem) | NotText::BrokenEncoding(problem)) => {
            Err(InputError::Encoding { file: path.to_owned(), problem })
        }
    }
}

/// Whether a text begins with the mark of UTF-16.
pub(crate) fn is_utf16(start: &[u8]) -> bool {
    start.starts_with(&[0xff, 0xfe]) || start.starts_with(&[0xfe, 0xff])
}

/// The first letters of UTF-16; the last one may be cut off.
fn utf16_start(start: &[u8]) -> Vec<u8> {
    let unit = if start[0] == 0xff { u16::from_le_bytes } else { u16::from_be_bytes };
    let units: Vec<u16> = start[2..].as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
    String::from_utf16_lossy(&units).into_bytes()
}

/// The first bytes of a file, decompressed; `None` for what can be read only once, such as
/// standard input or a pipe.
pub fn head(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>, InputError> {
    if path.as_os_str() == STANDARD_INPUT || !is_regular_file(path)? {
        return Ok(None);
    }
    let unreadable = |source| InputError::Unreadable { file: path.to_owned(), source };
    // Not the whole file: it is read once more when it is known what it holds.
    let mut file = BufReader::new(File::open(path).map_err(unreadable)?);
    let magic = file.fill_buf().map_err(unreadable)?;
    let (is_gzip, is_zstd) = (magic.starts_with(&GZIP_MAGIC), magic.starts_with(&ZSTD_MAGIC));
    let mut start = Vec::new();
    let (format, result) = if is_gzip {
        ("gzip", MultiGzDecoder::new(file).take(bytes_max).read_to_end(&mut start))
    } else if is_zstd {
        let decoder = zstd::Decoder::with_buffer(file);
        ("zstd", decoder.and_then(|decoder| decoder.take(bytes_max).read_to_end(&mut start)))
    } else {
        ("plain", file.take(bytes_max).read_to_end(&mut start))
    };
    match result {
        Ok(_) if is_utf16(&start) => Ok(Some(utf16_start(&start))),
        Ok(_) => Ok(Some(start)),
        Err(source) => Err(InputError::Damaged { file: path.to_owned(), format, source }),
    }
}

fn is_regular_file(path: &Path) -> Result<bool, InputError> {
    let unreadable = |source| InputError::Unreadable { file: path.to_owned(), source };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(InputError::Directory { file: path.to_owned() });
    }
    Ok(metadata.is_file())
}

/// The bytes as text, without a byte order mark.
pub fn text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str, InputError> {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    str::from_utf8(bytes).map_err(|error| {
        // Control characters alone are text like any other; what is not UTF-8 either is none.
        let head = &bytes[..bytes.len().min(BINARY_BYTES_MAX)];
        if let Err(binary) = refuse_binary(path, head) {
            return binary;
        }
        let good = &bytes[..error.valid_up_to()];
        let line_start = memchr::memrchr(b'\n', good).map_or(0, |newline| newline + 1);
        InputError::NotText {
            file: path.to_owned(),
            line: memchr::memchr_iter(b'\n', good).count() + 1,
            column: good.len() - line_start + 1,
        }
    })
}

/// Refuses what is no text by its first bytes: an archive, a zero byte, or control characters in
/// what is not UTF-8 either. A text in an older encoding has none of them.
pub(crate) fn refuse_binary(path: &Path, head: &[u8]) -> Result<(), InputError> {
    let file = || path.to_owned();
    let is_archive = head.starts_with(b"PK\x03\x04");
    let has = |part: &[u8]| memchr::memmem::find(head, part).is_some();
    if is_archive && (has(b"xl/") || path.extension().is_some_and(|name| name == "xlsx"))
        || head.starts_with(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
    {
        return Err(InputError::Workbook { file: file() });
    }
    let is_control = |byte: &u8| *byte < b' ' && !matches!(byte, b'\t' | b'\n' | 0x0c | b'\r');
    // The head may end within a letter, which is no mistake.
    let is_wrong = || str::from_utf8(head).is_err_and(|error| error.error_len().is_some());
    if is_archive || head.contains(&0) || head.iter().any(is_control) && is_wrong() {
        return Err(InputError::Binary { file: file() });
    }
    Ok(())
}

/// Quoted input as a message shows it: its first characters.
pub(crate) fn short(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARACTERS_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn open_file(path: &Path) -> Result<Bytes, InputError> {
    let unreadable = |source| InputError::Unreadable { file: path.to_owned(), source };
    let mut file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(InputError::Directory { file: path.to_owned() });
    }
    // A pipe or a device has no length to map.
    if !metadata.is_file() || metadata.len() < MAPPED_BYTES_MIN {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        return Ok(Bytes::Owned(bytes));
    }
    map(&file).map(Bytes::Mapped).map_err(unreadable)
}

fn decompressed(path: &Path, raw: Bytes) -> Result<Bytes, InputError> {
    let total = raw.len();
    let (format, result) = if raw.starts_with(&GZIP_MAGIC) {
        let decoder = MultiGzDecoder::new(&*raw);
        ("gzip", expanded(decoder, |decoder| total - decoder.get_ref().len()))
    } else if raw.starts_with(&ZSTD_MAGIC) {
        let decoder = zstd::Decoder::with_buffer(&*raw);
        let consumed = |decoder: &zstd::Decoder<'_, &[u8]>| total - decoder.get_ref().len();
        ("zstd", decoder.and_then(|decoder| expanded(decoder, consumed)))
    } else {
        return Ok(raw);
    };
    match result {
        Ok(Some(plain)) => Ok(Bytes::Owned(plain)),
        Ok(None) => Err(InputError::Expands { file: path.to_owned() }),
        Err(source) => Err(InputError::Damaged { file: path.to_owned(), format, source }),
    }
}

/// What a decoder gives; `None` as soon as it is far more than what it `consumed` is worth.
fn expanded<R: Read>(
    mut decoder: R,
    consumed: impl Fn(&R) -> usize,
) -> io::Result<Option<Vec<u8>>> {
    let mut plain = Vec::new();
    loop {
        if decoder.by_ref().take(EXPANSION_STEP).read_to_end(&mut plain)? == 0 {
            return Ok(Some(plain));
        }
        let worth = EXPANSION_MAX.saturating_mul(consumed(&decoder));
        if plain.len() > EXPANDED_BYTES_FREE.max(worth) {
            return Ok(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    const TEXT: &str = "a line\nanother line\n";

    /// Writes `content` to a file of its own and opens it.
    fn opened(content: &[u8]) -> Result<Bytes, InputError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        fs::write(&path, content).unwrap();
        open_bytes(&path)
    }

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_small_file_that_expands_to_much_is_refused_while_it_is_small() {
        let zeros = vec![0_u8; 2 * EXPANDED_BYTES_FREE];
        let zstd = zstd::encode_all(&*zeros, 1).unwrap();
        for content in [gzip(&zeros), zstd] {
            let error = opened(&content).unwrap_err();
            assert!(matches!(error, InputError::Expands { .. }), "{error}");
        }
        assert!(opened(&gzip(&zeros[..EXPANDED_BYTES_FREE])).is_ok());
    }

    #[test]
    fn plain_gzip_and_zstd_files_give_the_same_bytes() {
        let zstd = zstd::encode_all(TEXT.as_bytes(), 1).unwrap();
        for content in [TEXT.as_bytes().to_vec(), gzip(TEXT.as_bytes()), zstd] {
            assert_eq!(&*opened(&content).unwrap(), TEXT.as_bytes());
        }
    }

    #[test]
    fn utf16_is_read_plain_and_compressed_and_damage_is_said() {
        let utf16: Vec<u8> = [0xff, 0xfe]
            .into_iter()
            .chain(TEXT.encode_utf16().flat_map(u16::to_le_bytes))
            .collect();
        for content in [utf16.clone(), gzip(&utf16)] {
            assert_eq!(&*opened(&content).unwrap(), TEXT.as_bytes());
        }
        let message = opened(&utf16[..utf16.len() - 1]).unwrap_err().to_string();
        assert!(message.ends_with("UTF-16 with an odd number of bytes"), "{message}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("input");
        fs::write(&path, &utf16).unwrap();
        assert_eq!(head(&path, 9).unwrap().unwrap(), b"a l");
    }

    #[test]
    fn a_gzip_file_of_two_members_is_read_to_its_end() {
        let both = [gzip(b"first "), gzip(b"second")].concat();
        assert_eq!(&*opened(&both).unwrap(), b"first second");
    }

    #[test]
    fn a_compressed_file_cut_short_says_so() {
        let mut content = gzip(TEXT.as_bytes());
        content.truncate(content.len() - 9);
        let message = opened(&content).unwrap_err().to_string();
        assert!(message.ends_with("gzip data is corrupt or truncated"), "{message}");
    }

    #[test]
    fn an_empty_file_plain_or_compressed_is_refused() {
        assert!(matches!(opened(b""), Err(InputError::Empty { .. })));
        assert!(matches!(opened(&gzip(b"")), Err(InputError::Empty { .. })));
    }

    #[test]
    fn a_directory_in_place_of_a_file_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let error = open_bytes(folder.path()).unwrap_err();
        assert!(matches!(&error, InputError::Directory { file } if file == folder.path()));
    }

    #[test]
    fn a_missing_file_keeps_what_the_system_said() {
        let error = open_bytes(Path::new("no/such/file")).unwrap_err();
        let InputError::Unreadable { source, .. } = error else { panic!("{error}") };
        assert_eq!(source.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_wrong_byte_is_located_by_line_and_column() {
        let error = text(Path::new("gold.json"), b"[\n  \"\xff\"]").unwrap_err();
        assert_eq!(error.to_string(), "gold.json:2:4: not valid UTF-8 text");
    }

    #[test]
    fn what_is_no_text_is_named_and_never_shown() {
        let said = |name: &str, bytes: &[u8]| {
            refuse_binary(Path::new(name), bytes).map_err(|error| error.to_string())
        };
        let workbook = b"PK\x03\x04\x14\0\x06\0[Content_Types].xml xl/workbook.xml";
        let expected = Err("run.dat: is a workbook; save the sheet as CSV".to_owned());
        assert_eq!(said("run.dat", workbook), expected);
        assert_eq!(said("a.zip", b"PK\x03\x04..."), Err("a.zip: is not text".to_owned()));
        assert_eq!(said("a.bin", b"ab\0cd"), Err("a.bin: is not text".to_owned()));
        assert_eq!(said("a.bin", b"\x01\xff\xfe"), Err("a.bin: is not text".to_owned()));
        // An older encoding, and a letter that is cut off, are text.
        assert_eq!(said("a.run", b"q1 Q0 caf\xe9 1 2.5 tag\n"), Ok(()));
        assert_eq!(said("a.run", "q1 Q0 é".as_bytes().split_last().unwrap().1), Ok(()));
    }

    #[test]
    fn no_more_than_two_hundred_characters_are_quoted() {
        assert_eq!(short(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(short(&"é".repeat(201)), "é".repeat(200) + "…");
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_text() {
        assert_eq!(text(Path::new("gold.json"), b"\xef\xbb\xbf[]").unwrap(), "[]");
    }
}

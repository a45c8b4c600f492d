//! PDF: the text of each page, as lines and paragraphs.
//!
//! `lopdf` reads the objects of a file; where letters stand and what they mean is worked
//! out here. Other people's parsers meet hostile files here, so the whole reader runs on
//! a thread of its own: a panic ends that thread and becomes an error, deep nesting finds
//! a large stack, and when time is up nobody waits any longer. The thread itself looks at
//! the clock while it draws, so that it does not go on for ever behind our back.

mod drawing;
mod fonts;
mod layers;
mod lines;
mod matrix;
mod pen;
mod surface;
#[cfg(test)]
mod tests;
mod unicode_map;
mod visible;

use std::collections::BTreeMap;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;

use lopdf::{DecompressError, LoadOptions};

use self::lines::{Block, Words};
use self::pen::Pen;
use crate::blocks::{Blocks, Parts};
use crate::document::Notice;
use crate::error::DocumentError;
use crate::limits::Limits;

const KIND: &str = "PDF";

/// How much stack the reader has, in bytes.
const STACK_BYTES: usize = 32 << 20;

/// How large the instructions for one page may be, in bytes.
const PAGE_BYTES_MAX: usize = 16 << 20;

/// How much may come out of one of the parts that hold objects, in bytes.
const OBJECTS_BYTES_MAX: usize = 64 << 20;

/// From what size on, in parts of the usual size, a paragraph is a heading.
const HEADING_FROM: f64 = 1.1;
/// How long a heading may be, in bytes.
const HEADING_BYTES_MAX: usize = 200;
const HEADING_LEVEL_MAX: usize = 6;

/// Reads a PDF.
pub(crate) fn read(bytes: &[u8], limits: &Limits) -> Result<Parts, DocumentError> {
    let (sender, receiver) = channel();
    let (bytes, own) = (bytes.to_vec(), limits.clone());
    let work = move || {
        // Nobody may be waiting any longer.
        let _ = sender.send(read_here(&bytes, &own));
    };
    let thread = thread::Builder::new().name("pdf".to_owned()).stack_size(STACK_BYTES);
    thread.spawn(work).map_err(|_| DocumentError::Reader(KIND))?;
    match receiver.recv_timeout(limits.time_max) {
        Ok(read) => read,
        Err(RecvTimeoutError::Timeout) => Err(too_slow(limits)),
        // The thread ended without a word: the reader panicked.
        Err(RecvTimeoutError::Disconnected) => Err(DocumentError::Reader(KIND)),
    }
}

fn read_here(bytes: &[u8], limits: &Limits) -> Result<Parts, DocumentError> {
    let options = LoadOptions::with_max_decompressed_size(
        OBJECTS_BYTES_MAX.min(limits.decompressed_bytes_max),
    );
    let document = lopdf::Document::load_mem_with_options(bytes, options);
    let document = document.map_err(|error| explain(&error))?;
    if document.is_encrypted() {
        return Err(DocumentError::Encrypted(KIND));
    }
    let ids: Vec<_> = document.page_iter().take(limits.pages_max + 1).collect();
    if ids.len() > limits.pages_max {
        let reason = format!("more than {} pages", limits.pages_max);
        return Err(DocumentError::TooLarge(reason));
    }
    if ids.is_empty() {
        return Err(DocumentError::damaged(KIND, "it has no pages"));
    }
    let page_bytes_max = PAGE_BYTES_MAX.min(limits.decompressed_bytes_max);
    let mut pen = Pen::new(&document, limits, page_bytes_max);
    let mut pages = Vec::with_capacity(ids.len());
    for id in ids {
        pages.push(lines::lines(&pen.page(id)?));
    }
    let pitch = lines::usual_pitch(&pages);
    let words = Words::of(&pages);
    let pages: Vec<Vec<Block>> =
        pages.iter().map(|lines| lines::paragraphs(lines, pitch, &words)).collect();
    let mut parts = put_together(&pages, limits)?;
    for (why, hidden) in pen.unseen {
        parts.hidden(&why.to_string(), hidden.count, &hidden.sample);
    }
    if document.was_encrypted() {
        parts.notices.push(Notice::EmptyPassword);
    }
    Ok(parts)
}

fn put_together(pages: &[Vec<Block>], limits: &Limits) -> Result<Parts, DocumentError> {
    let levels = Levels::of(pages);
    let mut blocks = Blocks::new(limits);
    for page in pages {
        blocks.begin_page();
        for block in page {
            blocks.push(&block.text, levels.heading(block))?;
        }
    }
    let mut parts = blocks.finish();
    let unreadable = parts.text.matches(char::REPLACEMENT_CHARACTER).count();
    let readable = parts.text.chars().filter(|c| !c.is_whitespace()).count() - unreadable;
    if readable == 0 {
        return Err(DocumentError::NoText { pages: pages.len() });
    }
    let empty = parts.pages.iter().filter(|page| page.span.is_empty()).map(|page| page.number);
    let empty: Vec<usize> = empty.collect();
    if !empty.is_empty() {
        parts.notices.push(Notice::PagesWithoutText { pages: empty });
    }
    if unreadable > 0 {
        parts.notices.push(Notice::Unreadable { characters: unreadable });
    }
    Ok(parts)
}

/// Which sizes of letters are headings, and of which level.
struct Levels {
    /// In half points, the largest first.
    sizes: Vec<u32>,
}

impl Levels {
    fn of(pages: &[Vec<Block>]) -> Self {
        let mut letters: BTreeMap<u32, usize> = BTreeMap::new();
        for block in pages.iter().flatten() {
            *letters.entry(half_points(block.size)).or_default() += block.text.len();
        }
        let usual = letters.iter().max_by_key(|(_, count)| **count).map_or(0, |(size, _)| *size);
        let is_larger = |size: &u32| f64::from(*size) > f64::from(usual) * HEADING_FROM;
        Self { sizes: letters.into_keys().rev().filter(is_larger).collect() }
    }

    fn heading(&self, block: &Block) -> Option<u8> {
        let size = half_points(block.size);
        let level = self.sizes.binary_search_by(|known| size.cmp(known)).ok()? + 1;
        let is_short = block.text.len() <= HEADING_BYTES_MAX;
        is_short.then(|| u8::try_from(level.min(HEADING_LEVEL_MAX)).ok()).flatten()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are finite and not negative, and a cast ends at the ends of its range"
)]
fn half_points(size: f64) -> u32 {
    (size * 2.0 + 0.5) as u32
}

fn explain(error: &lopdf::Error) -> DocumentError {
    match error {
        lopdf::Error::Decompress(DecompressError::MemoryLimitExceeded { limit }) => {
            DocumentError::TooLarge(format!(
                "a part of it is larger than {limit} bytes when unpacked"
            ))
        }
        lopdf::Error::InvalidPassword
        | lopdf::Error::Decryption(_)
        | lopdf::Error::UnsupportedSecurityHandler(_) => DocumentError::Encrypted(KIND),
        other => DocumentError::damaged(KIND, other.to_string()),
    }
}

fn too_slow(limits: &Limits) -> DocumentError {
    DocumentError::TooSlow { seconds: limits.time_max.as_secs() }
}

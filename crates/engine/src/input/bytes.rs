//! The bytes of an input: in memory, or a mapped file whose pages can be given back.

use std::fs::File;
use std::io;
use std::ops::{Deref, Range};

use memmap2::Mmap;
#[cfg(unix)]
use memmap2::UncheckedAdvice;

/// The bytes of an input, decompressed.
#[derive(Debug)]
pub enum Bytes {
    /// A plain file, mapped.
    Mapped(Mmap),
    /// Anything that had to be read or decompressed.
    Owned(Vec<u8>),
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl Bytes {
    /// Whether it is a mapped file, which is not held in memory as a whole.
    pub(crate) fn is_mapped(&self) -> bool {
        matches!(self, Self::Mapped(_))
    }

    /// Gives memory back that held a part of a mapped file; whoever looks at it again reads it
    /// again.
    #[cfg_attr(not(unix), expect(unused_variables, reason = "only there can pages be given back"))]
    pub(crate) fn release(&self, part: Range<usize>) {
        #[cfg(unix)]
        if let Self::Mapped(map) = self {
            release(map, part);
        }
    }
}

#[expect(unsafe_code, reason = "the only way to map a file; see the comment")]
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and private to this process. The one hazard is another
    // process that changes the file while we read it, which no reader of files can prevent; the
    // guide says so, and small files are not mapped.
    unsafe { Mmap::map(file) }
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "the only way to give pages back; see the comment")]
fn release(map: &Mmap, part: Range<usize>) {
    if part.end > map.len() || part.is_empty() {
        return;
    }
    // SAFETY: the map is read-only and of a file, so pages that are given back are filled from the
    // file when they are looked at again; nothing that was written can be lost.
    let released =
        unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, part.start, part.len()) };
    // A system that keeps them only uses more memory.
    drop(released);
}

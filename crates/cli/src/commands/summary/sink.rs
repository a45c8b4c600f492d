//! Where results go while they are made: stdout, or a file that appears when it is complete.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::Result;

use crate::output::files::Pending;

const BUFFER_BYTES: usize = 1 << 16;

/// Writes a whole text to a file, or prints it.
pub(super) fn write_whole(path: Option<&Path>, text: &str) -> Result<()> {
    let mut sink = Sink::open(path)?;
    sink.write(text)?;
    sink.finish()
}

/// An open output.
pub(super) enum Sink {
    Stdout(BufWriter<io::Stdout>),
    File(Pending),
}

impl Sink {
    /// Opens a file, or stdout when there is none or it is `-`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout())));
        };
        Ok(Self::File(Pending::open(path)?))
    }

    /// Writes a piece.
    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        match self {
            Self::Stdout(writer) => writer.write_all(text.as_bytes())?,
            Self::File(pending) => pending.write_all(text.as_bytes())?,
        }
        Ok(())
    }

    /// Everything was written: a file takes its name.
    pub(super) fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut writer) => writer.flush()?,
            Self::File(pending) => pending.finish()?,
        }
        Ok(())
    }
}

//! Where results go while they are made: stdout, or a file that appears when it is complete.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;

use super::words::without_styles;

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
    File(BufWriter<NamedTempFile>, PathBuf),
}

impl Sink {
    /// Opens a file, or stdout when there is none or it is `-`.
    pub(super) fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Stdout(BufWriter::with_capacity(BUFFER_BYTES, io::stdout())));
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = NamedTempFile::new_in(folder.unwrap_or_else(|| Path::new(".")));
        let name = path.display();
        let file = file.with_context(|| {
            format!("could not write {name}: no file can be made in its folder")
        })?;
        Ok(Self::File(BufWriter::with_capacity(BUFFER_BYTES, file), path.to_owned()))
    }

    /// Writes a piece.
    pub(super) fn write(&mut self, text: &str) -> Result<()> {
        match self {
            Self::Stdout(writer) => writer.write_all(text.as_bytes())?,
            Self::File(writer, path) => writer
                .write_all(without_styles(text).as_bytes())
                .with_context(|| format!("could not write {}", path.display()))?,
        }
        Ok(())
    }

    /// Everything was written: a file takes its name.
    pub(super) fn finish(self) -> Result<()> {
        match self {
            Self::Stdout(mut writer) => writer.flush()?,
            Self::File(writer, path) => {
                let failed = || format!("could not write {}", path.display());
                let file = writer.into_inner().map_err(io::IntoInnerError::into_error);
                let file = file.with_context(failed)?;
                readable_by_others(&file);
                file.persist(&path).with_context(failed)?;
            }
        }
        Ok(())
    }
}

/// Temporary files are private to their owner; a report is not a secret.
#[cfg(unix)]
fn readable_by_others(file: &NamedTempFile) {
    use std::os::unix::fs::PermissionsExt;
    // A file system without permissions keeps its own; nothing is lost by that.
    let _ = file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
fn readable_by_others(_: &NamedTempFile) {}

//! Files that are written whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Writes `text` to a file, or to stdout for `-`; a file appears only when it is complete.
pub(crate) fn write(path: &Path, text: &(impl AsRef<[u8]> + ?Sized)) -> Result<()> {
    if path == Path::new("-") {
        return print(text);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or_else(|| Path::new("."));
    let name = path.display();
    let mut file = tempfile::NamedTempFile::new_in(folder)
        .with_context(|| format!("could not write {name}: no file can be made in its folder"))?;
    file.write_all(text.as_ref()).with_context(|| format!("could not write {name}"))?;
    file.persist(path).with_context(|| format!("could not write {name}"))?;
    readable_by_others(path);
    Ok(())
}

/// Writes `text` to stdout.
pub(crate) fn print(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_ref())?;
    stdout.flush()?;
    Ok(())
}

/// Temporary files are private to their owner; a report is not a secret.
#[cfg(unix)]
fn readable_by_others(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    // A file system without permissions keeps its own; nothing is lost by that.
    let _ = fs::set_permissions(path, fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
fn readable_by_others(_: &Path) {}

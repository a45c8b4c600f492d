//! Files that are written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use tempfile::NamedTempFile;

use super::terminal;
use crate::exit::Done;

const BUFFER_BYTES: usize = 1 << 16;

/// Writes `text` to a file, or to stdout for `-`; a file appears only when it is complete.
pub(crate) fn write(path: &Path, text: &(impl AsRef<[u8]> + ?Sized)) -> Result<()> {
    if path == Path::new("-") {
        return print(text);
    }
    let mut pending = Pending::open(path)?;
    pending
        .write_all(text.as_ref())
        .with_context(|| format!("could not write {}", path.display()))?;
    pending.finish()
}

/// Writes what a command came to, which was what it was asked for.
pub(crate) fn report(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<Done> {
    print(text)?;
    Ok(Done::Fine)
}

/// Writes `text` to stdout. A reader that has gone away (`| head`) has had enough, which is
/// not an error of anybody's.
pub(crate) fn print(text: &(impl AsRef<[u8]> + ?Sized)) -> Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_ref()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Refuses, before any work is done, an output whose folder is missing or that would
/// overwrite one of the inputs. What goes to a file is not emphasised.
pub(crate) fn check(output: Option<&Path>, inputs: &[&Path]) -> Result<()> {
    let Some(output) = output.filter(|output| *output != Path::new("-")) else { return Ok(()) };
    terminal::no_styles();
    let name = output.display();
    ensure!(!output.is_dir(), "{name}: is a directory, expected a file");
    let folder = folder(output);
    ensure!(folder.is_dir(), "{name}: the folder {} does not exist", folder.display());
    let Ok(whole) = output.canonicalize() else { return Ok(()) };
    let is_input = inputs.iter().any(|input| input.canonicalize().is_ok_and(|path| path == whole));
    ensure!(!is_input, "{name}: is one of the inputs and would be overwritten");
    Ok(())
}

/// Endings that name a format; whoever opens such a file expects it.
const FORMATS: [&str; 20] = [
    "xlsx", "xls", "ods", "pdf", "docx", "odt", "parquet", "csv", "tsv", "json", "jsonl", "html",
    "md", "tex", "xml", "yaml", "yml", "toml", "gz", "zip",
];

/// Refuses an output whose ending names another format than the command writes.
pub(crate) fn check_ending(output: Option<&Path>, written: &[&str]) -> Result<()> {
    let Some(output) = output else { return Ok(()) };
    let ending = output.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let ending = match ending.to_ascii_lowercase() {
        other if other == "ndjson" => "jsonl".to_owned(),
        other if other == "htm" => "html".to_owned(),
        other => other,
    };
    let is_fine = !FORMATS.contains(&&*ending) || written.contains(&&*ending);
    let endings: Vec<String> = written.iter().map(|ending| format!(".{ending}")).collect();
    ensure!(is_fine, "{}: this command writes {}", output.display(), endings.join(", "));
    Ok(())
}

/// A file that takes its name only when it is complete.
pub(crate) struct Pending {
    writer: BufWriter<Target>,
    path: PathBuf,
}

enum Target {
    /// A file beside the one to be made, which takes its name in the end.
    Beside(NamedTempFile),
    /// A device or a pipe, which must stay what it is.
    Direct(File),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file) => file.write(bytes),
            Self::Direct(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file) => file.flush(),
            Self::Direct(file) => file.flush(),
        }
    }
}

impl Pending {
    /// Begins a file; a link is followed, a device or pipe is written to as it is.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let name = path.display();
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let existing = fs::metadata(&path).ok();
        let target = if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(&path);
            Target::Direct(file.with_context(|| format!("could not write {name}"))?)
        } else {
            let folder = folder(&path);
            let file = beside(folder, existing.map(|metadata| metadata.permissions()));
            // The temporary name would only puzzle the reader; the folder is what matters.
            let file = file.map_err(|error| io::Error::from(error.kind()));
            let because =
                || format!("could not write {name}: cannot create a file in {}", folder.display());
            Target::Beside(file.with_context(because)?)
        };
        Ok(Self { writer: BufWriter::with_capacity(BUFFER_BYTES, target), path })
    }

    /// Everything was written: the file takes its name.
    pub(crate) fn finish(self) -> Result<()> {
        let failed = || format!("could not write {}", self.path.display());
        let target = self.writer.into_inner().map_err(io::IntoInnerError::into_error);
        if let Target::Beside(file) = target.with_context(failed)? {
            file.persist(&self.path).with_context(failed)?;
        }
        Ok(())
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or_else(|| Path::new("."))
}

/// A temporary file with the permissions of the file it replaces, or those of a new one.
fn beside(folder: &Path, existing: Option<fs::Permissions>) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    let fresh = {
        use std::os::unix::fs::PermissionsExt;
        // The user's mask takes away what it should.
        fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    builder.permissions(existing.clone().unwrap_or(fresh));
    let file = builder.tempfile_in(folder)?;
    if let Some(existing) = existing {
        file.as_file().set_permissions(existing)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_file_keeps_its_permissions_and_a_link_its_target() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn an_ending_that_names_another_format_is_refused() {
        let said = |name: &str| {
            let checked = check_ending(Some(Path::new(name)), &["jsonl", "csv"]);
            checked.err().map(|error| error.to_string())
        };
        assert_eq!(said("o.xlsx").unwrap(), "o.xlsx: this command writes .jsonl, .csv");
        assert_eq!(said("o.PDF").unwrap(), "o.PDF: this command writes .jsonl, .csv");
        for fine in ["o.csv", "o.JSONL", "o", "-", "o.txt", "results.2026", "/dev/null"] {
            assert_eq!(said(fine), None, "{fine}");
        }
    }

    #[test]
    fn an_input_is_not_overwritten_and_a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "input").unwrap();
        assert!(check(Some(&file), &[&file]).is_err());
        assert!(check(Some(&folder.path().join("none/file")), &[]).is_err());
        assert!(check(Some(&folder.path().join("other")), &[&file]).is_ok());
    }
}

//! Files of the command line as the engine takes them, and what is told while they are imported.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use assize_engine::compliance::criteria::ImportEnded;
use assize_engine::compliance::evaluate::{IntakeEvent, NamedFile};

use crate::output::terminal;

/// Problems of a file that are named; the rest is counted.
const NAMED_MAX: usize = 20;

/// Tells what happens on stderr.
pub(crate) fn tell(event: IntakeEvent<'_>) {
    match event {
        IntakeEvent::Noticed(file, notice) => terminal::notice(&format!("{file}: {notice}")),
        IntakeEvent::Unusable(file, problems) => unusable(file, problems),
        IntakeEvent::Imported(ended) => imported(ended),
        _ => {}
    }
}

/// Names the rows of a file that cannot be used, one a line.
pub(crate) fn unusable(file: &str, problems: &[String]) {
    for problem in problems.iter().take(NAMED_MAX) {
        terminal::notice(&format!("{file}: {problem}"));
    }
    if problems.len() > NAMED_MAX {
        terminal::notice(&format!("and {} more rows", problems.len() - NAMED_MAX));
    }
}

fn imported(ended: &ImportEnded) {
    let ImportEnded { set, is_new, added, changed, removed, .. } = ended;
    let name = &set.name;
    if *is_new {
        terminal::remark(&format!("imported {added} criteria as `{name}`"));
    } else if added + changed + removed > 0 {
        terminal::notice(&format!(
            "the criteria set `{name}` follows its file: {added} added, {changed} changed, \
             {removed} removed"
        ));
    }
}

/// A file with its name.
pub(crate) fn named_file(path: &Path) -> Result<NamedFile> {
    Ok(NamedFile { name: file_name(path), bytes: bytes(path)? })
}

/// The whole content of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    if path.is_dir() {
        bail!("{} is a folder; name the files in it", path.display());
    }
    std::fs::read(path).with_context(|| format!("could not read {}", path.display()))
}

/// The last part of a path.
pub(crate) fn file_name(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| path.display().to_string())
}

/// The last part of a path without its ending.
pub(crate) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(|| file_name(path), |stem| stem.to_string_lossy().into_owned())
}

/// One file gives its set its name; several give the name of their folder.
pub(super) fn set_name(paths: &[PathBuf]) -> String {
    match paths {
        [one] => file_name(one),
        [first, rest @ ..] => {
            let folder = first.parent().and_then(Path::file_name);
            let is_shared = rest.iter().all(|path| path.parent() == first.parent());
            match folder.filter(|_| is_shared) {
                Some(folder) => folder.to_string_lossy().into_owned(),
                None => format!("{} and {} more", file_name(first), rest.len()),
            }
        }
        [] => "documents".to_owned(),
    }
}

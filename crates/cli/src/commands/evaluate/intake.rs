//! Files of the command line as the engine takes them, and what is told while they are imported.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use assize_engine::compliance::criteria::ImportEnded;
use assize_engine::compliance::evaluate::{IntakeEvent, NamedFile};
use assize_engine::compliance::intake::{is_own_export, resolve_profile};

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
            "criteria set `{name}` updated from its file: {added} added, {changed} changed, \
             {removed} removed"
        ));
    }
}

/// A file with its name.
pub(crate) fn named_file(path: &Path) -> Result<NamedFile> {
    Ok(NamedFile { name: file_name(path), bytes: bytes(path)? })
}

/// A file of criteria with its name. What an OSCAL profile refers to is looked for beside it, and
/// nowhere else: a stranger's profile must not make us read other files.
pub(crate) fn criteria_file(path: &Path) -> Result<NamedFile> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let mut load = |href: &str| {
        let name = href.rsplit(['/', '\\']).next().filter(|name| !name.is_empty())?;
        std::fs::read(folder.join(name)).ok()
    };
    let bytes = resolve_profile(bytes(path)?, &mut load)
        .with_context(|| format!("{} cannot be imported", path.display()))?;
    Ok(NamedFile { name: file_name(path), bytes })
}

/// What a document's name ends in; others in a folder are left alone.
const ENDINGS: [&str; 7] = ["txt", "md", "markdown", "html", "htm", "pdf", "docx"];

/// Folders in folders that are followed; deeper ones are more likely a loop than documents.
const DEPTH_MAX: usize = 16;

/// Files with their names; of a folder all documents in it, named by their way from there. Our
/// own reports are left out.
pub(crate) fn documents(paths: &[PathBuf]) -> Result<Vec<NamedFile>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(named_file(path)?);
            continue;
        }
        let before = files.len();
        let mut found = Vec::new();
        walk(path, 0, &mut found)?;
        found.sort();
        for file in found {
            let bytes = bytes(&file)?;
            let name = file.strip_prefix(path).unwrap_or(&file);
            let name = name.to_string_lossy().replace('\\', "/");
            if is_own_export(&bytes) {
                terminal::notice(&format!("{name}: skipped, it is a report written by Assize"));
                continue;
            }
            files.push(NamedFile { name, bytes });
        }
        ensure!(files.len() > before, "{} contains no documents", path.display());
    }
    Ok(files)
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(folder);
    for entry in entries.with_context(|| format!("could not read {}", folder.display()))? {
        let entry = entry.with_context(|| format!("could not read {}", folder.display()))?;
        let path = entry.path();
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        if path.is_dir() {
            if depth < DEPTH_MAX {
                walk(&path, depth + 1, found)?;
            }
            continue;
        }
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
            found.push(path);
        }
    }
    Ok(())
}

/// The whole content of a file.
pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>> {
    if path.is_dir() {
        bail!("{} is a folder; give the files in it", path.display());
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
        [one] => {
            // `.` and `policies/..` have no name of their own.
            let whole = one.canonicalize().unwrap_or_else(|_| one.clone());
            if one.is_dir() { file_name(&whole) } else { file_name(one) }
        }
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

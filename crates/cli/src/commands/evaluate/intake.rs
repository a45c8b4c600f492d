//! What is to be evaluated: sets that are there, or files that are imported on the way.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use assize_engine::compliance::Registry;
use assize_engine::compliance::criteria::ImportEnded;
use assize_engine::compliance::intake::read_criteria;
use assize_engine::store::{CriteriaSet, DocSet, DocumentEntry};

use crate::output::terminal;

/// Problems of a file that are named; the rest is counted.
const NAMED_MAX: usize = 20;

/// A criteria set by its name, or a file of criteria, imported under its own name.
pub(crate) async fn criteria(registry: &Registry, named: &str) -> Result<CriteriaSet> {
    if let Some(set) = registry.find_criteria_set(named).await? {
        return Ok(set);
    }
    let path = Path::new(named);
    if !path.is_file() {
        bail!(
            "there is no criteria set and no file `{named}`; `assize criteria list` shows the sets"
        );
    }
    let name = stem(path);
    let ended = import(registry, path, &name, "").await?;
    let ImportEnded { set, is_new, added, changed, removed, .. } = ended;
    if is_new {
        terminal::remark(&format!("imported {added} criteria as `{name}`"));
    } else if added + changed + removed > 0 {
        terminal::notice(&format!(
            "the criteria set `{name}` follows its file: {added} added, {changed} changed, \
             {removed} removed"
        ));
    }
    Ok(set)
}

/// Imports a file of criteria. Rows that cannot be used are named; if none can, it is refused.
pub(crate) async fn import(
    registry: &Registry,
    path: &Path,
    name: &str,
    description: &str,
) -> Result<ImportEnded> {
    let file = read_criteria(&bytes(path)?, &file_name(path))
        .with_context(|| format!("{} cannot be imported", path.display()))?;
    complain(path, &file.notices, &file.problems);
    ensure!(!file.items.is_empty(), "{} holds no criteria that can be used", path.display());
    Ok(registry.import_criteria(name, description, &file.items).await?)
}

/// Names the problems of a file, one a line.
pub(crate) fn complain(path: &Path, notices: &[String], problems: &[String]) {
    for notice in notices {
        terminal::notice(&format!("{}: {notice}", path.display()));
    }
    for problem in problems.iter().take(NAMED_MAX) {
        terminal::notice(&format!("{}: {problem}", path.display()));
    }
    if problems.len() > NAMED_MAX {
        terminal::notice(&format!("and {} more rows", problems.len() - NAMED_MAX));
    }
}

/// A document set by its name, with its documents.
pub(crate) async fn set(registry: &Registry, name: &str) -> Result<(DocSet, Vec<DocumentEntry>)> {
    let set = registry.document_set(name).await?;
    let documents = registry.current_documents(&set).await?;
    Ok((set, documents))
}

/// Files, imported into a set of their own.
pub(crate) async fn files(
    registry: &Registry,
    paths: &[PathBuf],
) -> Result<(DocSet, Vec<DocumentEntry>)> {
    let set = registry.make_document_set(&set_name(paths)).await?;
    let documents = add(registry, &set, paths).await?;
    Ok((set, documents))
}

/// Adds files to a set, and says what their readers want known. Whatever cannot be read is
/// named, and then nothing is evaluated.
pub(crate) async fn add(
    registry: &Registry,
    set: &DocSet,
    paths: &[PathBuf],
) -> Result<Vec<DocumentEntry>> {
    let mut names: Vec<String> = paths.iter().map(|path| file_name(path)).collect();
    names.sort();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        bail!("two of the files are called {}; add them to sets of their own", pair[0]);
    }
    let mut documents = Vec::new();
    for path in paths {
        let added = registry.add_document(set, &file_name(path), &bytes(path)?).await?;
        for notice in added.notices {
            terminal::notice(&format!("{}: {notice}", path.display()));
        }
        documents.push(added.entry);
    }
    Ok(documents)
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
fn set_name(paths: &[PathBuf]) -> String {
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

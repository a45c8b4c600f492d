//! The files below a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// How deep folders are looked into: a BEIR folder in a folder of data sets.
const DEPTH_MAX: usize = 3;
/// More files than this are not looked at: it is no folder of results.
const FILES_MAX: usize = 2_000;
/// Folders of programs, which hold no results.
const LEFT_OUT: [&str; 5] = ["node_modules", "target", "venv", "__pycache__", "assize-councils"];

/// Files below a folder by name; those whose name begins with a dot are left out.
pub fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    // Only the folder itself must be readable: one below it that is not is none of ours.
    let entries = sorted(folder)?;
    walk(folder, Path::new(""), entries, 1, &mut found);
    Ok(found)
}

fn walk(root: &Path, below: &Path, names: Vec<PathBuf>, depth: usize, found: &mut Vec<PathBuf>) {
    for name in names {
        let (path, text) = (below.join(&name), name.to_string_lossy().into_owned());
        if text.starts_with('.') || found.len() >= FILES_MAX {
            continue;
        }
        let whole = root.join(&path);
        if whole.is_file() {
            found.push(path);
        } else if depth < DEPTH_MAX && whole.is_dir() && !LEFT_OUT.contains(&text.as_str()) {
            walk(root, &path, sorted(&whole).unwrap_or_default(), depth + 1, found);
        }
    }
}

fn sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut names: Vec<PathBuf> =
        fs::read_dir(folder)?.flatten().map(|entry| PathBuf::from(entry.file_name())).collect();
    names.sort();
    Ok(names)
}

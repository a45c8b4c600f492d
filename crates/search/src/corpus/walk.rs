//! Listing a folder: every file below it, links followed but not in circles.

use std::fs;
use std::path::{Path, PathBuf};

use super::read::CorpusError;
use super::{Remark, normal_path};

/// A file that was found, and the name it goes by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where to open it.
    pub path: PathBuf,
    /// Its path below the folder, as documents are called.
    pub name: String,
}

/// Names of files or folders, and what there is to say about them.
pub(crate) type Remarks = Vec<(String, Remark)>;

/// All files below a folder, by name, and remarks on what is left out.
pub(crate) fn list_folder(folder: &Path) -> Result<(Vec<Found>, Remarks), CorpusError> {
    let refused = |source| CorpusError::Folder { folder: folder.display().to_string(), source };
    let root = fs::canonicalize(folder).map_err(refused)?;
    fs::read_dir(&root).map_err(refused)?;
    let mut walk = Walk { root: &root, files: Vec::new(), remarks: Vec::new() };
    walk.folder(&root, &mut vec![root.clone()]);
    let Walk { mut files, mut remarks, .. } = walk;
    files.sort_by(|left, right| (&left.name, &left.path).cmp(&(&right.name, &right.path)));
    let mut distinct: Vec<Found> = Vec::with_capacity(files.len());
    for file in files {
        match distinct.last() {
            Some(last) if last.name == file.name => remarks.push((file.name, Remark::SameName)),
            _ => distinct.push(file),
        }
    }
    Ok((distinct, remarks))
}

struct Walk<'a> {
    root: &'a Path,
    files: Vec<Found>,
    remarks: Remarks,
}

impl Walk<'_> {
    /// `above` holds the real paths of this folder and of all it lies in.
    fn folder(&mut self, folder: &Path, above: &mut Vec<PathBuf>) {
        let entries = match fs::read_dir(folder) {
            Ok(entries) => entries,
            Err(error) => return self.remark(folder, Remark::Unreadable(error.to_string())),
        };
        for entry in entries {
            match entry {
                Ok(entry) => self.entry(entry.path(), above),
                Err(error) => self.remark(folder, Remark::Unreadable(error.to_string())),
            }
        }
    }

    fn entry(&mut self, path: PathBuf, above: &mut Vec<PathBuf>) {
        let kind = match fs::metadata(&path) {
            Ok(metadata) => metadata.file_type(),
            Err(error) => return self.remark(&path, Remark::Unreadable(error.to_string())),
        };
        if kind.is_file() {
            let name = self.name(&path);
            self.files.push(Found { path, name });
        } else if !kind.is_dir() {
            self.remark(&path, Remark::Special);
        } else {
            match fs::canonicalize(&path) {
                Err(error) => self.remark(&path, Remark::Unreadable(error.to_string())),
                Ok(real) if above.contains(&real) => self.remark(&path, Remark::LinkLoop),
                Ok(real) => {
                    above.push(real);
                    self.folder(&path, above);
                    above.pop();
                }
            }
        }
    }

    fn remark(&mut self, path: &Path, remark: Remark) {
        let name = self.name(path);
        self.remarks.push((name, remark));
    }

    fn name(&self, path: &Path) -> String {
        normal_path(&path.strip_prefix(self.root).unwrap_or(path).to_string_lossy())
    }
}

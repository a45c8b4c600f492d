//! Files as they were when they were scored: what is explained later must be the same.

use std::fs;
use std::path::{self, Path, PathBuf};
use std::time::SystemTime;

/// Where the engine looks for judgements in a folder.
const IN_FOLDER: [&str; 2] = ["qrels/test.tsv", "test.tsv"];

/// A file that was scored.
#[derive(Debug)]
pub(crate) struct ScoredFile {
    /// From the root: the working directory may be another one later.
    pub(crate) path: PathBuf,
    state: State,
}

/// How a file was.
#[derive(Debug, PartialEq, Eq)]
enum State {
    /// How long it was and when it was last written; of a folder, what it holds.
    Regular(Vec<Option<(u64, Option<SystemTime>)>>),
    /// A pipe: what was read is gone.
    Once,
    /// Not to be had; the engine says why.
    Missing,
}

impl ScoredFile {
    /// Looks at a file.
    pub(crate) fn of(path: &Path) -> Self {
        let absolute = path::absolute(path);
        Self { path: absolute.unwrap_or_else(|_| path.to_owned()), state: State::of(path) }
    }

    /// Whether it can be read again, and is as it was.
    pub(crate) fn unchanged(&self) -> Result<(), String> {
        let shown = self.path.display();
        if self.state == State::Once {
            return Err(format!(
                "{shown}: can be read only once, so no query can be explained; give a file"
            ));
        }
        if State::of(&self.path) != self.state {
            return Err(format!("{shown}: has changed since it was scored; score it again"));
        }
        Ok(())
    }
}

impl State {
    fn of(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(found) if found.is_file() => Self::Regular(vec![written(path)]),
            Ok(found) if found.is_dir() => {
                Self::Regular(IN_FOLDER.iter().map(|name| written(&path.join(name))).collect())
            }
            Ok(_) => Self::Once,
            Err(_) => Self::Missing,
        }
    }
}

fn written(path: &Path) -> Option<(u64, Option<SystemTime>)> {
    let found = fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()))
}

//! Evidence that a caller gives for the members and reviewers to judge by.

use std::convert::Infallible;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;

use assize_methods::council::Exhibit;
use assize_methods::council::limits::{self, EVIDENCE_BYTES_MAX, TooLarge};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::input::{InputError, Source};

/// A piece of evidence as a caller gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a file, or an object with name and text")]
#[schemars(inline)]
pub enum EvidenceGiven {
    /// The file that holds it.
    File(PathBuf),
    /// The text itself.
    Text {
        /// What it is called.
        name: String,
        /// Its text.
        text: String,
    },
}

/// Evidence that cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// A file of it cannot be read.
    #[error("evidence: {0}")]
    Unreadable(#[from] InputError),
    /// There is more of it than a reviewer can be shown.
    #[error("evidence: {0}")]
    TooLarge(#[from] TooLarge),
}

impl FromStr for EvidenceGiven {
    type Err = Infallible;

    fn from_str(path: &str) -> Result<Self, Infallible> {
        Ok(Self::File(path.into()))
    }
}

impl From<Exhibit> for EvidenceGiven {
    fn from(Exhibit { name, text }: Exhibit) -> Self {
        Self::Text { name, text }
    }
}

/// The texts, read and held to their limits.
pub(super) fn read(given: &[EvidenceGiven]) -> Result<Vec<Exhibit>, EvidenceError> {
    let mut evidence = Vec::with_capacity(given.len());
    for one in given {
        evidence.push(match one {
            EvidenceGiven::Text { name, text } => {
                Exhibit { name: name.clone(), text: text.clone() }
            }
            EvidenceGiven::File(path) => {
                let bytes = fs::metadata(path).map_or(0, |found| found.len());
                if bytes > EVIDENCE_BYTES_MAX as u64 {
                    let found = usize::try_from(bytes).unwrap_or(usize::MAX);
                    let most = EVIDENCE_BYTES_MAX;
                    return Err(TooLarge { what: "bytes of evidence", found, most }.into());
                }
                let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
                let text = Source::open(path)?.text()?.to_owned();
                Exhibit { name: name.into_owned(), text }
            }
        });
        limits::evidence(&evidence)?;
    }
    Ok(evidence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_itself_and_too_much_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes.txt");
        fs::write(&path, "Quartz is SiO2.").unwrap();
        let found = read(&[EvidenceGiven::File(path.clone())]).unwrap();
        let expected = Exhibit { name: "notes.txt".to_owned(), text: "Quartz is SiO2.".to_owned() };
        assert_eq!(found, [expected]);
        fs::write(&path, vec![b'a'; EVIDENCE_BYTES_MAX + 1]).unwrap();
        let refused = read(&[EvidenceGiven::File(path)]).unwrap_err().to_string();
        assert!(refused.contains("1048577 bytes of evidence"), "{refused}");
        let text = |text: &str| EvidenceGiven::Text { name: "n".to_owned(), text: text.to_owned() };
        let refused = read(&vec![text("x"); 21]).unwrap_err().to_string();
        assert!(refused.contains("21 pieces of evidence"), "{refused}");
        // Just at the limit, all pieces together.
        assert!(read(&vec![text(&"x".repeat(EVIDENCE_BYTES_MAX / 2)); 2]).is_ok());
    }
}

//! Trust in reviewers as a caller gives it: the file that `bench` writes, or what such a file holds.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fs, io};

use assize_methods::council::{Trust, TrustError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The format of the files that this program writes.
const FORMAT: u32 = 1;

/// No file of weights is longer.
const BYTES_MAX: u64 = 1 << 20;

/// Trust as a caller gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a file, or an object with source and weights")]
#[schemars(inline)]
pub enum TrustGiven {
    /// The file that holds it.
    File(PathBuf),
    /// The weights themselves.
    Weights {
        /// What they were learned from, in words.
        source: String,
        /// The weight of each reviewer, from 0.
        weights: BTreeMap<String, f64>,
    },
}

impl TrustGiven {
    /// The weights, read and checked.
    pub(super) fn read(&self) -> Result<Trust, TrustFileError> {
        match self {
            Self::File(path) => read(path),
            Self::Weights { source, weights } => Trust::new(source.clone(), weights.clone())
                .map_err(|source| TrustFileError::Weights { path: "trust".into(), source }),
        }
    }
}

impl FromStr for TrustGiven {
    type Err = Infallible;

    fn from_str(path: &str) -> Result<Self, Infallible> {
        Ok(Self::File(path.into()))
    }
}

impl From<&Trust> for TrustGiven {
    fn from(trust: &Trust) -> Self {
        Self::Weights { source: trust.source.clone(), weights: trust.as_map().clone() }
    }
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    assize_trust: u32,
    source: String,
    weights: BTreeMap<String, f64>,
}

/// Why a file of trust cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrustFileError {
    /// It could not be read or written.
    #[error("{} could not be read or written", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// It is no such file.
    #[error("{} is not a trust file: {source}", .path.display())]
    Form {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// Its weights cannot be used.
    #[error("{}: {source}", .path.display())]
    Weights {
        /// Which file.
        path: PathBuf,
        /// What is wrong with them.
        #[source]
        source: TrustError,
    },
    /// A later program wrote it, or it is far too long.
    #[error("{}: {problem}", .path.display())]
    Unfit {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

/// Reads a file of trust.
pub fn read(path: &Path) -> Result<Trust, TrustFileError> {
    let failed = |error| TrustFileError::Io(path.to_owned(), error);
    let unfit = |problem| TrustFileError::Unfit { path: path.to_owned(), problem };
    let bytes = fs::metadata(path).map_err(failed)?.len();
    if bytes > BYTES_MAX {
        return Err(unfit(format!("{bytes} bytes; a trust file has at most {BYTES_MAX}")));
    }
    let text = fs::read_to_string(path).map_err(failed)?;
    let written: Written = serde_json::from_str(&text)
        .map_err(|source| TrustFileError::Form { path: path.to_owned(), source })?;
    if written.assize_trust != FORMAT {
        let found = written.assize_trust;
        return Err(unfit(format!("it has format {found}; this program reads {FORMAT}")));
    }
    Trust::new(written.source, written.weights)
        .map_err(|source| TrustFileError::Weights { path: path.to_owned(), source })
}

/// Writes a file of trust.
pub fn write(path: &Path, trust: &Trust) -> Result<(), TrustFileError> {
    let (source, weights) = (trust.source.clone(), trust.as_map().clone());
    let written = Written { assize_trust: FORMAT, source, weights };
    let text = serde_json::to_string_pretty(&written).expect("weights are plain data");
    fs::write(path, format!("{text}\n")).map_err(|error| TrustFileError::Io(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_back_and_what_is_wrong_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trust.json");
        let weights = [("gpt-4o".to_owned(), 0.5), ("llama3".to_owned(), 0.0)];
        let trust = Trust::new("a bench".to_owned(), weights.into()).unwrap();
        write(&path, &trust).unwrap();
        assert_eq!(read(&path).unwrap(), trust);
        // The same weights without a file.
        assert_eq!(TrustGiven::from(&trust).read().unwrap(), trust);
        assert_eq!("trust.json".parse(), Ok(TrustGiven::File("trust.json".into())));
        let nobody = r#"{"source": "x", "weights": {"a": 0}}"#;
        let nobody: TrustGiven = serde_json::from_str(nobody).unwrap();
        let error = nobody.read().unwrap_err().to_string();
        assert_eq!(error, "trust: no reviewer has a weight above 0");
        for (text, problem) in [
            (r#"{"assize_trust": 1, "source": "x", "weights": {"a": -1}}"#, "is -1"),
            (r#"{"assize_trust": 1, "source": "x", "weights": {"a": 0}}"#, "no reviewer"),
            (r#"{"assize_trust": 2, "source": "x", "weights": {"a": 1}}"#, "format 2"),
            ("{}", "not a trust file"),
        ] {
            fs::write(&path, text).unwrap();
            let error = read(&path).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
    }
}

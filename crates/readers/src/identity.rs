//! What tells one model from every other: its name, its revision, its files and what runs it.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{RUNTIME_VERSION, ReaderError, Result};

/// Every file that may have a say in a result.
pub const FILES: [&str; 9] = [
    "config.json",
    "tokenizer.json",
    "vocab.txt",
    "tokenizer_config.json",
    "modules.json",
    "sentence_bert_config.json",
    "config_sentence_transformers.json",
    "1_Pooling/config.json",
    "model.safetensors",
];

/// The file in which an installation says what it installed.
pub const RECORD_FILE: &str = "assize-reader.json";

/// Bytes that are hashed at once.
const BUFFER_BYTES: usize = 1 << 20;

/// What tells a model from every other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// Its name, or that of its folder.
    pub name: String,
    /// The revision that was installed, where one is known.
    pub revision: Option<String>,
    /// Over the names and contents of its files, in hexadecimal.
    pub sha256: String,
    /// What runs it.
    pub runtime: String,
}

/// What an installation says of a model, beside its files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The name it was installed by.
    pub name: String,
    /// The revision that the source stated.
    pub revision: Option<String>,
    /// Where the files came from.
    pub source: String,
    /// The licence, as the manifest or whoever installed it states it.
    pub licence: Option<String>,
    /// The sha256 of each file.
    pub files: BTreeMap<String, String>,
}

impl Identity {
    /// Reads every file of a folder; one that has changed since it was installed is refused.
    pub fn of_folder(folder: &Path) -> Result<Self> {
        let record = Record::read(folder)?;
        let mut all = Sha256::new();
        for name in FILES {
            let Some(hash) = sha256_of(&folder.join(name))? else { continue };
            if let Some(recorded) = record.as_ref().and_then(|record| record.files.get(name))
                && *recorded != hash
            {
                let problem = format!(
                    "it has changed since it was installed: its sha256 is {hash}, not {recorded}"
                );
                return Err(ReaderError::Wrong { file: folder.join(name), problem });
            }
            all.update(format!("{name} {hash}\n"));
        }
        let folder_name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let (name, revision) = match record {
            Some(record) => (record.name, record.revision),
            None => (folder_name.unwrap_or_else(|| "unnamed".to_owned()), None),
        };
        let sha256 = hexadecimal(&all.finalize());
        Ok(Self { name, revision, sha256, runtime: RUNTIME_VERSION.to_owned() })
    }
}

/// One line for ledgers and versions of methods.
impl fmt::Display for Identity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, revision, sha256, runtime } = self;
        let short = sha256.get(..12).unwrap_or(sha256);
        match revision {
            Some(revision) => write!(formatter, "{name}@{revision} (sha256 {short}, {runtime})"),
            None => write!(formatter, "{name} (sha256 {short}, {runtime})"),
        }
    }
}

impl Record {
    /// The record of a folder; nothing where it was not installed but only put there.
    pub fn read(folder: &Path) -> Result<Option<Self>> {
        let file = folder.join(RECORD_FILE);
        let bytes = match fs::read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotADirectory => return Ok(None),
            Err(source) => return Err(ReaderError::Unreadable { file, source }),
        };
        let read = serde_json::from_slice(&bytes);
        read.map(Some).map_err(|error| ReaderError::Wrong { file, problem: error.to_string() })
    }
}

/// The sha256 of a file in hexadecimal; nothing where there is no such file.
pub fn sha256_of(file: &Path) -> Result<Option<String>> {
    let hashed = || -> io::Result<String> {
        let mut reader = File::open(file)?;
        let (mut hash, mut buffer) = (Sha256::new(), vec![0; BUFFER_BYTES]);
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(hexadecimal(&hash.finalize())),
                count => hash.update(&buffer[..count]),
            }
        }
    };
    match hashed() {
        Ok(hash) => Ok(Some(hash)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(ReaderError::Unreadable { file: file.to_owned(), source }),
    }
}

/// Bytes as digits of sixteen.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a string takes all that is written to it");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected value: `printf abc | sha256sum`.
    #[test]
    fn files_are_hashed_as_sha256sum_does() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("abc");
        fs::write(&file, "abc").unwrap();
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256_of(&file).unwrap().unwrap(), expected);
        assert_eq!(sha256_of(&folder.path().join("nothing")).unwrap(), None);
    }

    #[test]
    fn a_file_that_changed_since_it_was_installed_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::write(path.join("config.json"), "{}").unwrap();
        let before = Identity::of_folder(path).unwrap();
        let record = Record {
            name: "own".to_owned(),
            revision: Some("r1".to_owned()),
            source: "a folder".to_owned(),
            licence: None,
            files: [(
                "config.json".to_owned(),
                sha256_of(&path.join("config.json")).unwrap().unwrap(),
            )]
            .into(),
        };
        fs::write(path.join(RECORD_FILE), serde_json::to_string(&record).unwrap()).unwrap();
        let installed = Identity::of_folder(path).unwrap();
        assert_eq!((installed.name.as_str(), installed.revision.as_deref()), ("own", Some("r1")));
        assert_eq!(installed.sha256, before.sha256);
        fs::write(path.join("config.json"), "{ }").unwrap();
        let error = Identity::of_folder(path).unwrap_err().to_string();
        assert!(error.contains("it has changed since it was installed"), "{error}");
    }
}

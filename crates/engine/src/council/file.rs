//! A council run on disk: what was collected and how it was counted, for report and rescore.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use assize_methods::council::{CouncilRecord, CouncilVerdict, Settings, decide};
use assize_models::key;
use assize_score::Finding;
pub use assize_wire::council::ChairSaid;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::participant::Participant;
use super::plan::Plan;

/// The format of the files that this program writes.
const FORMAT: u32 = 1;

/// Where council runs are kept unless told otherwise.
pub const FOLDER: &str = "assize-councils";

/// A council run: all that its verdict is computed from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CouncilRun {
    /// What was collected.
    pub record: CouncilRecord,
    /// How it is counted.
    pub settings: Settings,
    /// Rules that were added to the safety gate, as they were written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gate_patterns: Vec<String>,
    /// Who took part.
    #[serde(rename = "seats")]
    pub participants: Participants,
    /// What the chair wrote; `None` if there was no chair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chair: Option<ChairSaid>,
    /// The keys of the exchanges behind it, in the order of the participants.
    #[serde(default)]
    pub exchanges: Vec<String>,
    /// What was noticed while asking.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// Who took part.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Participants {
    /// Who answered; empty if the answers were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<Participant>,
    /// Who reviewed.
    pub reviewers: Vec<Participant>,
    /// Who wrote the final answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chair: Option<Participant>,
}

/// The file: a council run with its format and its name.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    assize_council: u32,
    id: String,
    #[serde(flatten)]
    run: CouncilRun,
}

/// Why a file was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FileError {
    /// It could not be read.
    #[error("{} could not be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// It could not be written.
    #[error("{} could not be written", .0.display())]
    Unwritable(PathBuf, #[source] io::Error),
    /// It is not a council run.
    #[error("{} is not a council's file: {source}", .path.display())]
    NotACouncil {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// A later program wrote it.
    #[error("{} has format {found}; this program reads {FORMAT}", .path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
}

impl CouncilRun {
    /// The verdict by today's arithmetic. No model is asked.
    pub fn verdict(&self) -> CouncilVerdict {
        let mut verdict = decide(&self.record, &self.settings);
        verdict.findings.extend(self.findings.iter().cloned());
        verdict
    }

    /// How it is counted, as a plan that can be changed.
    pub fn plan(&self) -> Plan {
        let gate_cap = self.record.gate.as_ref().map(assize_methods::council::Gating::cap);
        Plan {
            settings: self.settings.clone(),
            gate_cap,
            gate_patterns: self.gate_patterns.clone(),
            seed: self.record.seed,
        }
    }

    /// A name made from the content: the same run, the same name.
    pub fn id(&self) -> String {
        let text = serde_json::to_string(self).expect("a council run is plain data");
        key::nonce(text.as_bytes())
    }

    /// Reads a council run by its file, or by its name in the folder where they are kept.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let by_name = Path::new(FOLDER).join(path).with_extension("json");
        let path = if !path.exists() && by_name.exists() { by_name.as_path() } else { path };
        let text = fs::read_to_string(path)
            .map_err(|error| FileError::Unreadable(path.to_owned(), error))?;
        Self::from_text(path, &text)
    }

    /// Reads the text of such a file.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, FileError> {
        #[derive(Deserialize)]
        struct Head {
            assize_council: u32,
        }
        let refused = |source| FileError::NotACouncil { path: path.to_owned(), source };
        let Head { assize_council: found } = serde_json::from_str(text).map_err(refused)?;
        if found != FORMAT {
            return Err(FileError::Format { path: path.to_owned(), found });
        }
        let written: Written = serde_json::from_str(text).map_err(refused)?;
        Ok(written.run)
    }

    /// Writes the file whole or not at all; without a path into the folder where they are
    /// kept. Says where it went.
    pub fn write(&self, path: Option<&Path>) -> Result<PathBuf, FileError> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => Path::new(FOLDER).join(self.id()).with_extension("json"),
        };
        let written = Written { assize_council: FORMAT, id: self.id(), run: self.clone() };
        let mut text = serde_json::to_string_pretty(&written).expect("a council run is plain data");
        text.push('\n');
        let refused = |error| FileError::Unwritable(path.clone(), error);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder).map_err(refused)?;
        }
        let beside = path.with_extension("partial");
        let mut file = fs::File::create(&beside).map_err(refused)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(refused)?;
        fs::rename(&beside, &path).map_err(refused)?;
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use assize_methods::council::Answer;

    use super::*;

    fn run() -> CouncilRun {
        let answers = vec![Answer::given("a", "one"), Answer::given("b", "two")];
        CouncilRun {
            record: CouncilRecord { answers, ..CouncilRecord::default() },
            settings: Settings::default(),
            gate_patterns: Vec::new(),
            participants: Participants::default(),
            chair: None,
            exchanges: Vec::new(),
            findings: Vec::new(),
        }
    }

    #[test]
    fn what_was_written_is_read_back_and_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs/one.json");
        assert_eq!(run().write(Some(&path)).unwrap(), path);
        let back = CouncilRun::read(&path).unwrap();
        assert_eq!(back, run());
        assert_eq!(back.id(), run().id());
        assert!(!path.with_extension("partial").exists());
    }

    #[test]
    fn whatever_can_change_a_verdict_changes_the_name() {
        let mut other = run();
        other.settings.count_own = true;
        assert_ne!(other.id(), run().id());
        let mut other = run();
        other.record.seed = 1;
        assert_ne!(other.id(), run().id());
    }

    #[test]
    fn a_file_of_a_later_program_is_refused_by_its_format() {
        let error = CouncilRun::from_text(Path::new("x.json"), r#"{"assize_council": 9}"#);
        assert!(error.unwrap_err().to_string().contains("has format 9"));
        assert!(CouncilRun::from_text(Path::new("x.json"), "{}").is_err());
    }
}

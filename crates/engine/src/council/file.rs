//! A council run on disk: what was collected and how it was counted, for report and rescore.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use assize_methods::council::{CouncilRecord, CouncilVerdict, Settings, decide, limits};
use assize_methods::gate::GateError;
use assize_models::key;
use assize_score::Finding;
pub use assize_wire::council::ChairSaid;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::gating::gate;
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

/// The file: a council run with its format and its name, which stand first.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    assize_council: u32,
    id: String,
    #[serde(flatten)]
    run: CouncilRun,
    /// Where earlier programs kept the rules added to the gate.
    #[serde(default, skip_serializing)]
    gate_patterns: Vec<String>,
}

/// The largest file that is read: a hundred answers of ten thousand words, reviewed by a hundred.
const BYTES_MAX: u64 = 64 << 20;

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
    #[error("{} is not a council file: {source}", .path.display())]
    NotACouncil {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: serde_json::Error,
    },
    /// Its content is not the one it is named after.
    #[error(
        "{} was modified after it was written: its content does not match its id; to change \
         settings, use `assize council rescore` instead of editing the file", .0.display()
    )]
    Changed(PathBuf),
    /// It is larger than a council can be.
    #[error("{}: {problem}", .path.display())]
    TooLarge {
        /// Which file.
        path: PathBuf,
        /// What is too large.
        problem: String,
    },
    /// Rules added to the gate cannot be used.
    #[error("{}: {source}", .path.display())]
    Patterns {
        /// Which file.
        path: PathBuf,
        /// What is wrong with them.
        #[source]
        source: GateError,
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
        Plan { settings: self.settings.clone(), gate_cap, seed: self.record.seed }
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
        let unreadable = |error| FileError::Unreadable(path.to_owned(), error);
        let bytes = fs::metadata(path).map_err(unreadable)?.len();
        if bytes > BYTES_MAX {
            let problem = format!("{bytes} bytes; a council file may have at most {BYTES_MAX}");
            return Err(FileError::TooLarge { path: path.to_owned(), problem });
        }
        Self::from_text(path, &fs::read_to_string(path).map_err(unreadable)?)
    }

    /// Reads the text of such a file. Nothing in it is taken on trust: its content must be the
    /// one it is named after, its sizes are held to limits, and the verdict looks at the texts.
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
        if !is_named_after(text, &written.id) {
            return Err(FileError::Changed(path.to_owned()));
        }
        let mut run = written.run;
        run.settings.gate_patterns.extend(written.gate_patterns);
        gate(&run.settings.gate_patterns)
            .map_err(|source| FileError::Patterns { path: path.to_owned(), source })?;
        limits::check(&run.record, &run.settings).map_err(|error| FileError::TooLarge {
            path: path.to_owned(),
            problem: error.to_string(),
        })?;
        run.name_authors();
        Ok(run)
    }

    /// Says which model stands behind each name, where an earlier program did not.
    fn name_authors(&mut self) {
        let model = |those: &[Participant], name: &str| {
            let found = those.iter().find(|one| one.name == name)?;
            Some(found.model.to_string())
        };
        for answer in &mut self.record.answers {
            let known = answer.written_by.take();
            answer.written_by = known.or_else(|| model(&self.participants.members, &answer.model));
        }
        for reviewer in &mut self.record.reviewers {
            let known = reviewer.spoken_by.take();
            reviewer.spoken_by =
                known.or_else(|| model(&self.participants.reviewers, &reviewer.model));
        }
    }

    /// Writes the file whole or not at all; without a path into the folder where they are
    /// kept. Says where it went.
    pub fn write(&self, path: Option<&Path>) -> Result<PathBuf, FileError> {
        let path = match path {
            Some(path) => path.to_owned(),
            None => Path::new(FOLDER).join(self.id()).with_extension("json"),
        };
        let written = Written {
            assize_council: FORMAT,
            id: self.id(),
            run: self.clone(),
            gate_patterns: Vec::new(),
        };
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

/// Whether the content of a file is the one its id was made from. The id is made from the
/// compact form, so it is the written text that is looked at, without its white space: numbers
/// need not survive being read, and files of earlier programs keep their ids.
fn is_named_after(text: &str, id: &str) -> bool {
    let compact = compact(text);
    let head = format!("{{\"assize_council\":{FORMAT},\"id\":\"{id}\",");
    let content = compact.strip_prefix(&head).map(|rest| format!("{{{rest}"));
    content.is_some_and(|content| key::nonce(content.as_bytes()) == id)
}

/// JSON without the white space between its parts.
fn compact(text: &str) -> String {
    let (mut is_string, mut is_escaped) = (false, false);
    let keep = |letter: &char| {
        let outside = !is_string;
        if is_string {
            is_string = is_escaped || *letter != '"';
            is_escaped = !is_escaped && *letter == '\\';
        } else {
            is_string = *letter == '"';
        }
        !(outside && letter.is_ascii_whitespace())
    };
    text.chars().filter(keep).collect()
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
    fn a_file_that_was_changed_by_hand_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.json");
        let quoted = Answer::given("a", "say \"one\"  \\ two\n");
        let mut edited = run();
        edited.record.answers[0] = quoted;
        edited.write(Some(&path)).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(CouncilRun::from_text(&path, &text).unwrap(), edited);
        for (from, to) in [
            ("\"two\"", "\"to\""),
            ("\"count_own\": false", "\"count_own\": true"),
            ("\"resamples\": 1000", "\"resamples\": 999"),
        ] {
            assert!(text.contains(from), "{text}");
            let error = CouncilRun::from_text(&path, &text.replace(from, to)).unwrap_err();
            assert!(error.to_string().contains("was modified after"), "{error}");
        }
    }

    #[test]
    fn sizes_are_held_to_limits_before_anything_is_allocated() {
        let mut large = run();
        large.record.answers = vec![Answer::given("a", "one"); limits::ANSWERS_MAX + 1];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.json");
        large.write(Some(&path)).unwrap();
        let error = CouncilRun::read(&path).unwrap_err().to_string();
        assert!(error.contains("101 answers; a council may have at most 100"), "{error}");
        let mut large = run();
        large.settings.resamples = usize::MAX;
        large.write(Some(&path)).unwrap();
        assert!(CouncilRun::read(&path).unwrap_err().to_string().contains("resamples"));
    }

    #[test]
    fn a_file_of_a_later_program_is_refused_by_its_format() {
        let error = CouncilRun::from_text(Path::new("x.json"), r#"{"assize_council": 9}"#);
        assert!(error.unwrap_err().to_string().contains("has format 9"));
        assert!(CouncilRun::from_text(Path::new("x.json"), "{}").is_err());
    }
}

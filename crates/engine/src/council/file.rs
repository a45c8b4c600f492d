//! A council run on disk: what was collected and how it was counted, for report and rescore.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use assize_methods::council::{CouncilRecord, CouncilVerdict, Settings, decide, gate, limits};
use assize_methods::gate::GateError;
use assize_models::key;
use assize_score::Finding;
pub use assize_wire::council::{ChairSaid, StageUsage};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::participant::Participant;
use super::plan::Plan;
use super::signing::{SignatureState, SigningKey};
use super::verify::{Disagreement, Tally, verify};

/// The format of the files that this program writes.
const FORMAT: u32 = 2;

/// The format of earlier programs, which did not note what a council came to.
const FORMAT_WITHOUT_OUTCOME: u32 = 1;

/// Where council runs are kept unless told otherwise.
pub const FOLDER: &str = "assize-councils";

/// A council run: all that its verdict is computed from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
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
    /// What asking took, by stage and model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub usage: Vec<StageUsage>,
    /// What was noticed while asking.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
    /// What was noticed while reading it from a file; not part of it.
    #[serde(skip)]
    pub notices: Vec<Finding>,
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

/// The file: a council run with its format, its name and its signature, which stand first.
#[derive(Debug, Serialize, Deserialize)]
struct Written {
    assize_council: u32,
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<String>,
    #[serde(flatten)]
    content: Content,
    /// Where earlier programs kept the rules added to the gate.
    #[serde(default, skip_serializing)]
    gate_patterns: Vec<String>,
}

/// What a file is named after and signed for.
#[derive(Debug, Serialize, Deserialize)]
struct Content {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Tally>,
    #[serde(flatten)]
    run: CouncilRun,
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
    /// Another key signed it, or another content.
    #[error("{}: the signature is not this operator's for this content", .0.display())]
    Signature(PathBuf),
    /// One of its parts says something else than the others.
    #[error("{}: {source}", .path.display())]
    Disagrees {
        /// Which file.
        path: PathBuf,
        /// Which part, and what is wrong with it.
        #[source]
        source: Disagreement,
    },
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
        verdict.findings.extend(self.findings.iter().chain(&self.notices).cloned());
        verdict
    }

    /// How it is counted, as a plan that can be changed.
    pub fn plan(&self) -> Plan {
        let gate_cap = self.record.gate.as_ref().map(assize_methods::council::Gating::cap);
        Plan {
            question: self.record.question.clone(),
            settings: self.settings.clone(),
            gate_cap,
            seed: self.record.seed,
            evidence: self.record.evidence.clone(),
            ..Plan::default()
        }
    }

    /// A name made from the content: the same run, the same name.
    pub fn id(&self) -> String {
        key::nonce(self.content().as_bytes())
    }

    /// All that a file holds besides its name.
    fn content(&self) -> String {
        let content = Content { outcome: Some(Tally::new(self)), run: self.clone() };
        serde_json::to_string(&content).expect("a council run is plain data")
    }

    /// Reads a council run by its file, or by its name in the folder where they are kept.
    pub fn read(path: &Path, key: Option<&SigningKey>) -> Result<Self, FileError> {
        let by_name = Path::new(FOLDER).join(path).with_extension("json");
        let path = if !path.exists() && by_name.exists() { by_name.as_path() } else { path };
        let unreadable = |error| FileError::Unreadable(path.to_owned(), error);
        let bytes = fs::metadata(path).map_err(unreadable)?.len();
        if bytes > BYTES_MAX {
            let problem = format!("{bytes} bytes; a council file may have at most {BYTES_MAX}");
            return Err(FileError::TooLarge { path: path.to_owned(), problem });
        }
        Self::from_text(path, &fs::read_to_string(path).map_err(unreadable)?, key)
    }

    /// Reads the text of such a file. Nothing in it is taken on trust: its content must be the
    /// one it is named after, its sizes are held to limits, and its parts have to agree.
    pub fn from_text(path: &Path, text: &str, key: Option<&SigningKey>) -> Result<Self, FileError> {
        #[derive(Deserialize)]
        struct Head {
            assize_council: u32,
        }
        let refused = |source| FileError::NotACouncil { path: path.to_owned(), source };
        let Head { assize_council: found } = serde_json::from_str(text).map_err(refused)?;
        if !(FORMAT_WITHOUT_OUTCOME..=FORMAT).contains(&found) {
            return Err(FileError::Format { path: path.to_owned(), found });
        }
        let written: Written = serde_json::from_str(text).map_err(refused)?;
        let content = named_content(text, &written);
        let content = content.ok_or_else(|| FileError::Changed(path.to_owned()))?;
        let signed = SigningKey::check(key, written.signature.as_deref(), &content);
        if signed == SignatureState::Wrong {
            return Err(FileError::Signature(path.to_owned()));
        }
        let Content { outcome, mut run } = written.content;
        run.settings.gate_patterns.extend(written.gate_patterns);
        gate(&run.settings)
            .map_err(|source| FileError::Patterns { path: path.to_owned(), source })?;
        limits::check(&run.record, &run.settings).map_err(|error| FileError::TooLarge {
            path: path.to_owned(),
            problem: error.to_string(),
        })?;
        let disagrees = |source| FileError::Disagrees { path: path.to_owned(), source };
        if outcome.is_none() && found != FORMAT_WITHOUT_OUTCOME {
            let (part, problem) = ("outcome".to_owned(), "it is missing".to_owned());
            return Err(disagrees(Disagreement { part, problem }));
        }
        run.name_authors();
        run.notices = verify(&mut run, outcome.as_ref()).map_err(disagrees)?;
        run.notices.extend(unsigned(signed));
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

    /// The content of its file as a value, for those who hand it on.
    pub fn to_value(&self, key: Option<&SigningKey>) -> Value {
        serde_json::to_value(self.written(key)).expect("a council run is plain data")
    }

    fn written(&self, key: Option<&SigningKey>) -> Written {
        let content = self.content();
        Written {
            assize_council: FORMAT,
            id: key::nonce(content.as_bytes()),
            signature: key.map(|key| key.sign(&content)),
            content: Content { outcome: Some(Tally::new(self)), run: self.clone() },
            gate_patterns: Vec::new(),
        }
    }

    /// Writes the file whole or not at all; without a path into the folder where they are
    /// kept. Says where it went.
    pub fn write(
        &self,
        path: Option<&Path>,
        key: Option<&SigningKey>,
    ) -> Result<PathBuf, FileError> {
        let written = self.written(key);
        let path = match path {
            Some(path) => path.to_owned(),
            None => Path::new(FOLDER).join(&written.id).with_extension("json"),
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

/// The content of a file, if it is the one its id was made from. The id is made from the compact
/// form, so it is the written text that is looked at first, without its white space: numbers need
/// not survive being read, and files of earlier programs keep their ids. A record that came
/// through other hands may be spelled differently, and is then looked at as it was understood.
fn named_content(text: &str, written: &Written) -> Option<String> {
    let is_named = |content: &String| key::nonce(content.as_bytes()) == written.id;
    let compact = compact(text);
    let (format, id) = (written.assize_council, &written.id);
    let signature = written.signature.as_ref();
    let signature = signature.map(|signature| format!("\"signature\":\"{signature}\","));
    let signature = signature.unwrap_or_default();
    let head = format!("{{\"assize_council\":{format},\"id\":\"{id}\",{signature}");
    let content = compact.strip_prefix(&head).map(|rest| format!("{{{rest}"));
    let understood = || serde_json::to_string(&written.content).ok();
    content.filter(is_named).or_else(|| understood().filter(is_named))
}

/// That nobody vouches for a record that came from outside.
fn unsigned(state: SignatureState) -> Option<Finding> {
    let message = match state {
        SignatureState::Missing => "this record is unsigned: nobody vouches for its replies",
        SignatureState::Unchecked => {
            "this record is signed, and no key is configured to check the signature"
        }
        SignatureState::Valid | SignatureState::Wrong => return None,
    };
    Some(Finding::new("unsigned", message))
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
            ..CouncilRun::default()
        }
    }

    #[test]
    fn what_was_written_is_read_back_and_keeps_its_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("runs/one.json");
        assert_eq!(run().write(Some(&path), None).unwrap(), path);
        let back = CouncilRun::read(&path, None).unwrap();
        let codes: Vec<&str> = back.notices.iter().map(|notice| notice.code.as_ref()).collect();
        assert_eq!(codes, ["unsigned"]);
        assert_eq!(CouncilRun { notices: Vec::new(), ..back.clone() }, run());
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
        edited.write(Some(&path), None).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(CouncilRun::from_text(&path, &text, None).unwrap().record, edited.record);
        for (from, to) in [
            ("\"two\"", "\"to\""),
            ("\"count_own\": false", "\"count_own\": true"),
            ("\"resamples\": 1000", "\"resamples\": 999"),
        ] {
            assert!(text.contains(from), "{text}");
            let error = CouncilRun::from_text(&path, &text.replace(from, to), None).unwrap_err();
            assert!(error.to_string().contains("was modified after"), "{error}");
        }
    }

    #[test]
    fn sizes_are_held_to_limits_before_anything_is_allocated() {
        let mut large = run();
        large.record.answers = vec![Answer::given("a", "one"); limits::ANSWERS_MAX + 1];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("one.json");
        large.write(Some(&path), None).unwrap();
        let error = CouncilRun::read(&path, None).unwrap_err().to_string();
        assert!(error.contains("101 answers; a council may have at most 100"), "{error}");
        let mut large = run();
        large.settings.resamples = usize::MAX;
        large.write(Some(&path), None).unwrap();
        assert!(CouncilRun::read(&path, None).unwrap_err().to_string().contains("resamples"));
    }

    #[test]
    fn a_file_of_a_later_program_is_refused_by_its_format() {
        let error = CouncilRun::from_text(Path::new("x.json"), r#"{"assize_council": 9}"#, None);
        assert!(error.unwrap_err().to_string().contains("has format 9"));
        assert!(CouncilRun::from_text(Path::new("x.json"), "{}", None).is_err());
    }
}

//! Retrieval as runs: one item a query, and the two files beside them so that they can be
//! scored with other measures, another k, another relevance level.

use std::fs;
use std::path::{Path, PathBuf};

use assize_store::{AnyRun, Instrument, NewItem, NewVerdict, ResultOutcome};
use async_recursion::async_recursion as boxed;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::Utc;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tempfile::TempDir;

use super::draft::Draft;
use super::error::RunError;
use super::summary::json;
use crate::compliance::Registry;
use crate::input::STANDARD_INPUT;
use crate::retrieval::scoreboard::{Row, Scoreboard};

/// Larger files are not kept: a run of a large collection is scored again from its files.
const FILE_MAX: u64 = 32 << 20;

/// The version of the retrieval measures as a whole; each has its own definition.
const METHOD: &str = "retrieval 1";

/// A file as it was, kept for a rescore.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    name: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    base64: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Material {
    predictions: Kept,
    gold: Kept,
}

/// The files of a run, written out again; they go when this does.
#[derive(Debug)]
pub struct StoredFiles {
    /// The run.
    pub predictions: PathBuf,
    /// What it is scored against.
    pub gold: PathBuf,
    _folder: TempDir,
}

/// The draft of a retrieval run. Files that are too large or came from standard input are not
/// kept, and such a run cannot be rescored.
pub fn draft(
    configuration: &impl Serialize,
    predictions: &Path,
    gold: &Path,
) -> Result<Draft, RunError> {
    let material = match (kept(predictions), kept(gold)) {
        (Some(predictions), Some(gold)) => Some(json(&Material { predictions, gold })?),
        _ => None,
    };
    Ok(Draft {
        instrument: Instrument::Retrieval,
        configuration: json(configuration)?,
        method_version: METHOD.to_owned(),
        material,
    })
}

/// The draft of a retrieval run whose content a caller handed over as JSON.
pub fn draft_of_values(
    configuration: &impl Serialize,
    predictions: &Json,
    gold: &Json,
) -> Result<Draft, RunError> {
    let kept = |name: &str, value: &Json| Kept {
        name: format!("{name}.json"),
        text: Some(value.to_string()),
        base64: None,
    };
    let material =
        Material { predictions: kept("predictions", predictions), gold: kept("gold", gold) };
    Ok(Draft {
        instrument: Instrument::Retrieval,
        configuration: json(configuration)?,
        method_version: METHOD.to_owned(),
        material: Some(json(&material)?),
    })
}

fn kept(path: &Path) -> Option<Kept> {
    if path.as_os_str() == STANDARD_INPUT || fs::metadata(path).ok()?.len() > FILE_MAX {
        return None;
    }
    let name = path.file_name()?.to_string_lossy().into_owned();
    match String::from_utf8(fs::read(path).ok()?) {
        Ok(text) => Some(Kept { name, text: Some(text), base64: None }),
        Err(binary) => {
            let base64 = Some(STANDARD.encode(binary.as_bytes()));
            Some(Kept { name, text: None, base64 })
        }
    }
}

/// The queries with their values.
pub fn items(board: &Scoreboard) -> Vec<(NewItem, NewVerdict)> {
    let names: Vec<&String> = board.columns.iter().map(|column| &column.name).collect();
    let item = |row: &Row| {
        let scores = names.iter().zip(&row.values);
        let new = NewVerdict {
            outcome: ResultOutcome::Scored,
            reason: None,
            scores: scores.map(|(name, value)| ((*name).clone(), Some(*value))).collect(),
            ledger: None,
            evidence: None,
            exchange_keys: None,
            created_at: Utc::now(),
        };
        (NewItem { subject: row.query.clone(), material: None }, new)
    };
    board.rows.iter().map(item).collect()
}

impl Registry {
    /// The files of a retrieval run, under the names they had: their endings say what they are.
    #[boxed]
    pub async fn stored_files(&self, run: &AnyRun) -> Result<StoredFiles, RunError> {
        let Some(material) = self.store.any_runs().material(&run.id).await? else {
            let because = format!(
                "run #{} did not keep its files (larger than 32 MiB, or standard input): \
                 score them again",
                run.number
            );
            return Err(RunError::Refused(because));
        };
        let Material { predictions, gold } = read(run, material)?;
        let folder = tempfile::tempdir()?;
        // In two folders: the two files may have one name.
        Ok(StoredFiles {
            predictions: write(run, &folder.path().join("predictions"), predictions)?,
            gold: write(run, &folder.path().join("gold"), gold)?,
            _folder: folder,
        })
    }
}

fn read(run: &AnyRun, material: Json) -> Result<Material, RunError> {
    serde_json::from_value(material).map_err(|error| RunError::unreadable(run, &error))
}

fn write(run: &AnyRun, folder: &Path, kept: Kept) -> Result<PathBuf, RunError> {
    // Only the last part: a stored name is no way out of the folder.
    let name = Path::new(&kept.name).file_name().unwrap_or_default();
    let path = folder.join(name);
    let bytes = match (kept.text, kept.base64) {
        (Some(text), _) => text.into_bytes(),
        (None, Some(text)) => {
            STANDARD.decode(text).map_err(|error| RunError::unreadable(run, &error))?
        }
        (None, None) => return Err(RunError::unreadable(run, "a file is missing")),
    };
    fs::create_dir(folder)?;
    fs::write(&path, bytes)?;
    Ok(path)
}

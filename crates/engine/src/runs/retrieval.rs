//! Retrieval as runs: one item a query, and the two files beside them so that they can be
//! scored with other measures, another k, another relevance level.

use std::fs;
use std::path::{Path, PathBuf};

use assize_store::{Instrument, NewItem, NewVerdict, ResultOutcome, Run};
use async_recursion::async_recursion as boxed;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::Utc;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use tempfile::TempDir;

use super::draft::Draft;
use super::error::{Result, RunError};
use super::summary::json;
use crate::Workspace;
use crate::input::STANDARD_INPUT;
use crate::retrieval::request::{Explained, Inputs, ScoreRequest, in_folder};
use crate::retrieval::scoreboard::{Row, Scoreboard};

/// Larger files are not kept: a run of a large collection is scored again from its files.
const FILE_MAX: u64 = 32 << 20;

/// The version of the retrieval measures as a whole; each has its own definition.
const METHOD: &str = "retrieval 1";

/// What the two values of a program are called.
const PREDICTIONS: &str = "predictions";
const GOLD: &str = "gold";

/// A file as it was, kept for a rescore.
#[derive(Debug, Serialize, Deserialize)]
struct KeptFile {
    name: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    base64: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Material {
    predictions: KeptFile,
    gold: KeptFile,
}

/// The files of a run, written out again; they go when this does.
#[derive(Debug)]
pub(crate) struct StoredFiles {
    /// The run.
    pub predictions: PathBuf,
    /// What it is scored against.
    pub gold: PathBuf,
    _folder: TempDir,
}

/// The draft of a retrieval run; of a folder, the file of judgements in it is kept. Files that are
/// too large or came from standard input are not kept, and such a run cannot be rescored.
pub fn draft(request: &ScoreRequest, predictions: &Path, gold: &Path) -> Result<Draft> {
    let in_folder = in_folder(gold).ok().flatten();
    let gold = in_folder.as_deref().unwrap_or(gold);
    let material = match (kept(predictions), kept(gold)) {
        (Some(predictions), Some(gold)) => Some(json(&Material { predictions, gold })?),
        _ => None,
    };
    Ok(Draft {
        instrument: Instrument::Retrieval,
        configuration: json(request)?,
        method_version: METHOD.to_owned(),
        material,
    })
}

/// The draft of a retrieval run whose content a caller handed over as JSON.
pub fn draft_of_values(request: &ScoreRequest, predictions: &Json, gold: &Json) -> Result<Draft> {
    let kept = |name: &str, value: &Json| KeptFile {
        name: of_value(name),
        text: Some(value.to_string()),
        base64: None,
    };
    let material = Material { predictions: kept(PREDICTIONS, predictions), gold: kept(GOLD, gold) };
    Ok(Draft {
        instrument: Instrument::Retrieval,
        configuration: json(request)?,
        method_version: METHOD.to_owned(),
        material: Some(json(&material)?),
    })
}

fn kept(path: &Path) -> Option<KeptFile> {
    if path.as_os_str() == STANDARD_INPUT || fs::metadata(path).ok()?.len() > FILE_MAX {
        return None;
    }
    let name = path.file_name()?.to_string_lossy().into_owned();
    match String::from_utf8(fs::read(path).ok()?) {
        Ok(text) => Some(KeptFile { name, text: Some(text), base64: None }),
        Err(binary) => {
            let base64 = Some(STANDARD.encode(binary.as_bytes()));
            Some(KeptFile { name, text: None, base64 })
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
            assessment: None,
            created_at: Utc::now(),
        };
        (NewItem { subject: row.query.clone(), material: None }, new)
    };
    board.rows.iter().map(item).collect()
}

impl Workspace {
    /// The files of a retrieval run, under the names they had: their endings say what they are.
    #[boxed]
    pub(crate) async fn stored_files(&self, run: &Run) -> Result<StoredFiles> {
        self.stored(run).await?.written(run)
    }

    /// What a retrieval run was scored from, to explain one of its queries.
    #[boxed]
    pub async fn scored_from(&self, run: &Run) -> Result<ScoredFrom> {
        let (material, request) = (self.stored(run).await?, self.scored_with(run).await?);
        Ok(ScoredFrom { material, request, run: run.clone() })
    }

    /// The request that gave the numbers of the version that counts.
    pub(crate) async fn scored_with(&self, run: &Run) -> Result<ScoreRequest> {
        let request = serde_json::from_value(self.configuration_of(run).await?);
        request.map_err(|error| RunError::unreadable(run, &error))
    }

    async fn stored(&self, run: &Run) -> Result<Material> {
        let Some(material) = self.store.runs().material(&run.id).await? else {
            let because = format!(
                "run #{} did not store its files (larger than 32 MiB, or read from standard \
                 input): score them again",
                run.number
            );
            return Err(RunError::Refused(because));
        };
        read(run, material)
    }
}

/// What a retrieval run was scored from.
#[derive(Debug)]
pub struct ScoredFrom {
    material: Material,
    request: ScoreRequest,
    run: Run,
}

impl ScoredFrom {
    /// How the numbers of one query came about. Nothing is waited for, but it may take a while.
    pub fn explain(self, query: &str) -> Result<Explained> {
        // What programs hand over is read where it is: files for it take longer than the rest.
        if let Some((predictions, gold)) = self.material.values() {
            let inputs = Inputs::Values(&predictions, &gold);
            if let Ok(explained) = self.request.explain(inputs, query) {
                return Ok(explained);
            }
        }
        let files = self.material.written(&self.run)?;
        let inputs = Inputs::Files(&files.predictions, &files.gold);
        let explained = self.request.explain(inputs, query);
        explained.map_err(|error| RunError::Refused(error.to_string()))
    }
}

impl Material {
    /// Both files written out.
    fn written(self, run: &Run) -> Result<StoredFiles> {
        let Self { predictions, gold } = self;
        let folder = tempfile::tempdir()?;
        // In two folders: the two files may have one name.
        Ok(StoredFiles {
            predictions: write(run, &folder.path().join("predictions"), predictions)?,
            gold: write(run, &folder.path().join("gold"), gold)?,
            _folder: folder,
        })
    }

    /// What both hold, if a program handed it over; files are left to those who know formats.
    fn values(&self) -> Option<(Json, Json)> {
        let value = |name: &str, kept: &KeptFile| {
            let text = kept.text.as_ref().filter(|_| kept.name == of_value(name))?;
            serde_json::from_str(text).ok()
        };
        Some((value(PREDICTIONS, &self.predictions)?, value(GOLD, &self.gold)?))
    }
}

/// What is kept of a value is named as if it were a file.
fn of_value(name: &str) -> String {
    format!("{name}.json")
}

fn read(run: &Run, material: Json) -> Result<Material> {
    serde_json::from_value(material).map_err(|error| RunError::unreadable(run, &error))
}

fn write(run: &Run, folder: &Path, kept: KeptFile) -> Result<PathBuf> {
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

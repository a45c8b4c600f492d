//! Runs from files that somebody hands over, and samples to start from.

use std::fs;
use std::path::{Path, PathBuf};

use assize_store::Run;
use async_recursion::async_recursion as boxed;

use crate::Workspace;
use crate::asking::{AskOptions, AskSession, Config, Stop};
use crate::compliance::Result;
use crate::compliance::evaluate::{Evaluation, NamedFile};
use crate::retrieval::request::{Inputs, ScoreRequest};
use crate::runs::{RunError, retrieval};

impl Workspace {
    /// A session that asks nobody: all that the rule judge needs.
    #[boxed]
    pub async fn rule_session(&self, stop: Stop) -> Result<AskSession> {
        let config = Config::default();
        let options = AskOptions::default();
        let store = Some(std::sync::Arc::clone(&self.store));
        Ok(AskSession::over(store, &options, config, stop, |_| {}).await?)
    }

    /// Plans an evaluation from files and sets; returns the run and what there is to tell.
    #[boxed]
    pub async fn begin_evaluation(&self, evaluation: Evaluation) -> Result<(Run, Vec<String>)> {
        use crate::compliance::evaluate::IntakeEvent;
        let mut told = Vec::new();
        let mut tell = |event: IntakeEvent<'_>| match event {
            IntakeEvent::Noticed(file, words) => told.push(format!("{file}: {words}")),
            IntakeEvent::Unusable(file, rows) => {
                told.extend(rows.iter().map(|row| format!("{file}: {row}")));
            }
            IntakeEvent::Imported(_) => {}
        };
        let run = Box::pin(self.begin(evaluation, 0, &mut tell)).await?;
        Ok((run, told))
    }

    /// Scores predictions against gold, and keeps it as a run.
    #[boxed]
    pub async fn save_retrieval(
        &self,
        name: Option<&str>,
        predictions: &NamedFile,
        gold: &NamedFile,
    ) -> Result<Run, RunError> {
        let folder = tempfile::tempdir()?;
        // In two folders: the two files may have one name.
        let predictions = written(&folder.path().join("predictions"), predictions)?;
        let gold = written(&folder.path().join("gold"), gold)?;
        let request = ScoreRequest::default();
        let scored = request.score(Inputs::Files(&predictions, &gold));
        let report = scored.map_err(|error| RunError::Refused(chain(&error)))?;
        let draft = retrieval::draft(&request, &predictions, &gold)?;
        self.save(draft, name, &retrieval::items(&report.board)).await
    }
}

/// An error with what it rests on, in one line.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text = format!("{text}: {error}");
        source = error.source();
    }
    text
}

/// A file under its own name: its ending says what it is.
pub(super) fn written(folder: &Path, file: &NamedFile) -> Result<PathBuf, RunError> {
    fs::create_dir_all(folder)?;
    let name = Path::new(&file.name).file_name().unwrap_or("file".as_ref());
    let path = folder.join(name);
    fs::write(&path, &file.bytes)?;
    Ok(path)
}

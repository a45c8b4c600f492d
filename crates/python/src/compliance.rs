//! Documents against criteria by rules, in a database of the call's own.

use assize_engine::asking::{AskSession, JudgeName, Stop};
use assize_engine::compliance::context::TOKENS_MAX;
use assize_engine::compliance::evaluate::{Evaluation, IntakeEvent, NamedFile};
use assize_engine::compliance::{ComplianceError, Registry};
use assize_wire::text::line;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::error::raised;
use crate::work;

/// A transcript without an exchange.
const NOTHING_RECORDED: &str = "{\"assize_transcript\":1}";

/// Evaluates documents; the run with all its results as JSON, and what its reader should know.
#[pyfunction]
pub(crate) fn compliance_evaluate(
    py: Python<'_>,
    documents: Vec<(String, Vec<u8>)>,
    criteria: (String, Vec<u8>),
    mask_identifiers: bool,
) -> PyResult<(String, Vec<String>)> {
    let file = |(name, bytes): (String, Vec<u8>)| NamedFile { name, bytes };
    let evaluation = Evaluation {
        criteria: criteria.0.clone(),
        criteria_file: Some(file(criteria)),
        documents: "documents".to_owned(),
        document_files: documents.into_iter().map(file).collect(),
        judge: JudgeName::Rules,
        template: None,
        context_tokens: TOKENS_MAX,
        masks_identifiers: mask_identifiers,
    };
    let folder = tempfile::tempdir()?;
    let place = folder.path().join("run.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| PyOSError::new_err(error.to_string()))?;
    let done = work::run(py, move |stop| {
        let end = runtime.block_on(evaluated(place, evaluation, stop));
        drop(folder);
        end
    })?;
    done.map_err(|error| raised(py, &error))
}

async fn evaluated(
    place: std::path::PathBuf,
    evaluation: Evaluation,
    stop: &Stop,
) -> Result<(String, Vec<String>), ComplianceError> {
    let registry = Registry::open(place.as_path()).await?;
    let mut notices = Vec::new();
    let mut tell = |event: IntakeEvent<'_>| match event {
        IntakeEvent::Noticed(file, notice) => notices.push(format!("{file}: {notice}")),
        IntakeEvent::Unusable(file, problems) => {
            notices.extend(problems.iter().map(|problem| format!("{file}: {problem}")));
        }
        _ => {}
    };
    let run = registry.begin(evaluation, 0, &mut tell).await?;
    // Rules ask nobody: an empty transcript makes sure of it.
    let mut session = AskSession::recorded("rules", NOTHING_RECORDED)?;
    session.stop = stop.clone();
    registry.work(&run.id, &session, None, |_| {}).await?;
    let overview = registry.overview(registry.find_run(run.id.as_str()).await?).await?;
    let shown = line(&overview.to_wire(None));
    registry.close().await;
    Ok((shown, notices))
}

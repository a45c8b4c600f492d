//! A document held against criteria at once by rules, and nothing kept.

use assize_wire::compliance::Run;
use async_recursion::async_recursion as boxed;

use super::context::TOKENS_MAX;
use super::criteria::Imported;
use super::error::ComplianceError;
use super::evaluate::{Evaluation, NamedFile};
use super::registry::Registry;
use crate::asking::{AskOptions, AskSession, Config, JudgeName, Stop};

/// What the sets and the document are called, for as long as they are there.
const NAME: &str = "document";

/// Evaluates a text. It goes the way of every evaluation, through a database of its own that is
/// gone afterwards, so that the result is the same as that of a run.
#[boxed(?Send)]
pub async fn at_once(document: &str, criteria: &[Imported]) -> Result<Run, ComplianceError> {
    let folder =
        tempfile::tempdir().map_err(|error| ComplianceError::Refused(error.to_string()))?;
    let registry = Registry::open(&folder.path().join("at_once.db")).await?;
    let run = evaluated(&registry, document, criteria).await;
    registry.close().await;
    run
}

async fn evaluated(
    registry: &Registry,
    document: &str,
    criteria: &[Imported],
) -> Result<Run, ComplianceError> {
    registry.check_criteria(NAME, criteria)?;
    registry.import_criteria(NAME, "", criteria).await?;
    let file = NamedFile { name: "document.txt".to_owned(), bytes: document.as_bytes().to_vec() };
    let evaluation = Evaluation {
        criteria: NAME.to_owned(),
        criteria_file: None,
        documents: NAME.to_owned(),
        document_files: vec![file],
        judge: JudgeName::Rules,
        template: None,
        context_tokens: TOKENS_MAX,
        masks_identifiers: false,
    };
    let run = registry.begin(evaluation, 0, &mut |_| {}).await?;
    let (options, stop) = (AskOptions::default(), Stop::default());
    let session = AskSession::over(None, &options, Config::default(), stop, |_| {}).await?;
    registry.work(&run.id, &session, None, |_| {}).await?;
    let run = registry.find_run(run.id.as_str()).await?;
    Ok(registry.overview(run).await?.to_wire(None))
}

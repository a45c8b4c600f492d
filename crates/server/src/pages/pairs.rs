//! A run of summaries in two steps: the columns are looked at, then it starts.

use assize_engine::Workspace;
use assize_engine::compliance::evaluate::NamedFile;
use assize_engine::store::Run;
use assize_engine::summary::{Framework, SummaryRequest};
use assize_engine::workplace::pairs::{PairsReading, preview_pairs};
use assize_page::app::new_pairs::PairsCheck;

use super::begin::name;
use super::forms::{Upload, value};
use super::wizard::{brought, carried, columns};
use crate::error::{AppError, Result};
use crate::work::offload;

/// Looks at the file; nothing is judged yet.
pub(super) fn check(upload: &Upload) -> Result<PairsCheck> {
    let (file, reading) = chosen(upload)?;
    let offered = [
        (Framework::TwinLock, "Twin-Lock: five metrics with caps between them"),
        (Framework::JudgeLock, "Judge-Lock: adds questions and stricter caps"),
    ];
    Ok(PairsCheck {
        preview: preview_pairs(&file, &reading)?,
        file: carried(&file),
        name: name(upload, "name").unwrap_or_default(),
        framework: value(&upload.fields, "framework").to_owned(),
        frameworks: offered.map(|(one, words)| (one.name().into_owned(), words.to_owned())).into(),
    })
}

/// Judges all pairs, and keeps them as a run.
pub(super) async fn start(workspace: Workspace, upload: &Upload) -> Result<Run> {
    let (file, reading) = chosen(upload)?;
    let request = match value(&upload.fields, "framework") {
        "" => SummaryRequest::default(),
        named => {
            let unknown = || AppError::bad_input(format!("unknown framework `{named}`"));
            let framework = Framework::named(named).ok_or_else(unknown)?;
            SummaryRequest { framework, ..SummaryRequest::default() }
        }
    };
    let name = name(upload, "name");
    offload(move || async move {
        Ok(workspace.save_summaries(name.as_deref(), &file, &reading, &request).await?)
    })
    .await
}

fn chosen(upload: &Upload) -> Result<(NamedFile, PairsReading)> {
    let file = brought(upload, "files")?;
    let file =
        file.ok_or_else(|| AppError::bad_input("choose a file with article and summary pairs"))?;
    let (sheet, mapping) = columns(upload);
    Ok((file, PairsReading { sheet, mapping: mapping.into_iter().collect() }))
}

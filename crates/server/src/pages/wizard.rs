//! A new evaluation in two steps: documents are kept and everything is looked at, then it starts.
//!
//! Between the steps a list of criteria travels with the form: nothing is imported before its
//! columns are known, and no server has to remember it.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::asking::{AskSession, Stop};
use assize_engine::compliance::ComplianceRequest;
use assize_engine::compliance::evaluate::NamedFile;
use assize_engine::compliance::intake::{Mapping, Reading};
use assize_engine::store::Run;
use assize_engine::workplace::wizard::{CriteriaSource, Intended, preview_criteria};
use assize_page::app::new_run_check::{Carried, Check, NO_COLUMN};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::forms::{Upload, number, value, values};
use crate::background;
use crate::error::{AppError, to_app_error};
use crate::state::AppState;
use crate::work::offload;

/// What documents are kept as when nobody says.
const DOCUMENTS: &str = "documents";

/// Keeps the documents and looks at everything; nothing is judged yet.
pub(super) async fn check(
    state: &Arc<AppState>,
    workspace: Workspace,
    upload: &mut Upload,
) -> Result<Check, AppError> {
    let files = upload.files("files");
    let mut chosen = chosen(state, upload)?;
    let mut notices = Vec::new();
    if !files.is_empty() {
        let (keeper, set) = (workspace.clone(), chosen.documents.clone());
        let kept = offload(move || async move { Ok(keeper.keep_documents(&set, files).await?) });
        (chosen.document_ids, notices) = kept.await?;
    }
    let mut shown = Check {
        documents: chosen.documents.clone(),
        document_ids: chosen.document_ids.clone(),
        judge: chosen.request.judge.clone().unwrap_or_default().to_string(),
        budget: value(&upload.fields, "budget").to_owned(),
        notices,
        ..Check::default()
    };
    match &chosen.criteria {
        CriteriaSource::Set(name) => name.clone_into(&mut shown.criteria),
        CriteriaSource::File { name, file, reading } => {
            name.clone_into(&mut shown.criteria);
            shown.preview = Some(preview_criteria(file, reading));
            shown.file = Some(carried(file));
        }
    }
    match state.settings.models.options.reader.get() {
        Ok(reader) => {
            let identities = reader.map_or_else(Vec::new, |one| one.identities());
            shown.readers = identities.into_iter().map(|one| one.name).collect();
        }
        Err(problem) => shown.problem = Some(problem),
    }
    let is_readable = shown.preview.as_ref().is_none_or(|preview| preview.refused.is_none());
    if is_readable {
        let models = &state.settings.models;
        let (options, config) = (models.options.clone().sending_nothing(), models.config.clone());
        let store = Some(Arc::clone(&state.store));
        let session = AskSession::over(store, &options, config, Stop::default(), |_| {}).await;
        let session = session.map_err(|error| to_app_error(&error))?;
        let judge = chosen.request.judge.clone().unwrap_or_default();
        let preview =
            offload(move || async move { Ok(workspace.preview_run(&chosen, &session).await?) });
        match preview.await {
            Ok(preview) => shown.run = Some(preview),
            Err(error) => shown.problem = Some(error.detail().to_owned()),
        }
        // What it would cost is worth knowing even if nobody can be asked yet.
        if let Err(error) = background::check_judge(state, &judge).await {
            shown.problem.get_or_insert_with(|| error.detail().to_owned());
        }
    }
    Ok(shown)
}

/// Writes the plan down, and begins.
pub(super) async fn start(
    state: &Arc<AppState>,
    workspace: Workspace,
    upload: &Upload,
) -> Result<Run, AppError> {
    let chosen = chosen(state, upload)?;
    background::check_judge(state, &chosen.request.judge.clone().unwrap_or_default()).await?;
    let planning = workspace.clone();
    let run = offload(move || async move {
        let run = planning.begin_intended(chosen).await?;
        Ok(planning.find_run(run.id.as_str()).await?)
    });
    let run = run.await?;
    background::start(state, &workspace, &run).await?;
    Ok(run)
}

fn chosen(state: &AppState, upload: &Upload) -> Result<Intended, AppError> {
    let field = |name: &str| value(&upload.fields, name).trim();
    let first =
        |names: [&'static str; 2]| names.map(field).into_iter().find(|text| !text.is_empty());
    let judge = state.settings.models.judge(first(["other_judge", "judge"]).unwrap_or_default())?;
    let documents = first(["documents_name", "documents"]).unwrap_or(DOCUMENTS);
    let dollars = number(field("budget"), "the budget")?;
    if dollars.is_some_and(|dollars| dollars < 0.0) {
        return Err(AppError::bad_input("the budget must not be negative"));
    }
    Ok(Intended {
        criteria: source(upload)?,
        documents: documents.to_owned(),
        document_ids: values(&upload.fields, "document"),
        request: ComplianceRequest { judge: Some(judge), ..ComplianceRequest::default() },
        budget_nanodollars: dollars.map(nanodollars),
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not below 0, and a cast of what is too large gives the largest"
)]
pub(super) fn nanodollars(dollars: f64) -> u64 {
    // Half up: the cast cuts off what is left.
    (dollars * 1e9 + 0.5) as u64
}

fn source(upload: &Upload) -> Result<CriteriaSource, AppError> {
    if let Some(CriteriaList { name, file, reading }) = criteria_list(upload)? {
        return Ok(CriteriaSource::File { name, file, reading });
    }
    let name = value(&upload.fields, "criteria").trim();
    if name.is_empty() {
        let detail = "choose a criteria set or a list of criteria to import";
        return Err(AppError::bad_input(detail));
    }
    Ok(CriteriaSource::Set(name.to_owned()))
}

/// A list of criteria as a form brings it.
pub(super) struct CriteriaList {
    /// What the set is to be called.
    pub(super) name: String,
    /// The file.
    pub(super) file: NamedFile,
    /// Which sheet it is, and which column holds what.
    pub(super) reading: Reading,
}

impl CriteriaList {
    /// As it travels with a form.
    pub(super) fn carried(&self) -> Carried {
        carried(&self.file)
    }
}

/// As a file travels with a form.
pub(super) fn carried(file: &NamedFile) -> Carried {
    Carried { name: file.name.clone(), base64: STANDARD.encode(&file.bytes) }
}

/// The list of criteria of a form, with what was chosen about it; none if there is none.
pub(super) fn criteria_list(upload: &Upload) -> Result<Option<CriteriaList>, AppError> {
    let Some(file) = brought(upload, "criteria_file")? else { return Ok(None) };
    let stem = file.name.rsplit_once('.').map_or(file.name.as_str(), |(stem, _)| stem);
    let name = Some(value(&upload.fields, "criteria_name").trim());
    let name = name.filter(|name| !name.is_empty()).unwrap_or(stem).to_owned();
    let (sheet, chosen) = columns(upload);
    let (unused, named): (Vec<_>, Vec<_>) =
        chosen.into_iter().partition(|(_, column)| column == NO_COLUMN);
    let mapping = named.into_iter().collect::<Mapping>();
    let mapping = mapping.without(unused.into_iter().map(|(field, _)| field));
    let skip_unusable = value(&upload.fields, "skip_unusable") == "yes";
    let reading = Reading { sheet, mapping, skip_unusable };
    Ok(Some(CriteriaList { name, file, reading }))
}

/// The sheet that was chosen, and each field with its column.
pub(super) fn columns(upload: &Upload) -> (Option<String>, Vec<(String, String)>) {
    let mapping = upload.fields.iter().filter_map(|(field, column)| {
        let field = field.strip_prefix("column.")?;
        (!column.is_empty()).then(|| (field.to_owned(), column.clone()))
    });
    let sheet = Some(value(&upload.fields, "sheet").to_owned()).filter(|sheet| !sheet.is_empty());
    (sheet, mapping.collect())
}

/// A file that was just chosen in a field, or was brought along from the step before.
pub(super) fn brought(upload: &Upload, field: &str) -> Result<Option<NamedFile>, AppError> {
    if let Some(file) = upload.peek(field) {
        return Ok(Some(file.clone()));
    }
    let (name, data) = (value(&upload.fields, "list_name"), value(&upload.fields, "list_data"));
    if name.is_empty() {
        return Ok(None);
    }
    let damaged = |_| AppError::bad_input("the list was damaged during upload: choose it again");
    let bytes = STANDARD.decode(data).map_err(damaged)?;
    Ok(Some(NamedFile { name: name.to_owned(), bytes }))
}

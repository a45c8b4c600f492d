//! Document sets and documents.

use assize_engine::Workspace;
use assize_engine::store::DocSet;
use assize_page::app::{Here, documents};
use axum::extract::{Form, Multipart, Path, Query};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::context::PageContext;
use super::forms::{Pairs, QueryPairs, Upload, go, value};
use crate::error::AppError;
use crate::work::offload;

const PATH: &str = "/documents";

/// `GET /documents`.
pub(crate) async fn list(
    caller_view: PageContext,
    Query(query): QueryPairs,
) -> Result<Markup, AppError> {
    let is_archived = value(&query, "archived") == "yes";
    let sets = caller_view.workspace.document_sets_page(is_archived).await?;
    let content = documents::list(&sets, is_archived, caller_view.can_write());
    Ok(caller_view.page(Here::Documents, "Documents", &content))
}

/// `POST /documents`: a set with its first files; one of that name gets them too.
pub(crate) async fn make(
    caller_view: PageContext,
    headers: HeaderMap,
    form: Multipart,
) -> Result<Response, AppError> {
    let upload = Upload::read(form).await?;
    let name = value(&upload.fields, "name").trim().to_owned();
    if name.is_empty() {
        return Err(AppError::bad_input("give the set a name"));
    }
    let set = caller_view.workspace.make_document_set(&name).await?;
    keep(caller_view, set.id.as_str(), upload, is_one_of_several(&headers)).await
}

/// Whether a script sends files one by one, and wants to know of this one only.
fn is_one_of_several(headers: &HeaderMap) -> bool {
    headers.contains_key("assize-one-of-several")
}

/// `GET /documents/{set}`.
pub(crate) async fn set(
    caller_view: PageContext,
    Path(id): Path<String>,
    Query(query): QueryPairs,
) -> Result<Markup, AppError> {
    let from = value(&query, "from").parse().unwrap_or(0);
    let (search, only) = (value(&query, "search"), value(&query, "only"));
    let found = caller_view.workspace.document_set_view(&id, search, only, from).await?;
    let content = documents::set(&found, None, caller_view.can_write());
    Ok(caller_view.page(Here::Documents, &found.set.name, &content))
}

/// `POST /documents/{set}`: files, of which those that can be read are kept.
pub(crate) async fn add(
    caller_view: PageContext,
    Path(id): Path<String>,
    headers: HeaderMap,
    form: Multipart,
) -> Result<Response, AppError> {
    let upload = Upload::read(form).await?;
    keep(caller_view, &id, upload, is_one_of_several(&headers)).await
}

async fn keep(
    caller_view: PageContext,
    id: &str,
    mut upload: Upload,
    is_one_of_several: bool,
) -> Result<Response, AppError> {
    let files = upload.files("files");
    if files.is_empty() {
        return Err(AppError::bad_input("choose at least one file"));
    }
    let set = caller_view.workspace.document_set(id).await?;
    let workspace = caller_view.workspace.clone();
    let report =
        offload(move || async move { Ok(workspace.upload_documents(&set, files).await?) }).await?;
    if is_one_of_several {
        return Ok(documents::one_of_several(id, &report).into_response());
    }
    let found = caller_view.workspace.document_set_view(id, "", "all", 0).await?;
    let content = documents::set(&found, Some(&report), caller_view.can_write());
    let page = caller_view.page(Here::Documents, &found.set.name, &content);
    let is_refused = report.documents.is_empty();
    let status = if is_refused { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok((status, page).into_response())
}

/// `GET /documents/{set}/edit`.
pub(crate) async fn rename_set_form(
    caller_view: PageContext,
    Path(id): Path<String>,
) -> Result<Markup, AppError> {
    rename_page(&caller_view, &id, None).await
}

/// `POST /documents/{set}/edit`.
pub(crate) async fn rename_set(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let name = value(&form, "name").trim();
    let set = caller_view.workspace.document_set(&id).await?;
    if name == set.name {
        return Ok(go(&format!("{PATH}/{id}"), "renamed").into_response());
    }
    match caller_view.workspace.rename_document_set(set, name).await {
        Ok(()) => Ok(go(&format!("{PATH}/{id}"), "renamed").into_response()),
        Err(error) => {
            let problem = error.to_string();
            let page = rename_page(&caller_view, &id, Some((name, &problem))).await?;
            Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
        }
    }
}

async fn rename_page(
    caller_view: &PageContext,
    id: &str,
    wrong: Option<(&str, &str)>,
) -> Result<Markup, AppError> {
    let found = caller_view.workspace.document_set_view(id, "", "all", 0).await?;
    let (typed, problem) = wrong.unzip();
    let typed = typed.unwrap_or(&found.set.name);
    let content = documents::rename(&found.set, typed, problem);
    Ok(caller_view.page(Here::Documents, "Rename document set", &content))
}

/// `POST /documents/{set}/archive`.
pub(crate) async fn archive_set(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let is_archived = value(&form, "on") == "yes";
    let set = caller_view.workspace.document_set(&id).await?;
    caller_view.workspace.archive_document_set(set, is_archived).await?;
    Ok(go(PATH, told_of_archive(is_archived)).into_response())
}

fn told_of_archive(is_archived: bool) -> &'static str {
    if is_archived { "archived" } else { "unarchived" }
}

/// `GET /documents/{set}/{document}`.
pub(crate) async fn show(
    caller_view: PageContext,
    Path((set, id)): Path<(String, String)>,
) -> Result<Markup, AppError> {
    page_of(&caller_view, (&set, &id), None).await
}

async fn page_of(
    caller_view: &PageContext,
    (set, id): (&str, &str),
    problem: Option<&str>,
) -> Result<Markup, AppError> {
    let found = caller_view.workspace.document_view(set, id).await?;
    let content = documents::one(&found, problem, caller_view.can_write());
    Ok(caller_view.page(Here::Documents, &found.row.entry.name, &content))
}

/// `POST /documents/{set}/{document}/replace`.
pub(crate) async fn replace(
    caller_view: PageContext,
    Path((set, id)): Path<(String, String)>,
    form: Multipart,
) -> Result<Response, AppError> {
    let file = Upload::read(form).await?.file("file");
    let file = file.ok_or_else(|| AppError::bad_input("choose a file"))?;
    change(&caller_view, (&set, &id), "version", move |workspace, set, name| async move {
        Ok(workspace.replace_document(&set, &name, file).await?)
    })
    .await
}

/// `POST /documents/{set}/{document}/rename`.
pub(crate) async fn rename(
    caller_view: PageContext,
    Path((set, id)): Path<(String, String)>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let to = value(&form, "name").trim().to_owned();
    change(&caller_view, (&set, &id), "renamed", move |workspace, set, name| async move {
        if to == name {
            return Ok(());
        }
        Ok(workspace.rename_document(&set, &name, &to).await?)
    })
    .await
}

/// `POST /documents/{set}/{document}/archive`.
pub(crate) async fn archive(
    caller_view: PageContext,
    Path((set, id)): Path<(String, String)>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let is_archived = value(&form, "on") == "yes";
    let told = told_of_archive(is_archived);
    change(&caller_view, (&set, &id), told, move |workspace, set, name| async move {
        Ok(workspace.archive_document(&set, &name, is_archived).await?)
    })
    .await
}

/// `POST /documents/{set}/{document}/delete`: a document that no run used.
pub(crate) async fn delete(
    caller_view: PageContext,
    Path((set, id)): Path<(String, String)>,
) -> Result<Response, AppError> {
    let found = caller_view.workspace.document_view(&set, &id).await?;
    let own = caller_view.workspace.document_set(&set).await?;
    match caller_view.workspace.delete_document(&own, &found.row.entry.name).await {
        Ok(()) => Ok(go(&format!("{PATH}/{set}"), "document-deleted").into_response()),
        Err(error) => refused(&caller_view, (&set, &id), &AppError::from(error)).await,
    }
}

/// Changes a document by name and shows it again, or shows why that cannot be.
async fn change<Changed>(
    caller_view: &PageContext,
    (set, id): (&str, &str),
    told: &str,
    by: impl FnOnce(Workspace, DocSet, String) -> Changed + Send + 'static,
) -> Result<Response, AppError>
where
    Changed: Future<Output = Result<(), AppError>>,
{
    let name = caller_view.workspace.document_view(set, id).await?.row.entry.name;
    let own = caller_view.workspace.document_set(set).await?;
    let workspace = caller_view.workspace.clone();
    match offload(move || by(workspace, own, name)).await {
        Ok(()) => Ok(go(&format!("{PATH}/{set}/{id}"), told).into_response()),
        Err(error) => refused(caller_view, (set, id), &error).await,
    }
}

async fn refused(
    caller_view: &PageContext,
    place: (&str, &str),
    error: &AppError,
) -> Result<Response, AppError> {
    let page = page_of(caller_view, place, Some(error.detail())).await?;
    Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response())
}

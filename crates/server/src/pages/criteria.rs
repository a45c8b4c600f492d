//! Criteria sets, their rubrics and their response structures.

use assize_engine::Workspace;
use assize_engine::compliance::evaluate::IntakeEvent;
use assize_engine::workplace::rubric::SaveOutcome;
use assize_engine::workplace::wizard::preview_criteria;
use assize_page::app::{Here, criteria, new_run_check, rubric, structure};
use assize_wire::workplace::{SectionDraft, TierDraft};
use axum::extract::{Form, Multipart, Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::context::PageContext;
use super::forms::{Pairs, QueryPairs, Upload, go, value, values};
use super::wizard::{CriteriaList, criteria_list};
use crate::error::{AppError, Result};
use crate::work::offload;

pub(super) const PATH: &str = "/admin/org/eval/criteria-sets";

/// `GET /admin/org/eval/criteria-sets`.
pub(crate) async fn list(caller_view: PageContext, Query(query): QueryPairs) -> Result<Markup> {
    let sets = caller_view.workspace.sets_page(value(&query, "archived") == "yes").await?;
    let content = criteria::list(&sets, None, caller_view.is_admin());
    Ok(caller_view.page(Here::Criteria, "Criteria sets", &content))
}

/// `POST /admin/org/eval/criteria-sets`: shows which column holds what, then imports. A catalog
/// has no columns and is imported at once. A set that is there is replaced only if that is ticked.
pub(crate) async fn import(caller_view: PageContext, form: Multipart) -> Result<Response> {
    let upload = Upload::read(form).await?;
    let list = criteria_list(&upload)?.ok_or_else(|| AppError::bad_input("choose a file"))?;
    let preview = preview_criteria(&list.file, &list.reading);
    let is_import = value(&upload.fields, "act") == "import";
    let is_whole = preview.unusable == 0 || preview.skips_unusable;
    let is_settled = is_import && preview.refused.is_none() && is_whole;
    let replaced = caller_view.workspace.criteria_to_replace(&list.name).await?;
    // The box names the set: ticked for one, it does not count for another.
    let is_in_the_way = replaced.is_some() && value(&upload.fields, "replace") != list.name;
    if is_in_the_way || (!is_settled && !preview.columns.is_empty()) {
        let content = new_run_check::import(&list.carried(), &preview, (&list.name, replaced));
        let page = caller_view.page(Here::Criteria, "Import criteria", &content);
        let is_refused = is_in_the_way && is_import;
        let status = if is_refused { StatusCode::CONFLICT } else { StatusCode::OK };
        return Ok((status, page).into_response());
    }
    let workspace = caller_view.workspace.clone();
    let imported = offload(move || async move {
        let mut told = Vec::new();
        let mut tell = |event: IntakeEvent<'_>| {
            if let IntakeEvent::Unusable(file, rows) = event {
                told.extend(rows.iter().map(|row| format!("{file}: {row}")));
            }
        };
        let CriteriaList { name, file, reading } = list;
        let set = (name.as_str(), "");
        let ended = workspace.import_criteria_file_by(&file, &reading, set, &mut tell).await?;
        Ok((ended.set.id.to_string(), told))
    });
    let problem = match imported.await {
        Ok((id, told)) if told.is_empty() => {
            return Ok(go(&format!("{PATH}/{id}"), "imported").into_response());
        }
        Ok((_, told)) => format!("imported, but these rows could not be used: {}", told.join("; ")),
        Err(error) => error.detail().to_owned(),
    };
    let sets = caller_view.workspace.sets_page(false).await?;
    let content = criteria::list(&sets, Some(&problem), caller_view.is_admin());
    Ok(caller_view.page(Here::Criteria, "Criteria sets", &content).into_response())
}

/// `GET /admin/org/eval/criteria-sets/{id}`.
pub(crate) async fn show(
    caller_view: PageContext,
    Path(id): Path<String>,
    Query(query): QueryPairs,
) -> Result<Markup> {
    let from = value(&query, "from").parse().unwrap_or(0);
    let found = caller_view.workspace.set_view(&id, from).await?;
    let content = criteria::one(&found, caller_view.is_admin());
    Ok(caller_view.page(Here::Criteria, &found.set.name, &content))
}

/// `GET …/{id}/rubric`.
pub(crate) async fn rubric(caller_view: PageContext, Path(id): Path<String>) -> Result<Markup> {
    let found = caller_view.workspace.rubric_view(&id, None).await?;
    Ok(caller_view.page(
        Here::Criteria,
        "Scoring rubric",
        &rubric::content(&found, caller_view.is_admin()),
    ))
}

/// `POST …/{id}/rubric/preview`: what changes while somebody types.
pub(crate) async fn rubric_preview(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Markup> {
    let found = caller_view.workspace.rubric_view(&id, Some(tiers(&form))).await?;
    Ok(rubric::preview(&found, caller_view.is_admin()))
}

/// `POST …/{id}/rubric`: adds or removes a tier, goes back to the default, or saves.
pub(crate) async fn save_rubric(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let (mut drafts, act) = (tiers(&form), value(&form, "act"));
    let etag = value(&form, "etag");
    match act {
        "add" => drafts.push(TierDraft::default()),
        // A draft like any other: it is saved by whoever likes what it would change.
        "reset" => drafts = Workspace::default_rubric(),
        "save" | "" => match caller_view.workspace.save_rubric(&id, drafts.clone(), etag).await? {
            SaveOutcome::Kept => {
                return Ok(go(&format!("{PATH}/{id}/rubric"), "saved").into_response());
            }
            SaveOutcome::Conflict(()) => return conflict(&caller_view, &id, drafts).await,
            SaveOutcome::Wrong(draft) => drafts = draft.tiers,
        },
        other => match undone(other) {
            Some(number) => drafts = caller_view.workspace.rubric_before(&id, number).await?,
            None => remove(&mut drafts, other),
        },
    }
    let mut found = caller_view.workspace.rubric_view(&id, Some(drafts)).await?;
    etag.clone_into(&mut found.etag);
    let status =
        if matches!(act, "save" | "") { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let content = rubric::content(&found, caller_view.is_admin());
    Ok((status, caller_view.page(Here::Criteria, "Scoring rubric", &content)).into_response())
}

/// Somebody else saved meanwhile: both are shown, and saving again replaces theirs.
async fn conflict(caller_view: &PageContext, id: &str, drafts: Vec<TierDraft>) -> Result<Response> {
    let theirs = caller_view.workspace.rubric_view(id, None).await?;
    let mut found = caller_view.workspace.rubric_view(id, Some(drafts)).await?;
    found.conflict = Some(theirs.draft.tiers);
    let content = rubric::content(&found, caller_view.is_admin());
    let page = caller_view.page(Here::Criteria, "Scoring rubric", &content);
    Ok((StatusCode::PRECONDITION_FAILED, page).into_response())
}

/// The change that `undo-12` takes back.
fn undone(act: &str) -> Option<i64> {
    act.strip_prefix("undo-")?.parse().ok()
}

/// Takes away what `remove-2` names.
fn remove<T>(drafts: &mut Vec<T>, act: &str) {
    let place = act.strip_prefix("remove-").and_then(|place| place.parse::<usize>().ok());
    if let Some(place) = place.filter(|place| *place < drafts.len()) {
        drafts.remove(place);
    }
}

fn tiers(form: &[(String, String)]) -> Vec<TierDraft> {
    let columns = ["min", "max", "label", "description"].map(|name| values(form, name));
    let [min, max, label, description] = columns;
    let rows = min.into_iter().zip(max).zip(label.into_iter().zip(description));
    rows.map(|((min, max), (label, description))| TierDraft { min, max, label, description })
        .collect()
}

/// `GET …/{id}/response-structure`.
pub(crate) async fn structure(caller_view: PageContext, Path(id): Path<String>) -> Result<Markup> {
    let found = caller_view.workspace.structure_view(&id, None).await?;
    let content = structure::content(&found, caller_view.is_admin());
    Ok(caller_view.page(Here::Criteria, "Response structure", &content))
}

/// `POST …/{id}/response-structure/preview`.
pub(crate) async fn structure_preview(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Markup> {
    let found = caller_view.workspace.structure_view(&id, Some(sections(&form))).await?;
    Ok(structure::preview(&found, caller_view.is_admin()))
}

/// `POST …/{id}/response-structure`.
pub(crate) async fn save_structure(
    caller_view: PageContext,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let (mut drafts, act) = (sections(&form), value(&form, "act"));
    let (mut status, mut is_conflict) = (StatusCode::OK, false);
    match act {
        "add" => drafts.push(SectionDraft {
            kind: "text".to_owned(),
            required: true,
            ..SectionDraft::default()
        }),
        "reset" => drafts = Workspace::default_structure(),
        "save" | "" => {
            match caller_view.workspace.save_structure(&id, &drafts, value(&form, "etag")).await? {
                SaveOutcome::Kept => {
                    let address = format!("{PATH}/{id}/response-structure");
                    return Ok(go(&address, "saved").into_response());
                }
                SaveOutcome::Conflict(()) => {
                    (status, is_conflict) = (StatusCode::PRECONDITION_FAILED, true);
                }
                SaveOutcome::Wrong(_) => status = StatusCode::UNPROCESSABLE_ENTITY,
            }
        }
        up if up.starts_with("up-") => {
            let place = up.strip_prefix("up-").and_then(|place| place.parse().ok());
            if let Some(place) = place.filter(|place| (1..drafts.len()).contains(place)) {
                drafts.swap(place - 1, place);
            }
        }
        other => match undone(other) {
            Some(number) => drafts = caller_view.workspace.structure_before(&id, number).await?,
            None => remove(&mut drafts, other),
        },
    }
    let mut found = caller_view.workspace.structure_view(&id, Some(drafts)).await?;
    if !is_conflict {
        value(&form, "etag").clone_into(&mut found.etag);
    }
    found.is_conflict = is_conflict;
    let content = structure::content(&found, caller_view.is_admin());
    Ok((status, caller_view.page(Here::Criteria, "Response structure", &content)).into_response())
}

fn sections(form: &[(String, String)]) -> Vec<SectionDraft> {
    let columns = ["id", "kind", "description", "required"].map(|name| values(form, name));
    let [id, kind, description, required] = columns;
    let rows = id.into_iter().zip(kind).zip(description.into_iter().zip(required));
    rows.map(|((id, kind), (description, required))| SectionDraft {
        id,
        kind,
        required: required == "yes",
        description,
    })
    .collect()
}

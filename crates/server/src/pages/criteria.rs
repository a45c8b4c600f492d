//! Criteria sets, their rubrics and their response structures.

use assize_engine::compliance::evaluate::IntakeEvent;
use assize_engine::workplace::rubric::Saved;
use assize_engine::workplace::structure::StructureSaved;
use assize_page::app::{Here, criteria, rubric, structure};
use assize_wire::workplace::{SectionDraft, TierDraft};
use axum::extract::{Form, Multipart, Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::desk::Desk;
use super::forms::{Pairs, QueryPairs, Upload, go, value, values};
use crate::error::AppError;
use crate::work::apart;

const PATH: &str = "/admin/org/eval/criteria-sets";

/// `GET /admin/org/eval/criteria-sets`.
pub(crate) async fn list(desk: Desk) -> Result<Markup, AppError> {
    let sets = desk.registry.set_rows().await?;
    let content = criteria::list(&sets, None, desk.is_admin());
    Ok(desk.page(Here::Criteria, "Criteria sets", &content))
}

/// `POST /admin/org/eval/criteria-sets`: imports a file.
pub(crate) async fn import(desk: Desk, form: Multipart) -> Result<Response, AppError> {
    let mut upload = Upload::read(form).await?;
    let name = value(&upload.fields, "name").trim().to_owned();
    let file = upload.file("file").ok_or_else(|| AppError::bad_input("choose a file"))?;
    let registry = desk.registry.clone();
    let imported = apart(move || async move {
        let mut told = Vec::new();
        let mut tell = |event: IntakeEvent<'_>| {
            if let IntakeEvent::Unusable(file, rows) = event {
                told.extend(rows.iter().map(|row| format!("{file}: {row}")));
            }
        };
        let ended = registry.import_criteria_file(&file, &name, "", &mut tell).await?;
        Ok((ended.set.id.to_string(), told))
    });
    let problem = match imported.await {
        Ok((id, told)) if told.is_empty() => {
            return Ok(go(&format!("{PATH}/{id}"), "imported").into_response());
        }
        Ok((_, told)) => format!("imported, but these rows could not be used: {}", told.join("; ")),
        Err(error) => error.detail().to_owned(),
    };
    let sets = desk.registry.set_rows().await?;
    let content = criteria::list(&sets, Some(&problem), desk.is_admin());
    Ok(desk.page(Here::Criteria, "Criteria sets", &content).into_response())
}

/// `GET /admin/org/eval/criteria-sets/{id}`.
pub(crate) async fn show(
    desk: Desk,
    Path(id): Path<String>,
    Query(query): QueryPairs,
) -> Result<Markup, AppError> {
    let from = value(&query, "from").parse().unwrap_or(0);
    let found = desk.registry.set_view(&id, from).await?;
    Ok(desk.page(Here::Criteria, &found.set.name, &criteria::one(&found)))
}

/// `GET …/{id}/rubric`.
pub(crate) async fn rubric(desk: Desk, Path(id): Path<String>) -> Result<Markup, AppError> {
    let found = desk.registry.rubric_view(&id, None).await?;
    Ok(desk.page(Here::Criteria, "Scoring rubric", &rubric::content(&found, desk.is_admin())))
}

/// `POST …/{id}/rubric/preview`: what changes while somebody types.
pub(crate) async fn rubric_preview(
    desk: Desk,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Markup, AppError> {
    let found = desk.registry.rubric_view(&id, Some(tiers(&form))).await?;
    Ok(rubric::preview(&found))
}

/// `POST …/{id}/rubric`: adds or removes a tier, goes back to the default, or saves.
pub(crate) async fn save_rubric(
    desk: Desk,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let (mut drafts, act) = (tiers(&form), value(&form, "act"));
    let etag = value(&form, "etag");
    match act {
        "add" => drafts.push(TierDraft::default()),
        "reset" | "save" | "" => {
            let (wanted, told) =
                if act == "reset" { (None, "reset") } else { (Some(drafts.clone()), "saved") };
            match desk.registry.save_rubric(&id, wanted, etag).await? {
                Saved::Kept => return Ok(go(&format!("{PATH}/{id}/rubric"), told).into_response()),
                Saved::Conflict => return conflict(&desk, &id, drafts).await,
                Saved::Wrong(draft) => drafts = draft.tiers,
            }
        }
        other => remove(&mut drafts, other),
    }
    let mut found = desk.registry.rubric_view(&id, Some(drafts)).await?;
    etag.clone_into(&mut found.etag);
    let status =
        if matches!(act, "save" | "") { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let content = rubric::content(&found, desk.is_admin());
    Ok((status, desk.page(Here::Criteria, "Scoring rubric", &content)).into_response())
}

/// Somebody else saved meanwhile: both are shown, and saving again replaces theirs.
async fn conflict(desk: &Desk, id: &str, drafts: Vec<TierDraft>) -> Result<Response, AppError> {
    let theirs = desk.registry.rubric_view(id, None).await?;
    let mut found = desk.registry.rubric_view(id, Some(drafts)).await?;
    found.conflict = Some(theirs.draft.tiers);
    let content = rubric::content(&found, desk.is_admin());
    let page = desk.page(Here::Criteria, "Scoring rubric", &content);
    Ok((StatusCode::PRECONDITION_FAILED, page).into_response())
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
pub(crate) async fn structure(desk: Desk, Path(id): Path<String>) -> Result<Markup, AppError> {
    let found = desk.registry.structure_view(&id, None).await?;
    let content = structure::content(&found, desk.is_admin());
    Ok(desk.page(Here::Criteria, "Response structure", &content))
}

/// `POST …/{id}/response-structure/preview`.
pub(crate) async fn structure_preview(
    desk: Desk,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Markup, AppError> {
    let found = desk.registry.structure_view(&id, Some(sections(&form))).await?;
    Ok(structure::preview(&found))
}

/// `POST …/{id}/response-structure`.
pub(crate) async fn save_structure(
    desk: Desk,
    Path(id): Path<String>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let (mut drafts, act) = (sections(&form), value(&form, "act"));
    let (mut status, mut is_conflict) = (StatusCode::OK, false);
    match act {
        "add" => drafts.push(SectionDraft {
            kind: "text".to_owned(),
            required: true,
            ..SectionDraft::default()
        }),
        "reset" | "save" | "" => {
            let (wanted, told) =
                if act == "reset" { (None, "reset") } else { (Some(drafts.as_slice()), "saved") };
            match desk.registry.save_structure(&id, wanted, value(&form, "etag")).await? {
                StructureSaved::Kept => {
                    return Ok(go(&format!("{PATH}/{id}/response-structure"), told).into_response());
                }
                StructureSaved::Conflict => {
                    (status, is_conflict) = (StatusCode::PRECONDITION_FAILED, true);
                }
                StructureSaved::Wrong(_) => status = StatusCode::UNPROCESSABLE_ENTITY,
            }
        }
        up if up.starts_with("up-") => {
            let place = up.strip_prefix("up-").and_then(|place| place.parse().ok());
            if let Some(place) = place.filter(|place| (1..drafts.len()).contains(place)) {
                drafts.swap(place - 1, place);
            }
        }
        other => remove(&mut drafts, other),
    }
    let mut found = desk.registry.structure_view(&id, Some(drafts)).await?;
    if !is_conflict {
        value(&form, "etag").clone_into(&mut found.etag);
    }
    found.is_conflict = is_conflict;
    let content = structure::content(&found, desk.is_admin());
    Ok((status, desk.page(Here::Criteria, "Response structure", &content)).into_response())
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

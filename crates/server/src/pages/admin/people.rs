//! People of the organisation.

use assize_engine::store::Role;
use assize_page::app::Here;
use assize_page::app::admin::people;
use axum::extract::{Form, Path};
use axum::response::{IntoResponse, Response};
use maud::Markup;

use crate::api::users::entry;
use crate::error::{AppError, Result, to_app_error};
use crate::pages::context::PageContext;
use crate::pages::forms::{Pairs, go, value};
use crate::work::offload;

const PATH: &str = "/admin/people";

/// `GET /admin/people`.
pub(crate) async fn list(caller_view: PageContext) -> Result<Markup> {
    shown(&caller_view, None).await
}

async fn shown(caller_view: &PageContext, wrong: Option<&str>) -> Result<Markup> {
    let all = caller_view.workspace.users().await.map_err(|error| to_app_error(&error))?;
    let people: Vec<_> = all.into_iter().map(entry).collect();
    let content = people::content(&people, &caller_view.workspace.who, wrong);
    Ok(caller_view.page(Here::People, "People", &content))
}

/// `POST /admin/people`: adds somebody.
pub(crate) async fn add(caller_view: PageContext, Form(form): Pairs) -> Result<Response> {
    let role = role(value(&form, "role"))?;
    let workspace = caller_view.workspace.clone();
    // Hashing keeps a core busy for a while.
    let added = offload(move || async move {
        let (name, password) = (value(&form, "name").trim(), value(&form, "password"));
        workspace.add_user(name, password, role).await.map_err(|error| to_app_error(&error))
    });
    answer(&caller_view, added.await.map(drop), "added").await
}

/// `POST /admin/people/{name}`: another role, another password, in or out.
pub(crate) async fn edit(
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Response> {
    let workspace = caller_view.workspace.clone();
    let changed = offload(move || async move {
        let told = |error| to_app_error(&error);
        // Only people of the caller's organisation are there at all.
        let member = workspace.user(&name).await.map_err(told)?;
        if !matches!(value(&form, "act"), "role" | "sign-out" | "remove") {
            workspace.belongs_only_here(&member.user).await.map_err(told)?;
        }
        match value(&form, "act") {
            "role" => workspace.set_role(&name, role(value(&form, "role"))?).await,
            "disable" => workspace.set_disabled(&name, true).await,
            "enable" => workspace.set_disabled(&name, false).await,
            "sign-out" => workspace.end_sessions_of(&name).await,
            "remove" => workspace.remove_user(&name).await.map(drop),
            "codes" => workspace.forget_codes(&name).await,
            "password" => workspace.set_password(&name, value(&form, "password")).await,
            other => return Err(AppError::bad_input(format!("unknown action `{other}`"))),
        }
        .map_err(told)
    });
    answer(&caller_view, changed.await, "changed").await
}

async fn answer(caller_view: &PageContext, done: Result<()>, word: &str) -> Result<Response> {
    match done {
        Ok(()) => Ok(go(PATH, word).into_response()),
        Err(error) => {
            let page = shown(caller_view, Some(error.detail())).await?;
            Ok((error.status(), page).into_response())
        }
    }
}

fn role(word: &str) -> Result<Role> {
    match word {
        "viewer" => Ok(Role::Viewer),
        "analyst" => Ok(Role::Analyst),
        "admin" => Ok(Role::Admin),
        other => Err(AppError::bad_input(format!("unknown role `{other}`"))),
    }
}

//! Pages for people, rendered from the same values that the API hands out.
//!
//! One file a noun. A handler reads the address or the form, asks the engine, and hands the
//! value to a function of `assize_page::app`; what cannot be done is told on the same page.

pub(crate) mod account;
pub(crate) mod admin;
pub(crate) mod again;
pub(crate) mod aliases;
pub(crate) mod api;
pub(crate) mod begin;
pub(crate) mod compare;
mod context;
pub(crate) mod councils;
pub(crate) mod criteria;
pub(crate) mod criterion;
pub(crate) mod data;
pub(crate) mod dispute;
pub(crate) mod documents;
pub(crate) mod eval;
mod forms;
pub(crate) mod home;
pub(crate) mod items;
pub(crate) mod optimise;
pub(crate) mod own;
mod pairs;
pub(crate) mod runs;
pub(crate) mod series;
pub(crate) mod truth;
mod wizard;

use std::sync::{Arc, LazyLock};

use assize_page::app::address::address;
use assize_page::app::{Here, Shell, account as people, shell};
use assize_page::styles::stylesheet;
use axum::http::request::Parts;
use maud::Markup;

use self::context::PageContext;
use crate::assets::Asset;
use crate::error::Problem;
use crate::state::AppState;

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// What pages refer to as `/assets/NAME`.
pub(crate) static ASSETS: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    let asset = |name, media_type, content: &'static str| Asset {
        name,
        media_type,
        content: content.as_bytes(),
    };
    [
        asset("assize.css", "text/css; charset=utf-8", stylesheet()),
        asset("assize.js", JAVASCRIPT, include_str!("../../assets/assize.js")),
        // htmx 4.0.0 as its package has it; its licence lies beside it.
        asset("htmx.min.js", JAVASCRIPT, include_str!("../../assets/htmx.min.js")),
        asset("icon.svg", "image/svg+xml", shell::ICON),
    ]
});

/// An error for people; `wanted` is what they wanted to see.
pub(crate) async fn problem(
    state: &Arc<AppState>,
    asked: Parts,
    problem: &Problem,
    wanted: &str,
) -> Markup {
    let has_to_sign_in = problem.code == "not_signed_in";
    let sign_in = has_to_sign_in.then(|| address("/login", &[("return", wanted)]));
    let hint = problem.hint.as_deref();
    // The names of statuses are for programs.
    let title = match problem.status {
        401 => "Sign in to continue",
        403 => "You do not have access",
        404 => "Not found",
        400 => "Please check your input",
        409 => "Conflict with existing data",
        422 => "This action is not possible",
        _ => &problem.title,
    };
    let content = people::problem(title, &problem.detail, hint, sign_in.as_deref());
    // Whoever is signed in keeps the menu; a database that is away takes nobody's page.
    match PageContext::whoever(asked, state).await {
        Some(caller_view) => caller_view.page(Here::Elsewhere, title, &content),
        None => page(title, &content),
    }
}

/// A page for somebody who may not be signed in.
fn page(title: &str, content: &Markup) -> Markup {
    shell::page(&Shell::default(), Here::Elsewhere, title, content)
}

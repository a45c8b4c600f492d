//! The first page, samples, help, the style guide, and the theme.

use std::sync::Arc;

use assize_engine::store::{Instrument, RunFilter};
use assize_page::app::{Here, help, home, styleguide};
use axum::extract::{Form, State};
use axum::http::HeaderMap;
use axum::http::header::{REFERER, SET_COOKIE};
use axum::response::{AppendHeaders, IntoResponse, Redirect, Response};
use maud::Markup;

use super::context::{PageContext, THEME};
use super::forms::{Pairs, value};
use crate::error::{AppError, Result};
use crate::state::AppState;
use crate::work::offload;

/// Runs that the first page shows.
const RECENT: i64 = 20;

/// `GET /`.
pub(crate) async fn home(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
) -> Result<Markup> {
    let recent = caller_view.workspace.run_rows(&RunFilter::default(), RECENT).await?;
    let all = caller_view.workspace.run_tally().await?.all;
    let workspace = caller_view.workspace.clone();
    let kept = Arc::clone(&state.comparisons);
    let since = offload(move || async move { Ok(workspace.since_baselines(&kept).await?) }).await?;
    let content = home::content(&recent, &since, all, caller_view.can_write());
    Ok(caller_view.page(Here::Home, "Home", &content))
}

/// `POST /samples`: makes a sample and opens it.
pub(crate) async fn sample(caller_view: PageContext, Form(form): Pairs) -> Result<Redirect> {
    let instrument = match value(&form, "instrument") {
        "retrieval" => Instrument::Retrieval,
        "summary" => Instrument::Summary,
        "compliance" => Instrument::Compliance,
        "council" => Instrument::Council,
        other => return Err(AppError::bad_input(format!("there is no sample for `{other}`"))),
    };
    let workspace = caller_view.workspace.clone();
    let run = offload(move || async move { Ok(workspace.make_sample(instrument).await?) }).await?;
    let address = assize_page::app::runs::run_address(run.instrument.word(), run.number);
    Ok(Redirect::to(&address))
}

/// `GET /help`.
pub(crate) async fn help(caller_view: PageContext) -> Markup {
    caller_view.page(Here::Help, "How it works", &help::content())
}

/// `GET /styleguide`.
pub(crate) async fn styleguide(caller_view: PageContext) -> Markup {
    caller_view.page(Here::Elsewhere, "Style guide", &styleguide::content())
}

/// `POST /theme`: keeps the theme, and goes back.
pub(crate) async fn theme(headers: HeaderMap, Form(form): Pairs) -> Response {
    let chosen = match value(&form, "theme") {
        word @ ("light" | "dark") => word,
        _ => "system",
    };
    let back = headers.get(REFERER).and_then(|from| from.to_str().ok()).and_then(path);
    let cookie = format!("{THEME}={chosen}; Path=/; Max-Age=31536000; SameSite=Lax; HttpOnly");
    (AppendHeaders([(SET_COOKIE, cookie)]), Redirect::to(back.unwrap_or("/"))).into_response()
}

/// The path of an address: where to go back to, never to another host.
fn path(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    rest.find('/').map(|start| &rest[start..]).filter(|path| !path.starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_stays_here() {
        assert_eq!(path("http://127.0.0.1:8080/runs?q=1"), Some("/runs?q=1"));
        assert_eq!(path("http://evil.example//evil.example"), None);
        assert_eq!(path("nonsense"), None);
    }
}

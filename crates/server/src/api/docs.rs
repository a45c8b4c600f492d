//! The API described: for programs as `OpenAPI`, for people as a page.

use std::sync::OnceLock;

use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Redirect, Response};
use maud::Markup;
use serde_json::Value;

use super::describe::document;
use crate::pages;

static TEXT: OnceLock<String> = OnceLock::new();

/// The document as text, the same bytes each time.
pub fn text() -> &'static str {
    TEXT.get_or_init(|| {
        let mut text = serde_json::to_string_pretty(&document()).unwrap_or_default();
        text.push('\n');
        text
    })
}

/// `GET /api/v1/openapi.json`.
pub(crate) async fn openapi() -> Response {
    ([(CONTENT_TYPE, "application/json")], text()).into_response()
}

/// `GET /api/docs`.
pub(crate) async fn to_browser() -> Redirect {
    Redirect::permanent("/api/docs/")
}

/// `GET /api/docs/`: every operation with what it takes and gives, without a script.
pub(crate) async fn browser() -> Markup {
    let document: Value = serde_json::from_str(text()).unwrap_or_default();
    pages::api::page(&document)
}

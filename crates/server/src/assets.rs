//! Styles, scripts and pictures, compiled in.

use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::error::{AppError, Result};
use crate::pages;

/// A file that pages refer to as `/assets/NAME`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asset {
    pub(crate) name: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) content: &'static [u8],
}

/// `GET /assets/{name}`. A browser asks again each time, and mostly hears that nothing changed:
/// after an upgrade no page is shown with the styles of the old one.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Result<Response> {
    let asset = pages::ASSETS.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(|| AppError::not_found(format!("there is no asset `{name}`")))?;
    let tag = format!("\"{}\"", &blake3::hash(asset.content).to_hex()[..16]);
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        let headers = [(CACHE_CONTROL, "no-cache".to_owned()), (ETAG, tag)];
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let headers = [
        (CONTENT_TYPE, asset.media_type.to_owned()),
        (CACHE_CONTROL, "no-cache".to_owned()),
        (ETAG, tag),
    ];
    Ok((headers, asset.content).into_response())
}

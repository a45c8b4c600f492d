//! What handlers take out of a request. A refusal is a problem like any other.

use assize_engine::compliance::evaluate::NamedFile;
use axum::extract::multipart::{Field, Multipart};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{AppError, Result};

/// A page of a list: at least.
const LIMIT_MIN: u32 = 1;
/// At most.
const LIMIT_MAX: u32 = 500;
/// Unless somebody says so.
const LIMIT: u32 = 100;
/// Whatever a request says, no more memory is taken before anything came.
const BYTES_AHEAD_MAX: usize = 32 << 20;
/// Longer names of files are cut by some systems, and read by nobody.
const NAME_LENGTH_MAX: usize = 200;

/// The body as JSON.
#[derive(Debug)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        Ok(Self(axum::Json::<T>::from_request(request, state).await?.0))
    }
}

/// What stands behind the question mark.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let query = axum::extract::Query::<T>::from_request_parts(parts, state).await?;
        Ok(Self(query.0))
    }
}

/// The named parts of the path.
#[derive(Debug)]
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = AppError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let path = axum::extract::Path::<T>::from_request_parts(parts, state).await;
        // A path that cannot be read names nothing.
        path.map(|path| Self(path.0)).map_err(|error| AppError::not_found(error.body_text()))
    }
}

/// How long a page is to be.
pub(crate) fn limit(asked: Option<u32>) -> Result<i64> {
    let limit = asked.unwrap_or(LIMIT);
    if (LIMIT_MIN..=LIMIT_MAX).contains(&limit) {
        return Ok(i64::from(limit));
    }
    Err(AppError::bad_input(format!("limit: {limit} is not between {LIMIT_MIN} and {LIMIT_MAX}")))
}

/// The files of a form, each with a name that can do no harm.
#[derive(Debug)]
pub(crate) struct Files(pub(crate) Vec<NamedFile>);

impl<S: Send + Sync> FromRequest<S> for Files {
    type Rejection = AppError;

    async fn from_request(request: Request, state: &S) -> Result<Self> {
        let refused = |error: &dyn std::fmt::Display| AppError::bad_input(error.to_string());
        let mut left = length(request.headers()).unwrap_or_default();
        let form = Multipart::from_request(request, state).await;
        let mut form = form.map_err(|error| AppError::unsupported(error.body_text()))?;
        let mut files = Vec::new();
        while let Some(field) =
            form.next_field().await.map_err(|error| AppError::from_multipart(&error))?
        {
            let name = field.file_name().map(safe_name).unwrap_or_default();
            if name.is_empty() {
                return Err(refused(&"every part of the form must be a named file"));
            }
            let bytes = whole(field, left).await?;
            left = left.saturating_sub(bytes.len());
            files.push(NamedFile { name, bytes });
        }
        if files.is_empty() {
            return Err(refused(&"the form contains no file"));
        }
        Ok(Self(files))
    }
}

/// How long a body says that it is.
pub(crate) fn length(headers: &HeaderMap) -> Option<usize> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    length.and_then(|value| value.parse().ok())
}

/// A part of a form. Memory for all that may come is taken at once: what grows step by step is
/// copied, and needs twice as much.
async fn whole(mut field: Field<'_>, bytes_max: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(bytes_max.min(BYTES_AHEAD_MAX));
    while let Some(piece) = field.chunk().await.map_err(|error| AppError::from_multipart(&error))? {
        bytes.extend_from_slice(&piece);
    }
    bytes.shrink_to_fit();
    Ok(bytes)
}

/// The last part of a path, without what a terminal, a shell or a header could take for more.
pub(crate) fn safe_name(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_plain = |letter: &char| !letter.is_control() && !"\"<>|:*?".contains(*letter);
    let plain: String = last.chars().filter(is_plain).take(NAME_LENGTH_MAX).collect();
    plain.trim().trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_file_name_is_only_its_harmless_end() {
        assert_eq!(safe_name("../../etc/passwd"), "passwd");
        assert_eq!(safe_name("C:\\windows\\a.txt"), "a.txt");
        assert_eq!(safe_name("..\u{0}a\r\nb\".txt"), "ab.txt");
        assert_eq!(safe_name(".."), "");
        assert_eq!(safe_name("Prüfung 1.pdf"), "Prüfung 1.pdf");
        assert_eq!(safe_name(&"a".repeat(999)).len(), 200);
    }

    #[test]
    fn a_page_has_one_to_five_hundred_rows() {
        assert_eq!(limit(None).unwrap(), 100);
        assert_eq!((limit(Some(1)).unwrap(), limit(Some(500)).unwrap()), (1, 500));
        assert!(limit(Some(0)).is_err() && limit(Some(501)).is_err());
    }
}

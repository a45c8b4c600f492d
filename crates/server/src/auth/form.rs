//! Forms of our own pages: they carry what another site cannot know.

use assize_page::app::forms::FIELD;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::Response;
use futures_util::{StreamExt, stream};

use super::Caller;
use crate::error::{AppError, Result};

/// How much of a body is looked at: the token is the first field of every form, and in front of
/// it stands at most the boundary of a form with files (70 characters) with two headers.
const HEAD_BYTES: usize = 1024;

/// Refuses a form without the token of the caller. A program with an API token has no browser
/// that another site could use, and needs none.
pub(crate) async fn own(request: Request, next: Next) -> Result<Response> {
    let caller = request.extensions().get::<Caller>().cloned();
    let caller = caller.ok_or_else(AppError::not_signed_in)?;
    if caller.scope.is_some() {
        return Ok(next.run(request).await);
    }
    let (parts, body) = request.into_parts();
    let media_type = parts.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let has_files = media_type.is_some_and(|value| value.starts_with("multipart/form-data"));
    let (head, body) = peeked(body).await?;
    let token = if has_files { in_parts(&head) } else { in_pairs(&head) };
    // Hashes are compared, for how long it takes must not tell how much of the token was right.
    let is_own =
        token.is_some_and(|token| blake3::hash(token) == blake3::hash(caller.csrf.as_bytes()));
    if !is_own || caller.csrf.is_empty() {
        let detail = "the form has expired: reload the page and try again";
        return Err(AppError::new(StatusCode::FORBIDDEN, "cross_site", detail));
    }
    Ok(next.run(Request::from_parts(parts, body)).await)
}

/// The beginning of a body, and the whole body for whoever comes next: files are not kept in
/// memory for this.
async fn peeked(body: Body) -> Result<(Vec<u8>, Body)> {
    let mut rest = body.into_data_stream();
    let mut chunks: Vec<Bytes> = Vec::new();
    while chunks.iter().map(Bytes::len).sum::<usize>() < HEAD_BYTES {
        let Some(chunk) = rest.next().await else { break };
        chunks.push(chunk.map_err(|error| AppError::bad_input(error.to_string()))?);
    }
    let mut head = chunks.concat();
    head.truncate(HEAD_BYTES);
    let whole = stream::iter(chunks.into_iter().map(Ok)).chain(rest);
    Ok((head, Body::from_stream(whole)))
}

/// The token in `csrf=TOKEN&…`.
fn in_pairs(head: &[u8]) -> Option<&[u8]> {
    let mut pairs = head.split(|byte| *byte == b'&');
    pairs.find_map(|pair| pair.strip_prefix(FIELD.as_bytes())?.strip_prefix(b"="))
}

/// The token in the first part of a form with files.
fn in_parts(head: &[u8]) -> Option<&[u8]> {
    let mut lines = head.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let name = format!("name=\"{FIELD}\"");
    lines.find(|line| line.ends_with(name.as_bytes()))?;
    lines.find(|line| line.is_empty())?;
    lines.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_found_in_both_kinds_of_forms() {
        assert_eq!(in_pairs(b"csrf=abc&reason=x"), Some(&b"abc"[..]));
        assert_eq!(in_pairs(b"reason=x&csrf=abc"), Some(&b"abc"[..]));
        assert_eq!(in_pairs(b"reason=csrf"), None);
        let form = b"--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\nabc\r\n--x\r\nContent-Disp";
        assert_eq!(in_parts(form), Some(&b"abc"[..]));
        assert_eq!(
            in_parts(b"--x\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nabc\r\n"),
            None
        );
        assert_eq!(in_parts(b"--x\r\nContent-Disposition: form-data; name=\"csrf\""), None);
    }

    #[tokio::test]
    async fn what_was_looked_at_is_still_there_for_the_next() {
        let chunks: Vec<Result<Bytes, std::io::Error>> = vec![
            Ok(Bytes::from(vec![b'a'; 1000])),
            Ok(Bytes::from(vec![b'b'; 1000])),
            Ok("c".into()),
        ];
        let (head, body) = peeked(Body::from_stream(stream::iter(chunks))).await.unwrap();
        assert_eq!((head.len(), head[999], head[1023]), (HEAD_BYTES, b'a', b'b'));
        let whole = axum::body::to_bytes(body, 10_000).await.unwrap();
        assert_eq!((whole.len(), whole[2000]), (2001, b'c'));
    }
}

//! What is fetched from the provider: so much and so long, no further, and from nowhere else.

use std::time::Duration;

use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Url};
use serde::de::DeserializeOwned;
use thiserror::Error;

/// How long a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long a whole answer may take.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
/// The most that is read of an answer: key sets have a few kilobytes.
const ANSWER_BYTES_MAX: usize = 256 << 10;

/// Why nothing was fetched.
#[derive(Debug, Error)]
pub(crate) enum FetchError {
    /// No connection, or no answer in time.
    #[error("it does not respond")]
    Silent,
    /// Another status than 200.
    #[error("it responded with status {0}")]
    Status(u16),
    /// A body without end.
    #[error("its response is longer than {ANSWER_BYTES_MAX} bytes")]
    TooLong,
    /// Something else than was asked for.
    #[error("its response cannot be read")]
    Unreadable,
}

/// The client: ring for cryptography, the machine's own certificates, no redirects (a code and a
/// secret must not travel to wherever a server points), no proxy to this machine itself.
pub(crate) fn client(is_local: bool) -> Client {
    // A second installation fails, and leaves the first in place.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        let builder = Client::builder();
        let builder = if is_local { builder.no_proxy() } else { builder };
        builder
            .connect_timeout(CONNECT_TIMEOUT)
            .timeout(ANSWER_TIMEOUT)
            .redirect(Policy::none())
            .user_agent(concat!("assize/", env!("CARGO_PKG_VERSION")))
    };
    // A machine without certificates can still speak to a server on loopback.
    builder().build().or_else(|_| builder().tls_certs_only([]).build()).expect("settings are sound")
}

/// A JSON document.
pub(crate) async fn get<T: DeserializeOwned>(client: &Client, url: &Url) -> Result<T, FetchError> {
    answer(client.get(url.clone())).await
}

/// The JSON answer to a form; `authorization` is a header.
pub(crate) async fn post<T: DeserializeOwned>(
    client: &Client,
    url: &Url,
    form: &[(&str, &str)],
    authorization: Option<String>,
) -> Result<T, FetchError> {
    let request =
        client.post(url.clone()).header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let request = request.body(encoded(form));
    answer(match authorization {
        Some(header) => request.header(AUTHORIZATION, header),
        None => request,
    })
    .await
}

async fn answer<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, FetchError> {
    let request = request.header(ACCEPT, "application/json");
    let mut response = request.send().await.map_err(|_| FetchError::Silent)?;
    if response.status().as_u16() != 200 {
        return Err(FetchError::Status(response.status().as_u16()));
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|_| FetchError::Silent)? {
        if body.len() + chunk.len() > ANSWER_BYTES_MAX {
            return Err(FetchError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&body).map_err(|_| FetchError::Unreadable)
}

/// Pairs as a form has them.
pub(crate) fn encoded(pairs: &[(&str, &str)]) -> String {
    let mut any = Url::parse("http://localhost/").expect("a plain address");
    any.query_pairs_mut().extend_pairs(pairs);
    any.query().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_pair_is_encoded() {
        assert_eq!(encoded(&[("a", "1&b=2"), ("c d", "ü+%")]), "a=1%26b%3D2&c+d=%C3%BC%2B%25");
        assert_eq!(encoded(&[]), "");
    }
}

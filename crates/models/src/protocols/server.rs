//! A request to a provider, and its answer read with a bound.

use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use reqwest::{Client, RequestBuilder, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::classify::{body_error, malformed, status_error};
use crate::error::{ProviderError, Result};
use crate::remote::Timeouts;
use crate::secret::Secret;

/// What is read of a failure: nobody needs more of it.
const FAILURE_BYTES_MAX: usize = 64 << 10;
/// What is quoted of an answer that is none.
const QUOTED_BYTES_MAX: usize = 1_000;
/// What is sent where a key belongs and nobody has one: servers on loopback want a word there.
const NO_KEY: &str = "none";

/// One server, whatever it speaks.
#[derive(Debug)]
pub(crate) struct Server<'a> {
    pub(crate) client: &'a Client,
    pub(crate) base_url: &'a str,
    pub(crate) secret: Option<&'a Secret>,
    pub(crate) sends_schemas: bool,
    pub(crate) timeouts: Timeouts,
}

impl Server<'_> {
    /// A request to a path below the server's address. The address may end with a question mark
    /// and what a gateway wants to know.
    pub(crate) fn post(&self, path: &str) -> RequestBuilder {
        let (base, query) = self.base_url.split_once('?').unwrap_or((self.base_url, ""));
        let mut url = format!("{}/{path}", base.trim_end_matches('/'));
        if !query.is_empty() {
            url.push('?');
            url.push_str(query);
        }
        self.client.post(url)
    }

    /// The key, as it is sent.
    pub(crate) fn key(&self) -> &str {
        self.secret.map_or(NO_KEY, Secret::expose)
    }

    /// Sends a request; returns the answer's JSON as it came, if it is no longer than that.
    pub(crate) async fn answer(
        &self,
        request: RequestBuilder,
        body: &impl Serialize,
        bytes_max: usize,
    ) -> Result<Vec<u8>> {
        let sent = request.json(body).send().await;
        let mut response = sent.map_err(|error| body_error(&error, self.timeouts.reply))?;
        let status = response.status();
        if !status.is_success() {
            // A failure is one whatever becomes of its words.
            let body = self.read(&mut response, FAILURE_BYTES_MAX).await.unwrap_or_default();
            let words = String::from_utf8_lossy(&body);
            return Err(status_error(status.as_u16(), &words, response.headers()));
        }
        // What is packed can be a thousand times as long as what is sent, and nobody asked for it.
        let packing = header(response.headers(), CONTENT_ENCODING.as_str());
        if !packing.is_empty() && packing != "identity" {
            return Err(malformed(&format!(
                "it is compressed (`{packing}`), which was not requested"
            )));
        }
        let kind = header(response.headers(), CONTENT_TYPE.as_str());
        let body = self.read(&mut response, bytes_max).await?;
        if !kind.starts_with("application/json") {
            return Err(malformed(&format!("the content type is `{kind}`: {}", quoted(&body))));
        }
        Ok(body)
    }

    /// The body, as long as it is not too long: refused by the length that it announces, and
    /// otherwise as soon as more came than may.
    async fn read(&self, response: &mut Response, bytes_max: usize) -> Result<Vec<u8>> {
        let too_large = ProviderError::TooLarge { bytes_max };
        let announced = response.content_length().unwrap_or(0);
        if usize::try_from(announced).unwrap_or(usize::MAX) > bytes_max {
            return Err(too_large);
        }
        let mut body = Vec::new();
        while let Some(piece) =
            response.chunk().await.map_err(|error| body_error(&error, self.timeouts.reply))?
        {
            if body.len() + piece.len() > bytes_max {
                return Err(too_large);
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}

/// An answer as the protocol has it.
pub(super) fn parsed<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|error| malformed(&error.to_string()))
}

/// The beginning of an answer that is none.
pub(super) fn quoted(body: &[u8]) -> String {
    String::from_utf8_lossy(&body[..body.len().min(QUOTED_BYTES_MAX)]).into_owned()
}

fn header(headers: &HeaderMap, name: &str) -> String {
    let value = headers.get(name).and_then(|value| value.to_str().ok());
    value.unwrap_or_default().trim().to_ascii_lowercase()
}

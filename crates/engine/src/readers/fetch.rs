//! One file from a server, from where an earlier attempt ended.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::header::{CONTENT_RANGE, ETAG, HeaderMap, IF_RANGE, RANGE};
use reqwest::{Client, Response, StatusCode};

use super::ReadersError;

/// How long a connection may take, and how long a server may be silent.
const PATIENCE: Duration = Duration::from_secs(30);

/// Attempts at one file before it is left for the next time.
const ATTEMPTS_MAX: usize = 3;

/// The header in which the hub names the revision that it answers with.
const REVISION_HEADER: &str = "x-repo-commit";

/// A client that goes through the proxy of the environment.
pub(super) fn client() -> Client {
    // A second installation fails, and leaves the first in place.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        Client::builder()
            .connect_timeout(PATIENCE)
            .read_timeout(PATIENCE)
            .user_agent(concat!("assize/", env!("CARGO_PKG_VERSION")))
    };
    // A machine without certificates can still speak to a server on loopback.
    builder().build().or_else(|_| builder().tls_certs_only([]).build()).expect("settings are sound")
}

/// How many bytes a file has, if the server says so.
pub(super) async fn size(client: &Client, address: &str) -> Option<u64> {
    let answer = client.head(address).send().await.ok()?;
    let length = answer.headers().get("content-length")?.to_str().ok()?.parse().ok();
    length.filter(|_| answer.status().is_success())
}

/// Fetches a file; says which revision the server named. Whatever arrives is kept beside the target
/// until all of it is there, and the next attempt goes on from there.
pub(super) async fn fetch(
    client: &Client,
    address: &str,
    target: &Path,
    hear: &(dyn Fn(u64) + Sync),
) -> Result<Option<String>, ReadersError> {
    let mut attempts = 0;
    loop {
        attempts += 1;
        match attempt(client, address, target, hear).await {
            Err(ReadersError::Interrupted { .. }) if attempts < ATTEMPTS_MAX => {}
            other => return other,
        }
    }
}

async fn attempt(
    client: &Client,
    address: &str,
    target: &Path,
    hear: &(dyn Fn(u64) + Sync),
) -> Result<Option<String>, ReadersError> {
    let interrupted =
        |problem: String| ReadersError::Interrupted { address: address.to_owned(), problem };
    let (partial, mark) = (beside(target, "partial"), beside(target, "etag"));
    let arrived = fs::metadata(&partial).map_or(0, |file| file.len());
    let mut request = client.get(address);
    if let (true, Ok(etag)) = (arrived > 0, fs::read_to_string(&mark)) {
        request = request.header(RANGE, format!("bytes={arrived}-")).header(IF_RANGE, etag);
    }
    let answer = request.send().await.map_err(|error| interrupted(innermost(&error)))?;
    let from = match answer.status() {
        StatusCode::PARTIAL_CONTENT if starts_at(answer.headers(), arrived) => arrived,
        StatusCode::OK => 0,
        StatusCode::NOT_FOUND => return Err(ReadersError::NotThere(address.to_owned())),
        status => {
            // What is kept does not fit what the server has.
            let _ = fs::remove_file(&partial);
            return Err(interrupted(format!("the server answered {status}")));
        }
    };
    let revision = header(answer.headers(), REVISION_HEADER);
    match header(answer.headers(), ETAG.as_str()) {
        Some(etag) => {
            fs::write(&mark, etag).map_err(|error| ReadersError::writing(&mark, error))?;
        }
        None => drop(fs::remove_file(&mark)),
    }
    let written = write(answer, &partial, from, hear).await?;
    written.map_err(|error| interrupted(innermost(&error)))?;
    fs::rename(&partial, target).map_err(|error| ReadersError::writing(target, error))?;
    let _ = fs::remove_file(&mark);
    Ok(revision)
}

/// Writes what arrives. The inner error is the network's, and what was written before it stays.
async fn write(
    mut answer: Response,
    partial: &Path,
    from: u64,
    hear: &(dyn Fn(u64) + Sync),
) -> Result<Result<(), reqwest::Error>, ReadersError> {
    let failed = |error| ReadersError::writing(partial, error);
    let mut file = opened(partial, from).map_err(failed)?;
    let mut done = from;
    loop {
        match answer.chunk().await {
            Ok(Some(bytes)) => {
                file.write_all(&bytes).map_err(failed)?;
                done += bytes.len() as u64;
                hear(done);
            }
            Ok(None) => return file.sync_all().map(Ok).map_err(failed),
            Err(error) => return Ok(Err(error)),
        }
    }
}

fn opened(partial: &Path, from: u64) -> std::io::Result<File> {
    if from > 0 {
        return OpenOptions::new().append(true).open(partial);
    }
    File::create(partial)
}

fn beside(target: &Path, ending: &str) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!("{name}.{ending}"))
}

fn header(headers: &HeaderMap, name: &str) -> Option<String> {
    Some(headers.get(name)?.to_str().ok()?.to_owned())
}

/// Whether a part begins where it was asked to.
fn starts_at(headers: &HeaderMap, byte: u64) -> bool {
    let range = header(headers, CONTENT_RANGE.as_str()).unwrap_or_default();
    range.strip_prefix("bytes ").and_then(|rest| rest.split('-').next()) == Some(&byte.to_string())
}

/// The cause that says most, without addresses that may hold passwords.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    if cause.source().is_none() && std::ptr::addr_eq(cause, error) {
        return "the connection failed".to_owned();
    }
    cause.to_string()
}

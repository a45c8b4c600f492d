//! Answers that are kept for as long as nothing in the database changes.
//!
//! Lists and comparisons are asked for again and again, and by many at once. One request
//! computes, those that ask the same at the same time wait for it, and whoever comes later is
//! given the same bytes until anybody, in this process or in another, writes anything. What an
//! answer depends on is its key: who asks, in which organisation, with which cookies, for what.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use assize_engine::store::Revision;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{COOKIE, SET_COOKIE};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::OnceCell;

use crate::auth::Caller;
use crate::error::AppError;
use crate::state::AppState;

/// Answers that are kept at most, and their bytes together.
const ANSWERS_MAX: usize = 1_000;
const BYTES_MAX: usize = 16 << 20;
/// A larger answer is not kept, nor is one to a longer question.
const ANSWER_BYTES_MAX: usize = 1 << 20;
const KEY_BYTES_MAX: usize = 4 << 10;

/// What a handler adds to an answer that is right only at this moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fleeting;

/// Who asks for what.
type Key = [String; 6];

/// The answers that are kept.
#[derive(Debug, Default)]
pub struct ResponseCache {
    answers: Mutex<Inner>,
    looks: Looks<Revision>,
}

/// Looks at something that changes, which those share who ask at once: what is seen by a look
/// that began after they asked is as good as what their own would see.
#[derive(Debug)]
struct Looks<T> {
    begun: AtomicU64,
    last: tokio::sync::Mutex<Option<(u64, T)>>,
}

impl<T> Default for Looks<T> {
    fn default() -> Self {
        Self { begun: AtomicU64::new(0), last: tokio::sync::Mutex::new(None) }
    }
}

impl<T: Clone> Looks<T> {
    async fn see<E>(&self, look: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let before = self.begun.load(Ordering::SeqCst);
        let mut last = self.last.lock().await;
        if let Some((number, seen)) = last.as_ref()
            && *number > before
        {
            return Ok(seen.clone());
        }
        let number = self.begun.fetch_add(1, Ordering::SeqCst) + 1;
        let seen = look.await?;
        *last = Some((number, seen.clone()));
        Ok(seen)
    }
}

#[derive(Debug, Default)]
struct Inner {
    /// The state of the database that all of them show.
    revision: Option<Revision>,
    answers: BTreeMap<Key, Arc<OnceCell<Option<Answer>>>>,
    bytes: usize,
}

#[derive(Debug)]
struct Answer {
    headers: HeaderMap,
    body: Bytes,
}

impl ResponseCache {
    /// The place of an answer; whoever fills it counts its bytes.
    fn place(&self, revision: &Revision, key: Key) -> Arc<OnceCell<Option<Answer>>> {
        let mut inner = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.revision.as_ref() != Some(revision) || inner.answers.len() >= ANSWERS_MAX {
            *inner = Inner { revision: Some(revision.clone()), ..Inner::default() };
        }
        Arc::clone(inner.answers.entry(key).or_default())
    }

    fn count(&self, revision: &Revision, bytes: usize) {
        let mut inner = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if inner.revision.as_ref() != Some(revision) {
            return;
        }
        inner.bytes += bytes;
        if inner.bytes > BYTES_MAX {
            // To begin again is cheaper than to know the oldest.
            *inner = Inner { revision: Some(revision.clone()), ..Inner::default() };
        }
    }
}

/// Gives the answer that is kept, or keeps the one that is computed. Stands before handlers
/// whose answers follow from the database and the key alone: no clock, no state of the process.
pub(crate) async fn keep(
    State(state): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(key) = key(&request) else { return next.run(request).await };
    // Asked for before anything is read: what is computed is this state or a later one.
    let Ok(revision) = state.response_cache.looks.see(state.store.revision()).await else {
        return next.run(request).await;
    };
    let place = state.response_cache.place(&revision, key);
    let (mut asked, mut own) = (Some((request, next)), None);
    // An answer that is not to be kept is noted as none: those who wait here would otherwise
    // compute theirs one after another.
    let filled = place.get_or_init(async || {
        let (request, next) = asked.take()?;
        match kept(next.run(request).await).await {
            Ok(answer) => {
                state.response_cache.count(&revision, answer.body.len());
                Some(answer)
            }
            Err(response) => {
                own = Some(*response);
                None
            }
        }
    });
    match (filled.await, asked, own) {
        (Some(answer), ..) => {
            let mut response = Response::new(Body::from(answer.body.clone()));
            response.headers_mut().clone_from(&answer.headers);
            response
        }
        (None, _, Some(own)) => own,
        (None, Some((request, next)), None) => next.run(request).await,
        (None, None, None) => axum::response::IntoResponse::into_response(AppError::our_fault()),
    }
}

/// Everything that an answer depends on beside the database. None if it is not to be kept.
fn key(request: &Request) -> Option<Key> {
    let caller =
        request.extensions().get::<Caller>().filter(|_| request.method() == Method::GET)?;
    let cookies = request.headers().get_all(COOKIE).iter();
    let cookies: Option<Vec<&str>> = cookies.map(|cookie| cookie.to_str().ok()).collect();
    let rights = format!("{:?} {:?}", caller.role, caller.scope);
    let key = [
        caller.organisation.to_string(),
        caller.who.clone(),
        rights,
        caller.csrf.clone(),
        cookies?.join("; "),
        request.uri().to_string(),
    ];
    (key.iter().map(String::len).sum::<usize>() <= KEY_BYTES_MAX).then_some(key)
}

/// An answer that may be kept; any other goes to whoever asked, and to nobody else.
async fn kept(response: Response) -> Result<Answer, Box<Response>> {
    let length =
        response.body().size_hint().exact().and_then(|length| usize::try_from(length).ok());
    let is_small = length.is_some_and(|length| length <= ANSWER_BYTES_MAX);
    let is_plain =
        response.status() == StatusCode::OK && !response.headers().contains_key(SET_COOKIE);
    let is_fleeting = response.extensions().get::<Fleeting>().is_some();
    if !is_small || !is_plain || is_fleeting {
        return Err(Box::new(response));
    }
    let (parts, body) = response.into_parts();
    match to_bytes(body, ANSWER_BYTES_MAX).await {
        Ok(body) => Ok(Answer { headers: parts.headers, body }),
        Err(_) => Err(Box::new(axum::response::IntoResponse::into_response(AppError::our_fault()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn those_who_ask_during_a_look_share_the_next_one() {
        let (looks, count) = (Looks::default(), AtomicU64::new(0));
        let look = async || {
            tokio::task::yield_now().await;
            Ok::<u64, ()>(count.fetch_add(1, Ordering::SeqCst) + 1)
        };
        let see = || looks.see(look());
        // The first look may have seen what was before the others asked.
        let all = tokio::join!(see(), see(), see(), see());
        assert_eq!(all, (Ok(1), Ok(2), Ok(2), Ok(2)));
        assert_eq!(see().await, Ok(3), "nor is a look of before good for who asks later");
        assert_eq!(count.into_inner(), 3);
    }

    #[tokio::test]
    async fn a_look_that_fails_is_nobody_elses() {
        let looks = Looks::<u64>::default();
        let fails = async {
            tokio::task::yield_now().await;
            Err::<u64, &str>("gone")
        };
        let all = tokio::join!(looks.see(fails), looks.see(async { Ok::<u64, &str>(7) }));
        assert_eq!(all, (Err("gone"), Ok(7)));
    }
}

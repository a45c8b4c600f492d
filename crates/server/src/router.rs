//! Every route in one list: method, path, who may ask, who answers.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{StatusCode, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodFilter, MethodRouter, on};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::auth::{Access, admit};
use crate::error::{AppError, as_page};
use crate::state::AppState;
use crate::{assets, guard, observe, operations, pages};

/// One route.
pub struct Route {
    /// `GET`, `POST`, …
    pub method: &'static str,
    /// As axum writes it: `/runs/{id}`.
    pub path: &'static str,
    /// Who may ask.
    pub access: Access,
    answer: MethodRouter<Arc<AppState>>,
}

macro_rules! routes {
    ($($method:ident $path:literal $access:expr, $handler:path;)+) => {
        vec![$(Route {
            method: stringify!($method),
            path: $path,
            access: $access,
            answer: on(MethodFilter::$method, $handler),
        }),+]
    };
}

/// Every route there is. A test goes over this list, so none escapes it.
pub fn routes() -> Vec<Route> {
    use Access as A;
    routes! {
        GET "/" A::READ, pages::home;
        GET "/assets/{name}" A::Public, assets::asset;
        GET "/healthz" A::Public, operations::health::alive;
        GET "/readyz" A::Public, operations::health::ready;
        GET "/metrics" A::READ, operations::metrics::metrics;
    }
}

/// The whole service.
pub fn router(state: Arc<AppState>) -> Router {
    let mut router = Router::new();
    for Route { path, access, answer, .. } in routes() {
        let admit = from_fn_with_state((Arc::clone(&state), access), admit);
        router = router.route(path, answer.layer(admit));
    }
    router
        .fallback(nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(state.settings.body_bytes_max))
        .layer(from_fn_with_state(Arc::clone(&state), guard::in_time))
        .layer(from_fn(guard::same_site))
        .layer(from_fn_with_state(Arc::clone(&state), guard::host))
        .layer(CatchPanicLayer::custom(|_| our_fault()))
        .layer(from_fn(as_page))
        .layer(from_fn(guard::headers))
        .layer(CompressionLayer::new())
        .layer(from_fn_with_state(Arc::clone(&state), observe::observe))
        .with_state(state)
}

async fn nothing_here(uri: Uri) -> AppError {
    AppError::not_found(format!("there is nothing at {}", uri.path()))
}

async fn wrong_method() -> AppError {
    let detail = "this address does not take that method; the header Allow lists those it takes";
    AppError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
}

fn our_fault() -> axum::response::Response {
    use axum::response::IntoResponse;
    let detail = "the server failed; its log says more under this request's id";
    AppError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", detail).into_response()
}

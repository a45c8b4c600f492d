//! Every route in one list: method, path, who may ask, who answers.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::{CompressionLayer, CompressionLevel};

use crate::api::describe::Operation;
use crate::api::{
    accuracy, audit, compare, council, criteria_sets, demo, docs, document_sets, documents, events,
    gate, models, optimisations, organisations, runs, score, sessions, tokens, truth_keys, users,
};
#[cfg(feature = "oidc")]
use crate::auth::oidc;
use crate::auth::{Access, admit, form, is_safe, sign_in};
use crate::error::{AppError, as_page};
use crate::state::AppState;
use crate::{
    assets, bodies, concurrency, guard, idempotent, observe, operations, pages, response_cache,
};

/// One route.
pub struct Route {
    /// `GET`, `POST`, …
    pub method: &'static str,
    /// As axum writes it: `/runs/{id}`.
    pub path: &'static str,
    /// Who may ask.
    pub access: Access,
    /// What it takes and gives, if it is part of the API.
    pub operation: Option<Operation>,
    answer: MethodRouter<Arc<AppState>>,
}

impl Route {
    /// Whether it is a page's form that must carry the caller's token. Signing in, setting up
    /// and the theme are asked for by people whom nobody knows yet.
    pub fn takes_form(&self) -> bool {
        let is_page = self.operation.is_none();
        is_page
            && matches!(self.access, Access::To(..) | Access::Operator)
            && !is_safe(&self.method_name())
    }

    fn method_name(&self) -> Method {
        self.method.parse().expect("a method of the list below")
    }
}

/// What is asked for again and again, and follows from the database alone: these answers are kept
/// until something is written. A page that shows a clock says that it is [`response_cache::Fleeting`].
const KEPT: [&str; 13] = [
    "/",
    "/runs",
    "/runs/{run}/items/{number}",
    "/eval",
    "/eval/{run}",
    "/eval/{run}/matrix",
    "/eval/{run}/results/{number}",
    "/review",
    "/accuracy",
    "/series",
    "/series/{id}",
    "/api/v1/runs",
    "/api/v1/runs/{run}/accuracy",
];

/// What is computed anew for each who asks, a page at a time: these wait for their turn, as do
/// those whose answers are kept.
const IN_TURN: [&str; 6] = [
    "/runs/{run}",
    "/api/v1/runs/{run}",
    "/api/v1/runs/{run}/items",
    "/api/v1/runs/{run}/items/{position}",
    "/compare",
    "/api/v1/compare",
];

/// What anybody may send, whoever they are: a name and a password.
const PUBLIC_BODY_BYTES_MAX: usize = 64 << 10;

macro_rules! routes {
    ($($method:ident $path:literal $access:expr, $handler:path $(=> $operation:path)?;)+) => {
        vec![$(Route {
            method: stringify!($method),
            path: $path,
            access: $access,
            operation: None$(.or(Some($operation)))?,
            answer: on(MethodFilter::$method, $handler),
        }),+]
    };
}

/// Every route there is. A test goes over this list, so none escapes it.
pub fn routes() -> Vec<Route> {
    let mut all = of_pages();
    all.extend(of_documents_and_truth());
    all.extend(of_people_and_set_up());
    all.extend(of_identity_provider());
    all.extend(of_programs());
    all.extend(of_sets_and_people());
    all
}

fn of_pages() -> Vec<Route> {
    use Access as A;
    routes! {
        GET "/" A::READ, pages::home::home;
        POST "/samples" A::WRITE, pages::home::sample;
        POST "/theme" A::Public, pages::home::theme;
        GET "/help" A::READ, pages::home::help;
        GET "/styleguide" A::READ, pages::home::styleguide;
        GET "/runs" A::READ, pages::runs::list;
        GET "/runs/new" A::WRITE, pages::begin::form;
        POST "/runs/new" A::WRITE, pages::begin::begin;
        GET "/runs/{run}" A::READ, pages::runs::show;
        GET "/runs/{run}/progress" A::READ, pages::runs::progress;
        GET "/runs/{run}/export" A::READ, pages::runs::download;
        GET "/runs/{run}/edit" A::WRITE, pages::runs::edit_form;
        POST "/runs/{run}/edit" A::WRITE, pages::runs::edit;
        GET "/runs/{run}/delete" A::WRITE, pages::runs::delete_form;
        POST "/runs/{run}/delete" A::WRITE, pages::runs::delete;
        POST "/runs/{run}/stop" A::WRITE, pages::runs::stop;
        POST "/runs/{run}/resume" A::WRITE, pages::runs::resume;
        POST "/runs/{run}/retry" A::WRITE, pages::again::retry;
        GET "/runs/{run}/rescore" A::WRITE, pages::again::rescore_form;
        POST "/runs/{run}/rescore" A::WRITE, pages::again::rescore;
        GET "/runs/{run}/data" A::WRITE, pages::data::pairs;
        POST "/runs/{run}/data" A::WRITE, pages::data::run_pairs;
        POST "/runs/{run}/baseline" A::WRITE, pages::runs::baseline;
        POST "/runs/{run}/approve" A::WRITE, pages::runs::approve;
        GET "/runs/{run}/items/{number}" A::READ, pages::items::show;
        POST "/runs/{run}/items/{number}/comment" A::WRITE, pages::items::comment;
        POST "/runs/{run}/items/{number}/labels" A::WRITE, pages::again::labels;
        GET "/councils/{run}" A::READ, pages::councils::show;
        POST "/councils/{run}/rescore" A::WRITE, pages::councils::rescore;
        POST "/councils/{run}/understood" A::WRITE, pages::councils::understood;
        GET "/series" A::READ, pages::series::list;
        GET "/series/{id}" A::READ, pages::series::show;
        GET "/series/{id}/table.csv" A::READ, pages::series::table;
        GET "/compare" A::READ, pages::compare::show;
        GET "/compare/item" A::READ, pages::compare::item;
        GET "/compare/moved.csv" A::READ, pages::compare::moved;
        GET "/eval" A::READ, pages::eval::list;
        GET "/eval/{run}" A::READ, pages::eval::show;
        POST "/eval/{run}/assign" A::WRITE, pages::eval::assign;
        GET "/eval/{run}/lines.csv" A::READ, pages::eval::table;
        GET "/eval/{run}/matrix" A::READ, pages::eval::matrix;
        GET "/eval/{run}/results/{number}" A::READ, pages::eval::show_result;
        GET "/eval/{run}/results/{number}/original" A::READ, pages::eval::original;
        POST "/eval/{run}/results/{number}/decide" A::WRITE, pages::eval::decide;
        POST "/eval/{run}/results/{number}/revert" A::WRITE, pages::eval::revert;
        POST "/eval/{run}/results/{number}/truth" A::WRITE, pages::eval::make_truth;
    }
}

/// Documents, what analysts say about them, and searches that rest on it.
fn of_documents_and_truth() -> Vec<Route> {
    use Access as A;
    routes! {
        GET "/documents" A::READ, pages::documents::list;
        POST "/documents" A::WRITE, pages::documents::make;
        GET "/documents/{set}" A::READ, pages::documents::set;
        POST "/documents/{set}" A::WRITE, pages::documents::add;
        GET "/documents/{set}/edit" A::WRITE, pages::documents::rename_set_form;
        POST "/documents/{set}/edit" A::WRITE, pages::documents::rename_set;
        POST "/documents/{set}/archive" A::WRITE, pages::documents::archive_set;
        GET "/documents/{set}/{document}" A::READ, pages::documents::show;
        POST "/documents/{set}/{document}/replace" A::WRITE, pages::documents::replace;
        POST "/documents/{set}/{document}/rename" A::WRITE, pages::documents::rename;
        POST "/documents/{set}/{document}/archive" A::WRITE, pages::documents::archive;
        POST "/documents/{set}/{document}/delete" A::WRITE, pages::documents::delete;
        GET "/review" A::READ, pages::truth::queue;
        POST "/review" A::WRITE, pages::truth::rate;
        GET "/truth-keys" A::READ, pages::truth::list;
        POST "/truth-keys" A::WRITE, pages::truth::enter;
        POST "/truth-keys/import" A::WRITE, pages::truth::import;
        POST "/truth-keys/delete" A::WRITE, pages::truth::delete;
        GET "/truth-keys/template" A::READ, pages::truth::template;
        GET "/truth-keys/adjudicate" A::READ, pages::dispute::show;
        POST "/truth-keys/adjudicate" A::WRITE, pages::dispute::settle;
        GET "/accuracy" A::READ, pages::truth::accuracy;
        GET "/optimise" A::READ, pages::optimise::list;
        POST "/optimise" A::WRITE, pages::optimise::begin;
        GET "/optimise/{id}" A::READ, pages::optimise::show;
        POST "/optimise/{id}/resume" A::WRITE, pages::optimise::resume;
        POST "/optimise/{id}/promote" A::ADMIN, pages::optimise::promote;
    }
}

/// Pages of one's own account, and of administrators.
fn of_people_and_set_up() -> Vec<Route> {
    use Access as A;
    routes! {
        GET "/account" A::READ, pages::own::show;
        POST "/account/password" A::READ, pages::own::password;
        POST "/account/sessions" A::READ, pages::own::end_session;
        POST "/account/codes" A::READ, pages::own::codes;
        POST "/account/organisation" A::READ, pages::own::turn_to;
        POST "/account/tokens" A::READ, pages::own::make_token;
        POST "/account/tokens/revoke" A::READ, pages::own::revoke_token;
        GET "/admin/models" A::ADMIN, pages::admin::models::list;
        POST "/admin/models" A::ADMIN, pages::admin::models::test;
        GET "/admin/people" A::ADMIN, pages::admin::people::list;
        POST "/admin/people" A::ADMIN, pages::admin::people::add;
        POST "/admin/people/{name}" A::ADMIN, pages::admin::people::edit;
        GET "/admin/tokens" A::ADMIN, pages::admin::tokens::list;
        POST "/admin/tokens" A::ADMIN, pages::admin::tokens::make;
        POST "/admin/tokens/revoke" A::ADMIN, pages::admin::tokens::revoke;
        GET "/admin/audit" A::ADMIN, pages::admin::audit::list;
        GET "/admin/prompts" A::READ, pages::admin::prompts::list;
        POST "/admin/prompts" A::ADMIN, pages::admin::prompts::change;
        GET "/admin/org/eval/criteria-sets" A::READ, pages::criteria::list;
        POST "/admin/org/eval/criteria-sets" A::ADMIN, pages::criteria::import;
        GET "/admin/org/eval/criteria-sets/{id}" A::READ, pages::criteria::show;
        GET "/admin/org/eval/criteria-sets/{id}/edit" A::ADMIN, pages::criterion::rename_form;
        POST "/admin/org/eval/criteria-sets/{id}/edit" A::ADMIN, pages::criterion::rename;
        POST "/admin/org/eval/criteria-sets/{id}/archive" A::ADMIN, pages::criterion::archive;
        POST "/admin/org/eval/criteria-sets/{id}/order" A::ADMIN, pages::criterion::reorder;
        GET "/admin/org/eval/criteria-sets/{id}/criteria/new" A::ADMIN, pages::criterion::new_form;
        POST "/admin/org/eval/criteria-sets/{id}/criteria/new" A::ADMIN, pages::criterion::add;
        GET "/admin/org/eval/criteria-sets/{id}/criteria/{item}" A::ADMIN, pages::criterion::form;
        POST "/admin/org/eval/criteria-sets/{id}/criteria/{item}" A::ADMIN, pages::criterion::change;
        POST "/admin/org/eval/criteria-sets/{id}/criteria/{item}/delete" A::ADMIN, pages::criterion::delete;
        GET "/admin/org/eval/criteria-sets/{id}/table" A::ADMIN, pages::data::criteria;
        POST "/admin/org/eval/criteria-sets/{id}/table" A::ADMIN, pages::data::save_criteria;
        GET "/admin/org/eval/criteria-sets/{id}/rubric" A::READ, pages::criteria::rubric;
        POST "/admin/org/eval/criteria-sets/{id}/rubric" A::ADMIN, pages::criteria::save_rubric;
        POST "/admin/org/eval/criteria-sets/{id}/rubric/preview" A::READ, pages::criteria::rubric_preview;
        GET "/admin/org/eval/criteria-sets/{id}/response-structure" A::READ, pages::criteria::structure;
        POST "/admin/org/eval/criteria-sets/{id}/response-structure" A::ADMIN, pages::criteria::save_structure;
        POST "/admin/org/eval/criteria-sets/{id}/response-structure/preview" A::READ, pages::criteria::structure_preview;
    }
}

/// Signing in with a provider of identities.
#[cfg(feature = "oidc")]
fn of_identity_provider() -> Vec<Route> {
    use Access as A;
    routes! {
        GET "/login/oidc" A::Public, oidc::flow::begin;
        GET "/login/oidc/return" A::Public, oidc::flow::end;
        GET "/login/oidc/out" A::Public, oidc::flow::out;
    }
}

#[cfg(not(feature = "oidc"))]
fn of_identity_provider() -> Vec<Route> {
    Vec::new()
}

fn of_programs() -> Vec<Route> {
    use Access as A;
    routes! {
        GET "/login" A::Public, sign_in::page;
        POST "/login" A::Public, sign_in::login;
        POST "/logout" A::READ, sign_in::logout;
        GET "/setup" A::Public, sign_in::setup_page;
        POST "/setup" A::Public, sign_in::setup;
        GET "/assets/{name}" A::Public, assets::asset;
        GET "/healthz" A::Probe, operations::health::alive;
        GET "/readyz" A::Probe, operations::health::ready;
        GET "/metrics" A::Operator, operations::metrics::metrics;
        GET "/api/docs" A::Public, docs::to_browser;
        GET "/api/docs/" A::Public, docs::browser;
        GET "/api/v1/openapi.json" A::Public, docs::openapi;
        GET "/api/v1/runs" A::READ, runs::list::list => runs::list::LIST;
        POST "/api/v1/runs" A::WRITE, runs::create::create => runs::create::CREATE;
        GET "/api/v1/runs/{run}" A::READ, runs::list::show => runs::list::SHOW;
        PATCH "/api/v1/runs/{run}" A::WRITE, runs::edit::edit => runs::edit::EDIT;
        DELETE "/api/v1/runs/{run}" A::WRITE, runs::edit::delete => runs::edit::DELETE;
        GET "/api/v1/runs/{run}/items" A::READ, runs::items::list => runs::items::LIST;
        GET "/api/v1/runs/{run}/items/{position}" A::READ, runs::items::show => runs::items::SHOW;
        GET "/api/v1/runs/{run}/items/{position}/comments" A::READ, runs::comments::list => runs::comments::LIST;
        POST "/api/v1/runs/{run}/items/{position}/comments" A::WRITE, runs::comments::add => runs::comments::ADD;
        GET "/api/v1/runs/{run}/export" A::READ, runs::export::run => runs::export::EXPORT;
        GET "/api/v1/runs/{run}/events" A::READ, events::watch => events::EVENTS;
        POST "/api/v1/runs/{run}/start" A::WRITE, runs::edit::start => runs::edit::START;
        POST "/api/v1/runs/{run}/stop" A::WRITE, runs::edit::stop => runs::edit::STOP;
        POST "/api/v1/runs/{run}/resume" A::WRITE, runs::edit::start => runs::edit::RESUME;
        POST "/api/v1/runs/{run}/retry-unscored" A::WRITE, runs::edit::retry => runs::edit::RETRY;
        POST "/api/v1/runs/{run}/rescore" A::WRITE, runs::rescore::rescore => runs::rescore::RESCORE;
        GET "/api/v1/runs/{run}/decisions" A::READ, runs::people::decisions => runs::people::DECISIONS;
        POST "/api/v1/runs/{run}/decisions" A::WRITE, runs::people::decide => runs::people::DECIDE;
        GET "/api/v1/runs/{run}/assignments" A::READ, runs::people::assignments => runs::people::ASSIGNMENTS;
        PUT "/api/v1/runs/{run}/assignments" A::WRITE, runs::people::assign => runs::people::ASSIGN;
        GET "/api/v1/runs/{run}/labels" A::READ, runs::people::labels => runs::people::LABELS;
        PUT "/api/v1/runs/{run}/labels" A::WRITE, runs::people::rate => runs::people::RATE;
        GET "/api/v1/runs/{run}/accuracy" A::READ, accuracy::show => accuracy::SHOW;
        GET "/api/v1/compare" A::READ, compare::compare => compare::COMPARE;
        POST "/api/v1/score/retrieval" A::WRITE, score::retrieval => score::RETRIEVAL;
        POST "/api/v1/score/summary" A::WRITE, score::summary => score::SUMMARY;
        POST "/api/v1/score/compliance" A::WRITE, score::compliance => score::COMPLIANCE;
        POST "/api/v1/council/rescore" A::WRITE, council::rescore => council::RESCORE;
        POST "/api/v1/gate" A::WRITE, gate::run => gate::CHECK;
    }
}

/// Sets, documents, truth keys, models and people, for programs.
fn of_sets_and_people() -> Vec<Route> {
    use Access as A;
    routes! {
        GET "/api/v1/criteria-sets" A::READ, criteria_sets::list => criteria_sets::LIST;
        POST "/api/v1/criteria-sets" A::ADMIN, criteria_sets::import => criteria_sets::IMPORT;
        GET "/api/v1/criteria-sets/{name}" A::READ, criteria_sets::show => criteria_sets::SHOW;
        GET "/api/v1/criteria-sets/{name}/items" A::READ, criteria_sets::items => criteria_sets::ITEMS;
        GET "/api/v1/criteria-sets/{name}/versions" A::READ, criteria_sets::versions => criteria_sets::VERSIONS;
        GET "/api/v1/criteria-sets/{name}/rubric" A::READ, criteria_sets::rubric => criteria_sets::RUBRIC;
        PUT "/api/v1/criteria-sets/{name}/rubric" A::ADMIN, criteria_sets::set_rubric => criteria_sets::SET_RUBRIC;
        GET "/api/v1/criteria-sets/{name}/response-structure" A::READ, criteria_sets::structure => criteria_sets::STRUCTURE;
        PUT "/api/v1/criteria-sets/{name}/response-structure" A::ADMIN, criteria_sets::set_structure => criteria_sets::SET_STRUCTURE;
        GET "/api/v1/document-sets" A::READ, document_sets::list => document_sets::LIST;
        POST "/api/v1/document-sets" A::WRITE, document_sets::make => document_sets::MAKE;
        GET "/api/v1/document-sets/{name}" A::READ, document_sets::show => document_sets::SHOW;
        POST "/api/v1/document-sets/{name}/documents" A::WRITE, document_sets::upload => document_sets::UPLOAD;
        GET "/api/v1/documents/{id}" A::READ, documents::show => documents::SHOW;
        GET "/api/v1/documents/{id}/text" A::READ, documents::text => documents::TEXT;
        GET "/api/v1/documents/{id}/original" A::READ, documents::original => documents::ORIGINAL;
        GET "/api/v1/truth-keys" A::READ, truth_keys::list => truth_keys::LIST;
        POST "/api/v1/truth-keys" A::WRITE, truth_keys::import => truth_keys::IMPORT;
        GET "/api/v1/optimisations" A::READ, optimisations::list => optimisations::LIST;
        POST "/api/v1/optimisations" A::WRITE, optimisations::create => optimisations::CREATE;
        GET "/api/v1/optimisations/{id}" A::READ, optimisations::show => optimisations::SHOW;
        POST "/api/v1/optimisations/{id}/resume" A::WRITE, optimisations::resume => optimisations::RESUME;
        GET "/api/v1/models" A::READ, models::list => models::LIST;
        POST "/api/v1/models/test" A::WRITE, models::test => models::TEST;
        POST "/api/v1/demo" A::WRITE, demo::make => demo::MAKE;
        GET "/api/v1/organisations" A::READ, organisations::list => organisations::LIST;
        POST "/api/v1/organisations" A::Operator, organisations::make => organisations::MAKE;
        GET "/api/v1/day-budget" A::READ, organisations::day_budget => organisations::DAY_BUDGET;
        GET "/api/v1/me" A::READ, users::me => users::ME;
        PUT "/api/v1/me/password" A::READ, sessions::password => sessions::PASSWORD;
        GET "/api/v1/me/sessions" A::READ, sessions::list => sessions::LIST;
        DELETE "/api/v1/me/sessions/{id}" A::READ, sessions::end => sessions::END;
        GET "/api/v1/users" A::ADMIN, users::list => users::LIST;
        POST "/api/v1/users" A::ADMIN, users::add => users::ADD;
        PATCH "/api/v1/users/{name}" A::ADMIN, users::edit => users::EDIT;
        DELETE "/api/v1/users/{name}" A::ADMIN, users::remove => users::REMOVE;
        DELETE "/api/v1/users/{name}/sessions" A::ADMIN, users::sign_out => users::SIGN_OUT;
        GET "/api/v1/tokens" A::ADMIN, tokens::list => tokens::LIST;
        POST "/api/v1/tokens" A::ADMIN, tokens::make => tokens::MAKE;
        DELETE "/api/v1/tokens/{id}" A::ADMIN, tokens::revoke => tokens::REVOKE;
        GET "/api/v1/audit" A::ADMIN, audit::list => audit::LIST;
        GET "/api/v1/audit/verify" A::ADMIN, audit::verify => audit::VERIFY;
        GET "/api/v1/audit/export" A::ADMIN, audit::export => audit::EXPORT;
    }
}

/// The whole service.
pub fn router(state: Arc<AppState>) -> Router {
    let mut router = Router::new();
    for route in routes() {
        let admit = from_fn_with_state((Arc::clone(&state), route.access), admit);
        let once = from_fn_with_state(Arc::clone(&state), idempotent::once);
        let takes_form = route.takes_form();
        let mut answer = route.answer.layer(once);
        let is_kept = KEPT.contains(&route.path);
        if route.method == "GET" && (is_kept || IN_TURN.contains(&route.path)) {
            answer = answer
                .layer(from_fn_with_state(Arc::clone(&state), concurrency::limit_concurrency));
        }
        if is_kept {
            answer = answer.layer(from_fn_with_state(Arc::clone(&state), response_cache::keep));
        }
        if takes_form {
            answer = answer.layer(from_fn(form::own));
        }
        if matches!(route.access, Access::Public) {
            answer = answer.layer(DefaultBodyLimit::max(PUBLIC_BODY_BYTES_MAX));
        } else {
            answer = answer.layer(from_fn_with_state(Arc::clone(&state), bodies::in_memory));
        }
        if route.method == "GET" && pages::aliases::has_names(route.path) {
            answer = answer.layer(from_fn_with_state(Arc::clone(&state), pages::aliases::redirect));
        }
        router = router.route(route.path, answer.layer(admit));
    }
    router
        .fallback(nothing_here)
        .method_not_allowed_fallback(wrong_method)
        .layer(DefaultBodyLimit::max(state.settings.body_bytes_max))
        .layer(from_fn_with_state(Arc::clone(&state), bodies::limited))
        .layer(from_fn_with_state(Arc::clone(&state), guard::in_time))
        .layer(from_fn(guard::same_site))
        .layer(from_fn_with_state(Arc::clone(&state), guard::host))
        .layer(CatchPanicLayer::custom(|_| AppError::our_fault().into_response()))
        .layer(from_fn_with_state(Arc::clone(&state), as_page))
        .layer(from_fn(guard::headers))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(from_fn_with_state(Arc::clone(&state), observe::observe))
        .with_state(state)
}

async fn nothing_here(uri: Uri) -> AppError {
    AppError::not_found(format!("nothing was found at {}", uri.path()))
}

async fn wrong_method() -> AppError {
    let detail = "this address does not support that method; see the Allow header";
    AppError::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", detail)
}

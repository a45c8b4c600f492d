//! Models that can be asked, and whether they answer.

use std::sync::Arc;

use assize_engine::asking::AskOptions;
use assize_page::app::Here;
use assize_page::app::admin::models::{self, ModelsView};
use assize_wire::models::ModelTested;
use axum::extract::{Form, State};
use maud::Markup;

use crate::api::models::tested;
use crate::error::{AppError, Result};
use crate::pages::context::PageContext;
use crate::pages::forms::{Pairs, value};
use crate::state::AppState;

/// `GET /admin/models`.
pub(crate) async fn list(State(state): State<Arc<AppState>>, caller_view: PageContext) -> Markup {
    shown(&state, &caller_view, None)
}

/// `POST /admin/models`: asks one of them a harmless question.
pub(crate) async fn test(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Form(form): Pairs,
) -> Markup {
    let name = value(&form, "model").trim().to_owned();
    let answer =
        greeted(&state, &caller_view, &name).await.map_err(|error| error.detail().to_owned());
    shown(&state, &caller_view, Some((name, answer)))
}

type Tested = Option<(String, Result<String, String>)>;

fn shown(state: &AppState, caller_view: &PageContext, tested: Tested) -> Markup {
    let settings = &state.settings.models;
    let AskOptions { budget, concurrency, reply_timeout, .. } = &settings.options;
    let view = ModelsView {
        allowed: settings.allowed.clone(),
        budget: budget.as_ref().map(ToString::to_string),
        concurrency: *concurrency,
        patience_seconds: reply_timeout.as_secs(),
        tested,
    };
    let content = models::content(&settings.config.to_wire(), &view);
    caller_view.page(Here::Models, "Models", &content)
}

async fn greeted(state: &AppState, caller_view: &PageContext, name: &str) -> Result<String> {
    let model =
        name.parse().map_err(|_| AppError::bad_input("enter the model as provider/model"))?;
    let ModelTested { answer, tokens, failure, .. } =
        tested(state, caller_view.workspace.clone(), model).await?;
    match (answer, failure) {
        (Some(word), _) => Ok(format!("“{word}”, {} tokens", tokens.unwrap_or_default())),
        (None, failure) => Err(AppError::refused(failure.unwrap_or_default())),
    }
}

//! Models that can be asked, and whether they answer.

use std::sync::Arc;
use std::time::Duration;

use assize_engine::asking::{AskOptions, AskSession, JudgeName, ModelName, NoAnswer};
use assize_page::app::Here;
use assize_page::app::admin::models::{self, ModelsView};
use axum::extract::{Form, State};
use maud::Markup;

use crate::error::{AppError, told};
use crate::pages::context::PageContext;
use crate::pages::forms::{Pairs, value};
use crate::state::AppState;
use crate::work::apart;

/// How long a reply to one harmless question may take: less than the request itself may.
const PATIENCE: Duration = Duration::from_secs(30);

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
    let answer = greeted(&state, &name).await.map_err(|error| error.detail().to_owned());
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

async fn greeted(state: &AppState, name: &str) -> Result<String, AppError> {
    let model: ModelName =
        name.parse().map_err(|_| AppError::bad_input("enter the model as provider/model"))?;
    let (models, stop) = (state.settings.models.clone(), state.stop.clone());
    models.allows(&JudgeName::Model(model.clone()))?;
    apart(move || async move {
        let options = AskOptions { reply_timeout: PATIENCE, ..models.options };
        let session = AskSession::over(None, &options, models.config, stop, |_| {}).await;
        let session = session.map_err(|error| told(&error))?;
        let judge =
            session.judge(&model).map_err(|error| AppError::bad_input(error.to_string()))?;
        let answered = session.greet(&judge).await;
        let answered = answered.map_err(|none| match none {
            NoAnswer::Unscored(unscored) => AppError::refused(unscored.because),
            NoAnswer::Halt(halt) => AppError::refused(halt.to_string()),
        })?;
        Ok(format!("“{}”, {} tokens", answered.answer.word, answered.usage.total()))
    })
    .await
}

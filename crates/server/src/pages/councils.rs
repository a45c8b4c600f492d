//! Councils: asked from a form, watched while they are held, and read when they are done.

use std::collections::BTreeMap;
use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::asking::{AskSession, Stop};
use assize_engine::council::{
    CouncilRequest, CouncilRun, Hearing, SafetyGate, Supplied, WeightChoices, estimate, rescored,
    wire,
};
use assize_engine::runs::RescoreRequest;
use assize_engine::runs::council::StoredCouncil;
use assize_engine::store::{Instrument, Run};
use assize_methods::council::{Dimension, Profile};
use assize_page::app::council::{CouncilPage, Tried};
use assize_page::app::new_council::{CouncilCheck, NewCouncil};
use assize_page::app::{Here, council, council_live};
use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::Markup;

use super::begin::judges;
use super::context::PageContext;
use super::forms::{Pairs, QueryPairs, Upload, go, number, value, values};
use super::wizard::nanodollars;
use crate::api::council as api;
use crate::background;
use crate::error::{AppError, to_app_error};
use crate::state::{AppState, ModelSettings};
use crate::work::{compute, offload};

/// What a form offers, with what was chosen in it.
pub(super) fn form(state: &AppState, chosen: Option<NewCouncil>) -> NewCouncil {
    let models = &state.settings.models;
    let operator = &models.councils.request;
    let configured = operator.members.iter().chain(&operator.reviewers).chain(&operator.chair);
    let mut offered: Vec<String> = configured.cloned().collect();
    offered.extend(judges(state).into_iter().filter(|name| name != "rules"));
    let mut seen = std::collections::BTreeSet::new();
    offered.retain(|name| seen.insert(name.clone()) && can_be_asked(models, name));
    let as_configured = || NewCouncil {
        members: operator.members.clone(),
        reviewers: operator.reviewers.clone(),
        chair: operator.chair.clone().unwrap_or_default(),
        ..NewCouncil::default()
    };
    let mut form = chosen.unwrap_or_else(as_configured);
    form.models = offered;
    form.profiles = Profile::names().into_iter().map(ToOwned::to_owned).collect();
    form.gates = gates(operator);
    form
}

/// Whether the operator allows a model, and its provider and key are configured.
pub(super) fn can_be_asked(models: &ModelSettings, typed: &str) -> bool {
    let Ok(participant) = typed.parse::<assize_engine::council::Participant>() else {
        return false;
    };
    let name = participant.model;
    models.allows_models(std::iter::once(name.to_string())).is_ok()
        && models.config.endpoints.is_usable(name.provider())
}

/// What can be said of the safety gate: where the operator turned it on, nobody turns it off.
fn gates(operator: &CouncilRequest) -> Vec<(String, String)> {
    let is_on = operator.safety_gate.is_some_and(|gate| gate != SafetyGate::Off);
    let all = [
        ("", if is_on { "As configured (on)" } else { "Off" }),
        ("rules", "By rules"),
        ("learned", "By rules and a classifier"),
    ];
    all.map(|(word, words)| (word.to_owned(), words.to_owned())).into()
}

/// What a form says, as it is shown again.
pub(super) fn chosen(upload: &Upload) -> Result<NewCouncil, AppError> {
    let field = |name: &str| value(&upload.fields, name).trim().to_owned();
    let listed = |name: &str, others: &str| {
        let others = value(&upload.fields, others).split([',', '\n']).map(str::trim);
        let others = others.filter(|one| !one.is_empty()).map(ToOwned::to_owned);
        values(&upload.fields, name).into_iter().chain(others).collect()
    };
    let answers = match upload.peek("answers_file") {
        None => field("answers"),
        Some(file) => String::from_utf8(file.bytes.clone())
            .map_err(|_| AppError::bad_input(format!("{}: not UTF-8 text", file.name)))?,
    };
    let chair = field("other_chair");
    Ok(NewCouncil {
        name: field("name"),
        question: field("question"),
        answers,
        members: listed("member", "other_members"),
        reviewers: listed("reviewer", "other_reviewers"),
        chair: if chair.is_empty() { field("chair") } else { chair },
        profile: field("profile"),
        gate: field("safety_gate"),
        ..NewCouncil::default()
    })
}

/// What was chosen, as a request and what it is about. The operator's policy holds.
fn hearing(models: &ModelSettings, chosen: &NewCouncil) -> Result<Hearing, AppError> {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let gate = some(&chosen.gate).map(|gate| gate.parse::<SafetyGate>()).transpose();
    let answers = some(&chosen.answers).map(|text| {
        Supplied::from_text("answers".as_ref(), &text).map_err(|error| to_app_error(&error))
    });
    let request = CouncilRequest {
        // Whoever brings answers asks no members, ticked or not.
        members: if answers.is_some() { Vec::new() } else { chosen.members.clone() },
        reviewers: chosen.reviewers.clone(),
        chair: some(&chosen.chair),
        profile: some(&chosen.profile),
        safety_gate: gate.map_err(AppError::bad_input)?,
        ..CouncilRequest::default()
    };
    api::hearing(models, Some(&chosen.question), answers.transpose()?, request)
}

/// Looks at what was chosen and what it would take; nobody is asked yet.
pub(super) async fn check(
    state: &Arc<AppState>,
    upload: &Upload,
) -> Result<CouncilCheck, AppError> {
    let chosen = chosen(upload)?;
    let (models, asked) = (state.settings.models.clone(), chosen.clone());
    let hearing = compute(move || hearing(&models, &asked)).await?;
    let mut check = CouncilCheck {
        chosen: NewCouncil { question: hearing.question.clone(), ..chosen },
        authors: hearing.authors().into_iter().map(ToOwned::to_owned).collect(),
        reviewers: hearing.reviewers.iter().map(ToString::to_string).collect(),
        chair: hearing.chair.as_ref().map(ToString::to_string),
        ..CouncilCheck::default()
    };
    // What it would cost is worth knowing even if nobody can be asked yet.
    if let Err(error) = background::check_models(state, hearing.models()).await {
        check.problem = Some(error.detail().to_owned());
    }
    let models = &state.settings.models;
    let (options, config) = (models.options.clone().sending_nothing(), models.config.clone());
    let store = Some(Arc::clone(&state.store));
    let session = AskSession::over(store, &options, config, Stop::default(), |_| {}).await;
    let session = session.map_err(|error| to_app_error(&error))?;
    let (about, of) = (hearing.clone(), session);
    let found = offload(move || async move {
        let found = estimate(&of, &about).await.map_err(|halt| to_app_error(&halt))?;
        Ok(wire::estimate(&found, &about))
    });
    match found.await {
        Ok(found) => check.estimate = Some(found),
        Err(error) => {
            check.problem.get_or_insert_with(|| error.detail().to_owned());
        }
    }
    Ok(check)
}

/// Plans the council, and has it held.
pub(super) async fn start(
    state: &Arc<AppState>,
    workspace: Workspace,
    upload: &Upload,
) -> Result<Run, AppError> {
    let chosen = chosen(upload)?;
    let budget = number(value(&upload.fields, "budget"), "the budget")?;
    if budget.is_some_and(|dollars| dollars < 0.0) {
        return Err(AppError::bad_input("the budget must not be negative"));
    }
    let (models, asked) = (state.settings.models.clone(), chosen.clone());
    let hearing = compute(move || hearing(&models, &asked)).await?;
    background::check_models(state, hearing.models()).await?;
    let name = Some(chosen.name.as_str()).filter(|name| !name.is_empty());
    let run = workspace.plan_council(&hearing, name, budget.map(nanodollars)).await?;
    background::start(state, &workspace, &run).await?;
    Ok(run)
}

/// `GET /councils/{run}`: how far it is, or what it came to, counted by the weights in the
/// address if there are any.
pub(crate) async fn show(
    caller_view: PageContext,
    Path(name): Path<String>,
    Query(query): QueryPairs,
) -> Result<Markup, AppError> {
    let (run, stored) = found(&caller_view, &name).await?;
    match stored {
        StoredCouncil::Held(held) => verdict(&caller_view, &run, *held, (&query, None)).await,
        StoredCouncil::Planned(hearing) => {
            let workspace = &caller_view.workspace;
            let live = council_live::LiveCouncil {
                run: workspace.run_entry(&run).await?,
                question: hearing.question,
                steps: workspace.council_steps(&run).await?,
                bill: workspace.run_bill(&run).await?,
            };
            let content = council_live::content(&live, caller_view.can_write());
            Ok(caller_view.page(Here::Councils, &live.question, &content))
        }
    }
}

async fn found(caller_view: &PageContext, name: &str) -> Result<(Run, StoredCouncil), AppError> {
    let run = caller_view.workspace.find_run(name).await?;
    if run.instrument != Instrument::Council {
        return Err(AppError::not_found(format!("run #{} is not a council run", run.number)));
    }
    let stored = caller_view.workspace.stored_council(&run).await?;
    Ok((run, stored))
}

async fn verdict(
    caller_view: &PageContext,
    run: &Run,
    held: CouncilRun,
    (weights, problem): (&[(String, String)], Option<String>),
) -> Result<Markup, AppError> {
    let workspace = &caller_view.workspace;
    let weights = chosen_weights(weights)?;
    let request = CouncilRequest { weights, ..CouncilRequest::default() };
    let is_changed = request.weights.is_some();
    let (counted, refused) = match rescored(&held, &request) {
        Ok(counted) => (counted, None),
        Err(error) => (held, Some(error.to_string())),
    };
    let problem = problem.or(refused);
    let page = CouncilPage {
        run: workspace.run_entry(run).await?,
        council: counted.to_wire(counted.verdict()),
        tried: match (problem, is_changed) {
            (Some(problem), _) => Tried::Refused(problem),
            (None, true) => Tried::Weights,
            (None, false) => Tried::Nothing,
        },
        bill: workspace.run_bill(run).await?,
        readers: workspace.understood(run).await?,
    };
    let content = council::content(&page, caller_view.can_write());
    Ok(caller_view.page(Here::Councils, &page.council.question, &content))
}

fn chosen_weights(fields: &[(String, String)]) -> Result<Option<WeightChoices>, AppError> {
    let mut weights = BTreeMap::new();
    for (field, text) in fields {
        if let Some(dimension) = Dimension::named(field) {
            weights.extend(number(text, field)?.map(|weight| (dimension, weight)));
        }
    }
    Ok((!weights.is_empty()).then_some(WeightChoices(weights)))
}

/// `POST /councils/{run}/rescore`: keeps the weights that were tried as a new version.
pub(crate) async fn rescore(
    State(state): State<Arc<AppState>>,
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let run = caller_view.workspace.find_run(&name).await?;
    let council = CouncilRequest { weights: chosen_weights(&form)?, ..CouncilRequest::default() };
    if council.weights.is_none() {
        return Err(AppError::bad_input("nothing would change: give other weights"));
    }
    let reason = Some(value(&form, "reason").trim()).filter(|reason| !reason.is_empty());
    let reason = Some(reason.unwrap_or("other weights").to_owned());
    let request = RescoreRequest { reason, council, ..RescoreRequest::default() };
    let request = request.under(state.settings.models.councils.request.clone());
    let (workspace, asked) = (caller_view.workspace.clone(), run.clone());
    let done = offload(move || async move { Ok(workspace.rescore(&asked, &request).await?) });
    match done.await {
        Ok(_) => Ok(go(&format!("/councils/{}", run.number), "rescored").into_response()),
        Err(error) if error.status() == StatusCode::UNPROCESSABLE_ENTITY => {
            let held = caller_view.workspace.council_of(&run).await?;
            let why = Some(error.detail().to_owned());
            let page = verdict(&caller_view, &run, held, (&[], why)).await?;
            Ok((error.status(), page).into_response())
        }
        Err(error) => Err(error),
    }
}

/// `POST /councils/{run}/understood`: what a reader says about the ranking.
pub(crate) async fn understood(
    caller_view: PageContext,
    Path(name): Path<String>,
    Form(form): Pairs,
) -> Result<Response, AppError> {
    let (run, stored) = found(&caller_view, &name).await?;
    if !matches!(stored, StoredCouncil::Held(_)) {
        return Err(AppError::refused(format!(
            "the council of run #{} is not finished",
            run.number
        )));
    }
    caller_view.workspace.say_understood(&run, value(&form, "understood")).await?;
    Ok(go(&format!("/councils/{}", run.number), "answered").into_response())
}

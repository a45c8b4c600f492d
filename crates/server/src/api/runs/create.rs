//! Runs from content that a caller hands over, or from sets that are kept.

use std::sync::Arc;

use assize_engine::Workspace;
use assize_engine::asking::{AskError, JudgeName};
use assize_engine::compliance::ComplianceRequest;
use assize_engine::compliance::evaluate::Evaluation;
use assize_engine::council::{CouncilRequest, Supplied, rescored_under};
use assize_engine::request::Asked;
use assize_engine::runs::{council as councils, retrieval, summary as summaries};
use assize_engine::store::Run;
use assize_engine::summary::input::Place;
use assize_engine::summary::{Judge, Judged, Pair, SummaryRequest};
use assize_wire::runs::RunEntry;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::api::council;
use crate::api::describe::Operation;
use crate::api::extract;
use crate::api::score::RetrievalInput;
use crate::auth::Org;
use crate::background;
use crate::error::{AppError, Result, to_app_error};
use crate::state::AppState;
use crate::work::compute;

/// Pairs in one request; more come as several runs, or from files on the command line.
const PAIRS_MAX: usize = 10_000;

/// A run to create.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "instrument", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Create {
    /// Scored and saved immediately.
    Retrieval {
        /// The name of the run.
        name: Option<String>,
        /// What to score, and how.
        input: Box<RetrievalInput>,
    },
    /// Judged immediately by rules, or in the background by models.
    Summary(Box<Asked<SummaryPairs, SummaryRequest>>),
    /// Evaluated in the background.
    Compliance(Box<Asked<ComplianceSets, ComplianceRequest>>),
    /// Held in the background by models; a record of a finished one is calculated and saved
    /// immediately.
    Council(Box<Asked<CouncilInput, CouncilRequest>>),
}

/// A question for a council, answers to review, or the record of a council that was held.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CouncilInput {
    /// The name of the run.
    name: Option<String>,
    /// The question, unless it is included with the answers.
    question: Option<String>,
    /// Answers to review instead of asking members, in any form that `assize council review`
    /// reads.
    answers: Option<Value>,
    /// A record, as stored in a council file.
    record: Option<Map<String, Value>>,
    /// The most that it may cost in its life, in billionths of a dollar.
    budget_nanodollars: Option<u64>,
}

/// Documents and criteria that are there.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComplianceSets {
    /// The name of a criteria set.
    criteria_set: String,
    /// The name of a document set; all its documents are evaluated.
    document_set: String,
}

/// Summaries to judge.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SummaryPairs {
    /// The name of the run.
    name: Option<String>,
    /// The pairs to judge.
    pairs: Vec<SummaryPair>,
}

/// A summary and its article.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SummaryPair {
    /// An ID for the pair.
    id: Option<String>,
    /// The whole text of the article.
    article: String,
    /// The whole text of the summary.
    summary: String,
}

pub(crate) const CREATE: Operation =
    Operation::new("Create a run of any instrument").body::<Create>().gives::<RunEntry>(201);

/// `POST /api/v1/runs`.
pub(crate) async fn create(
    State(state): State<Arc<AppState>>,
    Org(workspace): Org,
    extract::Json(asked): extract::Json<Create>,
) -> Result<(StatusCode, [(axum::http::HeaderName, String); 1], Json<RunEntry>)> {
    let run = match asked {
        Create::Retrieval { name, input } => retrieve(&workspace, name.as_deref(), *input).await?,
        Create::Summary(asked) => {
            let Asked { content, request } = *asked;
            check_judge(&state, &request.judge).await?;
            summarise(&state, &workspace, request, content).await?
        }
        Create::Compliance(asked) => {
            let Asked { content, mut request } = *asked;
            request.check().map_err(|error| to_app_error(&AskError::from(error)))?;
            let judge = match request.judge.take() {
                Some(judge) => judge,
                None => workspace.default_judge(&content.criteria_set).await?,
            };
            check_judge(&state, &judge).await?;
            request.judge = Some(judge);
            evaluate(&state, &workspace, content, request).await?
        }
        Create::Council(asked) => hold(&state, &workspace, *asked).await?,
    };
    let entry = workspace.run_entry(&run).await?;
    let place = [(LOCATION, format!("/api/v1/runs/{}", run.number))];
    Ok((StatusCode::CREATED, place, Json(entry)))
}

/// Refuses a judge that this server may not ask, or cannot.
async fn check_judge(state: &AppState, judge: &JudgeName) -> Result<()> {
    state.settings.models.allows(judge)?;
    background::check_judge(state, judge).await
}

/// Saves a council that was held, or has one held.
async fn hold(
    state: &Arc<AppState>,
    workspace: &Workspace,
    Asked { content, request }: Asked<CouncilInput, CouncilRequest>,
) -> Result<Run> {
    let CouncilInput { name, question, answers, record, budget_nanodollars } = content;
    let models = state.settings.models.clone();
    let Some(record) = record else {
        let hearing = compute(move || {
            let answers = answers.map(|answers| {
                let supplied = Supplied::from_text("answers".as_ref(), &answers.to_string());
                supplied.map_err(|error| to_app_error(&error))
            });
            council::hearing(&models, question.as_deref(), answers.transpose()?, request)
        })
        .await?;
        background::check_models(state, hearing.models()).await?;
        let run = workspace.plan_council(&hearing, name.as_deref(), budget_nanodollars).await?;
        background::start(state, workspace, &run).await?;
        return Ok(run);
    };
    if question.is_some() || answers.is_some() || budget_nanodollars.is_some() {
        let because = "record: a finished council has its question and answers, and costs nothing";
        return Err(AppError::bad_input(because));
    }
    request.check_remote().map_err(|error| AppError::bad_input(error.to_string()))?;
    let council = compute(move || {
        let operator = &models.councils;
        let council = council::read(record, operator)?;
        rescored_under(&council, &request, &operator.request).map_err(|error| to_app_error(&error))
    })
    .await?;
    let draft = councils::draft(&council)?;
    let items = councils::items(&council.verdict())?;
    Ok(workspace.save(draft, name.as_deref(), &items).await?)
}

async fn retrieve(workspace: &Workspace, name: Option<&str>, input: RetrievalInput) -> Result<Run> {
    let (draft, items) = compute(move || {
        let report = input.score()?;
        let draft = retrieval::draft_of_values(&input.settings, &input.predictions, &input.gold)?;
        Ok((draft, retrieval::items(&report.board)))
    })
    .await?;
    Ok(workspace.save(draft, name, &items).await?)
}

async fn summarise(
    state: &Arc<AppState>,
    workspace: &Workspace,
    request: SummaryRequest,
    SummaryPairs { name, pairs }: SummaryPairs,
) -> Result<Run> {
    let name = name.as_deref();
    if pairs.is_empty() || pairs.len() > PAIRS_MAX {
        return Err(AppError::bad_input(format!("pairs: must have 1 to {PAIRS_MAX} entries")));
    }
    let settings = request.settings().map_err(|error| to_app_error(&error))?;
    let draft = summaries::draft(&request)?;
    if settings.judge == Judge::Rules {
        let items = compute(move || {
            let mut items = Vec::with_capacity(pairs.len());
            for (place, pair) in pairs.into_iter().enumerate() {
                let judged = Judged::of(pair.id.clone(), pair.into(), settings);
                let verdict = summaries::verdict(settings.framework, &judged)?;
                items.push((summaries::item(&judged, place)?, verdict));
            }
            Ok(items)
        })
        .await?;
        return Ok(workspace.save(draft, name, &items).await?);
    }
    let mut items = Vec::with_capacity(pairs.len());
    for (place, pair) in pairs.into_iter().enumerate() {
        let id = pair.id.clone();
        let evidence = Err("not judged yet".to_owned());
        let judged = Judged { id, pair: Some(pair.into()), evidence, trail: None };
        items.push(summaries::item(&judged, place)?);
    }
    let run = workspace.plan_run(draft, name, &items).await?;
    background::start(state, workspace, &run).await?;
    Ok(run)
}

/// Judges other pairs with the request of a run, as a run of its own.
pub(crate) async fn judge_again(
    state: &Arc<AppState>,
    workspace: &Workspace,
    run: &Run,
    (name, rows): (&str, &[[String; 3]]),
) -> Result<Run> {
    let request = summaries::request(run)?;
    check_judge(state, &request.judge).await?;
    let pairs = rows.iter().cloned().map(|[id, article, summary]| SummaryPair {
        id: Some(id.trim().to_owned()).filter(|id| !id.is_empty()),
        article,
        summary,
    });
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    summarise(state, workspace, request, SummaryPairs { name, pairs: pairs.collect() }).await
}

impl From<SummaryPair> for Pair {
    fn from(pair: SummaryPair) -> Self {
        let SummaryPair { article, summary, .. } = pair;
        Self { place: Place::Line(1), article, summary, record: Value::Null }
    }
}

async fn evaluate(
    state: &Arc<AppState>,
    workspace: &Workspace,
    sets: ComplianceSets,
    request: ComplianceRequest,
) -> Result<Run> {
    let evaluation = Evaluation {
        criteria: sets.criteria_set,
        criteria_file: None,
        documents: sets.document_set,
        document_files: Vec::new(),
        request,
    };
    let planned = {
        let workspace = workspace.clone();
        crate::work::offload(move || async move {
            Ok(workspace.begin(evaluation, 0, &mut |_| {}).await?)
        })
        .await?
    };
    let run = super::named(workspace, planned.id.as_str()).await?;
    background::start(state, workspace, &run).await?;
    Ok(run)
}

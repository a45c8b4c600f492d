//! One item of a run, whatever its instrument.

use assize_engine::store::{Instrument, Run};
use assize_engine::summary::calibration::Calibrations;
use assize_engine::workplace::items::workings;
use assize_page::app::{Here, again, item};
use assize_page::repeats::side_by_side;
use assize_wire::workplace::LabelsView;
use axum::extract::{Form, Path};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::context::PageContext;
use super::forms::{Pairs, go, value};
use crate::error::Result;
use crate::work::compute;

/// `GET /runs/{run}/items/{number}`.
pub(crate) async fn show(
    caller_view: PageContext,
    Path((name, number)): Path<(String, i64)>,
) -> Result<Response> {
    let run = caller_view.workspace.find_run(&name).await?;
    match run.instrument {
        Instrument::Compliance => {
            let address = format!("/eval/{}/results/{number}", run.number);
            return Ok(Redirect::to(&address).into_response());
        }
        Instrument::Council => {
            let address = format!("/councils/{}#answer-{}", run.number, number - 1);
            return Ok(Redirect::to(&address).into_response());
        }
        Instrument::Retrieval | Instrument::Summary => {}
    }
    if run.instrument == Instrument::Summary {
        let labels = caller_view.workspace.labels_view(&run, number, &[]).await?;
        return summary_page(&caller_view, &run, number, labels).await;
    }
    let found = caller_view.workspace.item_view(&run, number).await?;
    let inner = query(&caller_view, &run, &found).await?;
    let content = item::content(&found, &inner, caller_view.can_write());
    Ok(caller_view.page(Here::Retrieval, &found.subject, &content).into_response())
}

/// The page of a pair; `labels` are those of its claims, or those that somebody tries.
pub(super) async fn summary_page(
    caller_view: &PageContext,
    run: &Run,
    number: i64,
    labels: Option<LabelsView>,
) -> Result<Response> {
    let found = caller_view.workspace.item_view(run, number).await?;
    let pair = pair(caller_view, run, number).await?;
    let repeats = caller_view.workspace.repeats_of(run, number).await?;
    let address = format!("/runs/{}/items/{number}/labels", run.number);
    let can_write = caller_view.can_write();
    let inner = html! {
        @if let Some(labels) = &labels { (again::way_to_labels(labels, can_write)) }
        (pair)
        (side_by_side(&repeats))
        @if let Some(labels) = &labels { (again::labels(labels, &address, can_write)) }
    };
    let content = item::content(&found, &inner, can_write);
    Ok(caller_view.page(Here::Summaries, &found.subject, &content).into_response())
}

async fn query(
    caller_view: &PageContext,
    run: &Run,
    found: &assize_wire::workplace::ItemView,
) -> Result<Markup> {
    let subject = found.subject.clone();
    let workings = match caller_view.workspace.scored_from(run).await {
        Ok(from) => compute(move || Ok(workings(from, &subject))).await?,
        Err(error) => Err(error),
    };
    Ok(match workings {
        Ok((verdicts, texts)) => item::retrieval(found, Ok((&verdicts, &texts))),
        Err(error) => item::retrieval(found, Err(&error.to_string())),
    })
}

async fn pair(caller_view: &PageContext, run: &Run, number: i64) -> Result<Markup> {
    let (judged, settings) = caller_view.workspace.summary_item(run, number).await?;
    let Some(judged) = judged else { return Ok(item::summary(Err("not judged yet"))) };
    let place = usize::try_from(number).unwrap_or(1);
    Ok(match judged.to_card(place, settings, &Calibrations::default()) {
        Ok(card) => item::summary(Ok(&card)),
        Err(because) => item::summary(Err(&because)),
    })
}

/// `POST /runs/{run}/items/{number}/comment`.
pub(crate) async fn comment(
    caller_view: PageContext,
    Path((name, number)): Path<(String, i64)>,
    Form(form): Pairs,
) -> Result<Redirect> {
    let run = caller_view.workspace.find_run(&name).await?;
    caller_view.workspace.comment(&run, number, value(&form, "words")).await?;
    Ok(go(&format!("/runs/{}/items/{number}", run.number), "commented"))
}

//! Pairs judged by models as a run: every pair is stored before the first one is judged, so that
//! the run can go on elsewhere, and several processes may share it.

use std::sync::Arc;

use anyhow::{Context, Result};
use assize_engine::Workspace;
use assize_engine::asking::{AskSession, Config, Stop};
use assize_engine::runs::summary::{Worked, draft, item};
use assize_engine::store::{NewItem, Run};
use assize_engine::summary::batches::{Progress, read_record};
use assize_engine::summary::model::SummaryJudge;
use assize_engine::summary::{Judged, Settings};

use super::args::Arguments;
use super::by_model::end;
use super::keep::Keeper;
use super::line::Line;
use super::many::Printer;
use super::pair_of_files;
use crate::commands::evaluate::session::halted;
use crate::exit::Done;
use crate::output::asking::{bill, tell};
use crate::output::progress::Stage;
use crate::output::terminal;
use crate::save_args;

/// Stores the pairs, judges them, and prints them in the order of the file.
pub(super) async fn run(arguments: &Arguments, config: Config, stop: Stop) -> Result<Done> {
    let asking = &arguments.asking;
    let workspace = save_args::workspace(asking.place()).await?;
    let (store, options) = (Arc::clone(&workspace.store), asking.to_options());
    let session = AskSession::over(Some(store), &options, config, stop, tell).await?;
    let request = arguments.request.clone().by_recorded_model(&session)?;
    let judge = SummaryJudge::new(session, &request)?;
    let draft = draft(&request)?;
    let run = workspace.plan_run(draft, arguments.save.name(), &items(arguments)?).await?;
    save_args::saved(&run);
    let stage = Stage::of(usize::try_from(run.items).unwrap_or(usize::MAX), "judging");
    let worked = Box::pin(workspace.work_on_summaries(&run, &judge, |done| {
        stage.advance_to(usize::try_from(done).unwrap_or_default());
    }))
    .await?;
    drop(stage);
    terminal::notice(&bill(&judge.account()));
    drop(judge);
    let run = workspace.find_run(run.id.as_str()).await?;
    let done = match &worked.halt {
        Some(halt) => {
            let count = |number: i64| u64::try_from(number).unwrap_or_default();
            let number = run.number.to_string();
            halted(halt, &number, count(run.items_done), count(run.items))
        }
        None => print(&workspace, &run, worked, request.settings()?, arguments).await?,
    };
    workspace.close().await;
    Ok(done)
}

/// Every pair of the input, those that cannot be understood included.
fn items(arguments: &Arguments) -> Result<Vec<NewItem>> {
    if let (Some(article), Some(summary)) = (&arguments.article, &arguments.summary) {
        let pair = Some(pair_of_files(article, summary)?);
        let judged = Judged { id: None, pair, evidence: Err(String::new()), trail: None };
        return Ok(vec![item(&judged, 0)?]);
    }
    let input =
        arguments.input.as_deref().context("give either --article and --summary, or --input")?;
    let fields = arguments.fields.to_fields()?;
    let mut items = Vec::new();
    for record in arguments.fields.open(input)? {
        let judged = match read_record(record?, &fields) {
            Ok((id, pair)) => {
                Judged { id, pair: Some(pair), evidence: Err(String::new()), trail: None }
            }
            Err(unreadable) => *unreadable,
        };
        items.push(item(&judged, items.len())?);
    }
    Ok(items)
}

async fn print(
    workspace: &Workspace,
    run: &Run,
    mut worked: Worked,
    settings: Settings,
    arguments: &Arguments,
) -> Result<Done> {
    let look = arguments.look()?;
    let mut printer = Printer::open(arguments)?;
    let mut keeper = Keeper::open(arguments, settings, true)?;
    for position in 0..run.items {
        // What another process judged is read back.
        let judged = if let Some(judged) = worked.judged.remove(&position) {
            judged
        } else {
            let stored = workspace.stored_summaries(run, position, 1).await?;
            stored.into_iter().next().context("an item of the run has no verdict")?
        };
        keeper.keep(keeper.wanted.prepare(&judged)?)?;
        let records = usize::try_from(position).unwrap_or_default() + 1;
        let progress = Progress { records, bytes: 0, bytes_total: None };
        printer.take(Line::of(judged, settings, &look), progress)?;
    }
    keeper.finish()?;
    let input = arguments.input.as_deref().or(arguments.summary.as_deref());
    let tally = printer.finish(input.unwrap_or_else(|| "-".as_ref()), settings)?;
    Ok(end(arguments, &tally, None))
}

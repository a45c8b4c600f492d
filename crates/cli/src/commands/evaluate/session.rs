//! What every command about compliance shares: the database, interruptions, and how it ends.

use std::sync::Arc;

use anyhow::Result;
use assize_engine::Workspace;
use assize_engine::asking::{Account, AskSession, Exhausted, Halt, Stop};

use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::model_args::ModelArguments;
use crate::output::{asking, terminal};
use crate::runtime::{block_on, block_on_or_drop};
use crate::save_args;

/// Opens the database, does the work, and waits until all of it is written.
pub(crate) fn with_workspace<F>(
    database: &DatabaseArguments,
    work: impl FnOnce(Workspace, Stop) -> F,
) -> Result<Done>
where
    F: Future<Output = Result<Done>>,
{
    let stop = Stop::default();
    block_on(&stop, async {
        let workspace = save_args::workspace(database.place()).await?;
        let done = work(workspace.clone(), stop.clone()).await;
        workspace.close().await;
        done
    })
}

/// The same for work on what is kept already: it makes no database.
pub(crate) fn with_existing<F>(
    database: &DatabaseArguments,
    work: impl FnOnce(Workspace, Stop) -> F,
) -> Result<Done>
where
    F: Future<Output = Result<Done>>,
{
    database.check_exists()?;
    with_workspace(database, work)
}

/// Opens a database that is there to read it, and does what needs no more than that.
pub(crate) fn with_reader<F>(
    database: &DatabaseArguments,
    work: impl FnOnce(Workspace) -> F,
) -> Result<Done>
where
    F: Future<Output = Result<Done>>,
{
    database.check_exists()?;
    block_on_or_drop(async {
        let workspace = save_args::reader(database.place()).await?;
        let done = work(workspace.clone()).await;
        workspace.close().await;
        done
    })
}

/// A session whose replies are kept in the database of a workspace.
pub(crate) async fn session_over(
    workspace: &Workspace,
    models: &ModelArguments,
    stop: Stop,
) -> Result<AskSession> {
    let (store, config) = (Arc::clone(&workspace.store), models.providers.load()?);
    Ok(AskSession::over(Some(store), &models.to_options(), config, stop, asking::tell).await?)
}

/// What was asked and paid, if a model was asked at all.
pub(crate) fn bill(account: &Account) {
    if account.sent + account.from_store > 0 {
        terminal::remark(&asking::bill(account));
    }
}

/// Why a run ended before its end, and how it goes on.
pub(crate) fn halted(halt: &Halt, run: &str, done: u64, planned: u64) -> Done {
    let (when, more) = match halt {
        // No budget of its own lets a run pass the ceiling of all runs.
        Halt::Budget(Exhausted::Day) => ("when the limit allows it, resume with", ""),
        // A budget is that of the run's life: only a larger one lets it go on.
        Halt::Budget(_) => ("resume with", " --budget MORE"),
        _ => ("resume with", ""),
    };
    let again =
        format!("{done} of {planned} results are saved; {when}: assize runs resume {run}{more}");
    asking::halted(halt, Some(&again))
}

//! What every command about compliance shares: the database, interruptions, and how it ends.

use std::sync::Arc;

use anyhow::{Error, Result, anyhow};
use assize_engine::asking::{Account, AskSession, Halt, Stop};
use assize_engine::compliance::{ComplianceError, Registry};
use assize_engine::runs::RunError;

use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::model_args::ModelArguments;
use crate::output::{asking, terminal};
use crate::runtime::block_on;
use crate::save_args;

/// Opens the database and does the work. A database that fails ends with exit code 3.
pub(crate) fn with_registry<F>(
    database: &DatabaseArguments,
    work: impl FnOnce(Registry, Stop) -> F,
) -> Result<Done>
where
    F: Future<Output = Result<Done>>,
{
    let stop = Stop::default();
    let done = block_on(&stop, async {
        let registry = save_args::registry(database.place()).await?;
        let done = work(registry.clone(), stop.clone()).await;
        registry.close().await;
        done
    });
    match done {
        Err(error) if is_database(&error) => {
            terminal::complain(&error);
            Ok(Done::JudgeFailed)
        }
        done => done,
    }
}

fn is_database(error: &Error) -> bool {
    error.chain().any(|cause| {
        let compliance = cause.downcast_ref().is_some_and(ComplianceError::is_database);
        compliance || cause.downcast_ref().is_some_and(RunError::is_database)
    })
}

/// A session whose replies are kept in the database of a registry.
pub(crate) async fn session_over(
    registry: &Registry,
    models: &ModelArguments,
    stop: Stop,
) -> Result<AskSession> {
    let (store, config) = (Arc::clone(&registry.store), models.providers.load()?);
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
    let again =
        format!("{done} of {planned} results are kept; go on with: assize runs resume {run}");
    match halt {
        Halt::Asked => {
            terminal::notice(&format!("interrupted; {again}"));
            Done::Interrupted
        }
        halt => {
            terminal::complain(&anyhow!(halt.clone()));
            terminal::notice(&again);
            Done::JudgeFailed
        }
    }
}

//! `assize runs retry`: items without a score are asked about anew, and nothing else is.

use anyhow::Result;
use assize_engine::store::RetryFilter;

use super::args::Retry;
use super::resume::go_on;
use crate::commands::evaluate::session::with_existing;
use crate::exit::Done;
use crate::output::terminal;

/// Opens the items again, and goes on with the run.
pub(super) fn run(arguments: &Retry) -> Result<Done> {
    let resume = &arguments.resume;
    with_existing(&resume.which.database, async |workspace, stop| {
        let run = workspace.find_run(&resume.which.run).await?;
        let because = arguments.because.clone();
        let filter = RetryFilter { only_failed: !arguments.unscored, because };
        let reopened = workspace.retry_run(&run, &filter).await?;
        if reopened.kept > 0 {
            terminal::notice(&format!(
                "{} items are skipped because they have an override",
                reopened.kept
            ));
        }
        if reopened.items == 0 {
            terminal::notice(&format!(
                "run #{} has no matching items; nothing to retry",
                run.number
            ));
            return Ok(Done::Fine);
        }
        terminal::notice(&format!("retrying {} items", reopened.items));
        let run = workspace.find_run(run.id.as_str()).await?;
        go_on(&workspace, run, resume, stop).await
    })
}

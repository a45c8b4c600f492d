//! `assize runs stop|delete|rename|tag|baseline|approve|archive`.

use anyhow::{Result, anyhow, ensure};
use assize_engine::Workspace;
use assize_engine::store::Run;

use super::args::{Approve, Baseline, Rename, Tag, Which};
use crate::commands::evaluate::session::with_existing;
use crate::edit_args::{Archive, Delete};
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::one_line;

/// Does something to a run, and prints what came of it.
fn on_run(
    which: &Which,
    work: impl AsyncFnOnce(&Workspace, &Run) -> Result<String>,
) -> Result<Done> {
    with_existing(&which.database, async |workspace, _| {
        let run = workspace.find_run(&which.run).await?;
        files::report(&format!("{}\n", work(&workspace, &run).await?))
    })
}

/// Stops a run.
pub(super) fn stop(arguments: &Which) -> Result<Done> {
    on_run(arguments, async |workspace, run| {
        workspace.stop_run(run).await?;
        let number = run.number;
        Ok(format!("run #{number} stopped; resume with: assize runs resume {number}"))
    })
}

/// Removes a run.
pub(super) fn delete(arguments: &Delete<Which>) -> Result<Done> {
    on_run(&arguments.which, async |workspace, run| {
        let (number, items) = (run.number, run.items);
        ensure!(
            arguments.yes,
            "run #{number} with {items} items would be deleted; confirm with --yes"
        );
        workspace.delete_run(run).await?;
        Ok(format!("run #{number} deleted, with {items} items"))
    })
}

/// Names a run.
pub(super) fn rename(arguments: &Rename) -> Result<Done> {
    on_run(&arguments.which, async |workspace, run| {
        workspace.rename_run(run, &arguments.name).await?;
        Ok(format!("run #{} renamed to {}", run.number, one_line(&arguments.name, 60)))
    })
}

/// Tags a run.
pub(super) fn tag(arguments: &Tag) -> Result<Done> {
    ensure!(
        !arguments.tags.is_empty() || !arguments.remove.is_empty(),
        "give a tag to add, or one to remove with --remove"
    );
    on_run(&arguments.which, async |workspace, run| {
        let tags = workspace.tag_run(run, &arguments.tags, &arguments.remove).await?;
        let tags = if tags.is_empty() { "none".to_owned() } else { tags.join(", ") };
        Ok(format!("tags of run #{}: {}", run.number, one_line(&tags, 60)))
    })
}

/// Makes a run the baseline of its instrument.
pub(super) fn baseline(arguments: &Baseline) -> Result<Done> {
    on_run(&arguments.which, async |workspace, run| {
        workspace.set_baseline(run, !arguments.remove).await?;
        let is = if arguments.remove { "no longer the" } else { "the" };
        Ok(format!("run #{} is {is} {} baseline", run.number, run.instrument))
    })
}

/// Approves a run, or takes that back.
pub(super) fn approve(arguments: &Approve) -> Result<Done> {
    let who = arguments.by.as_deref().filter(|name| !name.trim().is_empty());
    let who = who.ok_or_else(|| anyhow!("give your name with --by NAME"))?;
    on_run(&arguments.which, async |workspace, run| {
        let number = run.number;
        if arguments.withdraw {
            workspace.withdraw_approval(run, who, &arguments.note).await?;
            return Ok(format!("approval of run #{number} withdrawn"));
        }
        workspace.approve_run(run, who, &arguments.note).await?;
        Ok(format!("run #{number} approved by {}", one_line(who, 60)))
    })
}

/// Leaves a run out of lists, or shows it again.
pub(super) fn archive(arguments: &Archive<Which>) -> Result<Done> {
    on_run(&arguments.which, async |workspace, run| {
        workspace.archive_run(run, !arguments.restore).await?;
        Ok(format!("run #{} is {}", run.number, arguments.outcome()))
    })
}

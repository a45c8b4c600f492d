//! `assize runs stop|delete|rename|tag|baseline|approve|archive`.

use anyhow::{Result, anyhow, ensure};

use super::args::{Approve, Baseline, Rename, Tag, Which};
use crate::commands::evaluate::session::with_existing;
use crate::edit_args::{Archive, Delete};
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::one_line;

/// Stops a run.
pub(super) fn stop(arguments: &Which) -> Result<Done> {
    with_existing(&arguments.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.run).await?;
        workspace.stop_run(&run).await?;
        let number = run.number;
        files::print(&format!(
            "run #{number} stopped; resume with: assize runs resume {number}\n"
        ))?;
        Ok(Done::Fine)
    })
}

/// Removes a run.
pub(super) fn delete(arguments: &Delete<Which>) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let (number, items) = (run.number, run.items);
        ensure!(
            arguments.yes,
            "run #{number} with {items} items would be deleted; confirm with --yes"
        );
        workspace.delete_run(&run).await?;
        files::print(&format!("run #{number} deleted, with {items} items\n"))?;
        Ok(Done::Fine)
    })
}

/// Names a run.
pub(super) fn rename(arguments: &Rename) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        workspace.rename_run(&run, &arguments.name).await?;
        files::print(&format!(
            "run #{} renamed to {}\n",
            run.number,
            one_line(&arguments.name, 60)
        ))?;
        Ok(Done::Fine)
    })
}

/// Tags a run.
pub(super) fn tag(arguments: &Tag) -> Result<Done> {
    ensure!(
        !arguments.tags.is_empty() || !arguments.remove.is_empty(),
        "give a tag to add, or one to remove with --remove"
    );
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let tags = workspace.tag_run(&run, &arguments.tags, &arguments.remove).await?;
        let tags = if tags.is_empty() { "none".to_owned() } else { tags.join(", ") };
        files::print(&format!("tags of run #{}: {}\n", run.number, one_line(&tags, 60)))?;
        Ok(Done::Fine)
    })
}

/// Makes a run the baseline of its instrument.
pub(super) fn baseline(arguments: &Baseline) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        workspace.set_baseline(&run, !arguments.remove).await?;
        let is = if arguments.remove { "no longer the" } else { "the" };
        files::print(&format!("run #{} is {is} {} baseline\n", run.number, run.instrument))?;
        Ok(Done::Fine)
    })
}

/// Approves a run, or takes that back.
pub(super) fn approve(arguments: &Approve) -> Result<Done> {
    let who = arguments.by.as_deref().filter(|name| !name.trim().is_empty());
    let who = who.ok_or_else(|| anyhow!("give your name with --by NAME"))?;
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let number = run.number;
        let told = if arguments.withdraw {
            workspace.withdraw_approval(&run, who, &arguments.note).await?;
            format!("approval of run #{number} withdrawn\n")
        } else {
            workspace.approve_run(&run, who, &arguments.note).await?;
            format!("run #{number} approved by {}\n", one_line(who, 60))
        };
        files::print(&told)?;
        Ok(Done::Fine)
    })
}

/// Leaves a run out of lists, or shows it again.
pub(super) fn archive(arguments: &Archive<Which>) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let run = workspace.find_run(&arguments.which.run).await?;
        workspace.archive_run(&run, !arguments.restore).await?;
        let is = arguments.outcome();
        files::print(&format!("run #{} is {is}\n", run.number))?;
        Ok(Done::Fine)
    })
}

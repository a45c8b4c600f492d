//! `assize criteria rename|archive|delete`.

use anyhow::{Result, ensure};

use crate::commands::evaluate::session::with_existing;
use crate::edit_args::{Archive, Delete, Rename, WhichSet};
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::one_line;

/// Gives a set another name.
pub(super) fn rename(arguments: &Rename<WhichSet>) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let set = workspace.criteria_set(&arguments.which.set).await?;
        workspace.rename_criteria_set(set, &arguments.to).await?;
        let (was, is) = (one_line(&arguments.which.set, 60), one_line(&arguments.to, 60));
        files::report(&format!("{was} renamed to {is}\n"))
    })
}

/// Leaves a set out of lists, or shows it again.
pub(super) fn archive(arguments: &Archive<WhichSet>) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, _| {
        let set = workspace.criteria_set(&arguments.which.set).await?;
        workspace.archive_criteria_set(set, !arguments.restore).await?;
        let (name, is) = (one_line(&arguments.which.set, 60), arguments.outcome());
        files::report(&format!("{name} is {is}\n"))
    })
}

/// Removes a set.
pub(super) fn delete(arguments: &Delete<WhichSet>) -> Result<Done> {
    let name = one_line(&arguments.which.set, 60);
    ensure!(arguments.yes, "{name} would be deleted with its truth keys; confirm with --yes");
    with_existing(&arguments.which.database, async |workspace, _| {
        let set = workspace.criteria_set(&arguments.which.set).await?;
        workspace.delete_criteria_set(&set).await?;
        files::report(&format!("{name} deleted\n"))
    })
}

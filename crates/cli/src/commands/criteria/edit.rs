//! `assize criteria rename|archive|delete`.

use anyhow::{Result, ensure};

use super::args::{Archive, Delete, Rename};
use crate::commands::evaluate::session::with_registry;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::one_line;

/// Gives a set another name.
pub(super) fn rename(arguments: &Rename) -> Result<Done> {
    with_registry(&arguments.database, async |registry, _| {
        let set = registry.criteria_set(&arguments.set).await?;
        registry.rename_criteria_set(set, &arguments.to).await?;
        let (was, is) = (one_line(&arguments.set, 60), one_line(&arguments.to, 60));
        files::print(&format!("{was} is called {is} now\n"))?;
        Ok(Done::Fine)
    })
}

/// Leaves a set out of lists, or shows it again.
pub(super) fn archive(arguments: &Archive) -> Result<Done> {
    with_registry(&arguments.database, async |registry, _| {
        let set = registry.criteria_set(&arguments.set).await?;
        registry.archive_criteria_set(set, !arguments.restore).await?;
        let is = if arguments.restore { "in lists again" } else { "archived" };
        files::print(&format!("{} is {is}\n", one_line(&arguments.set, 60)))?;
        Ok(Done::Fine)
    })
}

/// Removes a set.
pub(super) fn delete(arguments: &Delete) -> Result<Done> {
    let name = one_line(&arguments.set, 60);
    ensure!(arguments.yes, "{name} would be removed for good, with its truth keys: say --yes");
    with_registry(&arguments.database, async |registry, _| {
        let set = registry.criteria_set(&arguments.set).await?;
        registry.delete_criteria_set(&set).await?;
        files::print(&format!("{name} is deleted\n"))?;
        Ok(Done::Fine)
    })
}

//! `assize documents rename|archive|delete`.

use anyhow::{Result, ensure};

use super::args::{Archive, Delete, Rename};
use crate::commands::evaluate::session::with_registry;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::one_line;

/// What people call a document of a set, or the set itself.
fn called(set: &str, document: Option<&str>) -> String {
    match document {
        Some(document) => format!("{} of {}", one_line(document, 40), one_line(set, 40)),
        None => one_line(set, 60),
    }
}

/// Gives it another name.
pub(super) fn rename(arguments: &Rename) -> Result<Done> {
    with_registry(&arguments.database, async |registry, _| {
        let set = registry.document_set(&arguments.set).await?;
        match &arguments.document {
            Some(document) => registry.rename_document(&set, document, &arguments.to).await?,
            None => registry.rename_document_set(set, &arguments.to).await?,
        }
        let was = called(&arguments.set, arguments.document.as_deref());
        files::print(&format!("{was} is called {} now\n", one_line(&arguments.to, 60)))?;
        Ok(Done::Fine)
    })
}

/// Leaves it out of lists, or shows it again.
pub(super) fn archive(arguments: &Archive) -> Result<Done> {
    with_registry(&arguments.database, async |registry, _| {
        let set = registry.document_set(&arguments.set).await?;
        let is_archived = !arguments.restore;
        match &arguments.document {
            Some(document) => registry.archive_document(&set, document, is_archived).await?,
            None => registry.archive_document_set(set, is_archived).await?,
        }
        let is = if is_archived { "archived" } else { "in lists again" };
        files::print(&format!(
            "{} is {is}\n",
            called(&arguments.set, arguments.document.as_deref())
        ))?;
        Ok(Done::Fine)
    })
}

/// Removes it.
pub(super) fn delete(arguments: &Delete) -> Result<Done> {
    let what = called(&arguments.set, arguments.document.as_deref());
    ensure!(arguments.yes, "{what} would be removed for good, with its truth keys: say --yes");
    with_registry(&arguments.database, async |registry, _| {
        let set = registry.document_set(&arguments.set).await?;
        match &arguments.document {
            Some(document) => registry.delete_document(&set, document).await?,
            None => registry.delete_document_set(&set).await?,
        }
        files::print(&format!("{what} is deleted\n"))?;
        Ok(Done::Fine)
    })
}

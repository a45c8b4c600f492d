//! `assize documents rename|archive|delete`.

use anyhow::{Result, ensure};

use super::args::Which;
use crate::commands::evaluate::session::with_existing;
use crate::edit_args::{Archive, Delete, Rename};
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::one_line;

impl Which {
    /// What people call it.
    fn called(&self) -> String {
        let set = &self.of.set;
        match &self.document {
            Some(document) => format!("{} of {}", one_line(document, 40), one_line(set, 40)),
            None => one_line(set, 60),
        }
    }
}

/// Gives it another name.
pub(super) fn rename(arguments: &Rename<Which>) -> Result<Done> {
    let Rename { which, to } = arguments;
    with_existing(&which.of.database, async |workspace, _| {
        let set = workspace.document_set(&which.of.set).await?;
        match &which.document {
            Some(document) => workspace.rename_document(&set, document, to).await?,
            None => workspace.rename_document_set(set, to).await?,
        }
        files::report(&format!("{} renamed to {}\n", which.called(), one_line(to, 60)))
    })
}

/// Leaves it out of lists, or shows it again.
pub(super) fn archive(arguments: &Archive<Which>) -> Result<Done> {
    let Archive { which, restore } = arguments;
    with_existing(&which.of.database, async |workspace, _| {
        let set = workspace.document_set(&which.of.set).await?;
        match &which.document {
            Some(document) => workspace.archive_document(&set, document, !restore).await?,
            None => workspace.archive_document_set(set, !restore).await?,
        }
        files::report(&format!("{} is {}\n", which.called(), arguments.outcome()))
    })
}

/// Removes it.
pub(super) fn delete(arguments: &Delete<Which>) -> Result<Done> {
    let Delete { which, yes } = arguments;
    let what = which.called();
    ensure!(yes, "{what} would be deleted with its truth keys; confirm with --yes");
    with_existing(&which.of.database, async |workspace, _| {
        let set = workspace.document_set(&which.of.set).await?;
        match &which.document {
            Some(document) => workspace.delete_document(&set, document).await?,
            None => workspace.delete_document_set(&set).await?,
        }
        files::report(&format!("{what} deleted\n"))
    })
}

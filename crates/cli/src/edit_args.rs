//! What commands that change something kept have in common: which thing, and the change.

use clap::Args;

use crate::database_args::DatabaseArguments;

/// A set by its name, in a database.
#[derive(Debug, Args)]
pub(crate) struct WhichSet {
    /// The set
    pub(crate) set: String,
    #[command(flatten)]
    pub(crate) database: DatabaseArguments,
}

/// Another name for something.
#[derive(Debug, Args)]
pub(crate) struct Rename<Which: Args> {
    #[command(flatten)]
    pub(crate) which: Which,
    /// The new name
    #[arg(long, value_name = "NAME")]
    pub(crate) to: String,
}

/// Leaving something out of lists.
#[derive(Debug, Args)]
pub(crate) struct Archive<Which: Args> {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Show it in lists again
    #[arg(long)]
    pub(crate) restore: bool,
}

impl<Which: Args> Archive<Which> {
    /// What it is afterwards.
    pub(crate) fn outcome(&self) -> &'static str {
        if self.restore { "in lists again" } else { "archived" }
    }
}

/// Removing something.
#[derive(Debug, Args)]
pub(crate) struct Delete<Which: Args> {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Confirm: this cannot be undone
    #[arg(long)]
    pub(crate) yes: bool,
}

//! Which database, and how what is kept there is shown: the same for every command.

use std::convert::Infallible;
use std::sync::Once;

use anyhow::{Result, ensure};
use assize_engine::database::Place;
use assize_wire::text::pretty;
use clap::{Args, ValueEnum};
use serde::Serialize;

use crate::configured;
use crate::exit::Done;
use crate::output::{files, terminal};

/// Where everything is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Database")]
pub(crate) struct DatabaseArguments {
    /// Database: a SQLite file, or `postgres://USER@HOST/NAME`
    #[arg(
        long,
        value_name = "FILE|URL",
        env = "ASSIZE_DATABASE_URL",
        hide_env_values = true,
        default_value = configured::database(),
        value_parser = |text: &str| Ok::<Place, Infallible>(Place::from(text))
    )]
    database: Place,
    /// The former name of --database
    #[arg(long, value_name = "FILE", hide = true)]
    store: Option<String>,
}

/// The place may be asked for several times, and the old name is told once.
static OLD_NAME_TOLD: Once = Once::new();

impl DatabaseArguments {
    /// The place; whoever uses the old name is told the new one.
    pub(crate) fn place(&self) -> Place {
        let Some(store) = &self.store else { return self.database.clone() };
        OLD_NAME_TOLD.call_once(|| {
            terminal::notice("--store is deprecated; use --database instead");
        });
        Place::from(store)
    }

    /// Refuses a file that does not exist, for a command that only reads: to make an empty
    /// database for it would hide a misspelt name.
    pub(crate) fn check_exists(&self) -> Result<()> {
        let Place::Sqlite(file) = self.place() else { return Ok(()) };
        // An address of another kind is refused when it is opened, without its password.
        let is_address = file.to_str().is_some_and(|name| name.contains("://"));
        ensure!(
            is_address || file.exists(),
            "{}: no such database; name another with --database, or make one with `assize evaluate` \
             or --save",
            file.display()
        );
        Ok(())
    }
}

/// How something that is kept is shown.
#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) database: DatabaseArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Table with aligned columns
    Table,
    /// JSON
    Json,
}

impl Format {
    /// Prints a value as JSON, or as what people read.
    pub(crate) fn print<T: Serialize>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> String,
    ) -> Result<Done> {
        files::report(&match self {
            Self::Json => pretty(value),
            Self::Table => text(value),
        })
    }
}

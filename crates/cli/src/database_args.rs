//! Which database: one switch for every command that keeps something.

use std::convert::Infallible;

use assize_engine::database::Place;
use clap::Args;

use crate::output::terminal;

/// Where everything is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Database")]
pub(crate) struct DatabaseArguments {
    /// Where everything is kept: a SQLite file, or `postgres://USER@HOST/NAME`
    #[arg(
        long,
        value_name = "FILE|URL",
        env = "ASSIZE_DATABASE_URL",
        hide_env_values = true,
        default_value = "assize.db",
        value_parser = |text: &str| Ok::<Place, Infallible>(Place::from(text))
    )]
    database: Place,
    /// The former name of --database
    #[arg(long, value_name = "FILE", hide = true)]
    store: Option<String>,
}

impl DatabaseArguments {
    /// The place; whoever uses the old name is told the new one.
    pub(crate) fn place(&self) -> Place {
        let Some(store) = &self.store else { return self.database.clone() };
        terminal::notice("--store is now called --database; the old name still works");
        Place::from(store)
    }
}

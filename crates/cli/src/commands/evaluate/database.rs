//! Which database: one argument that every command about compliance takes.

use clap::Args;

/// Where everything is kept.
#[derive(Debug, Args)]
#[command(next_help_heading = "Database")]
pub(crate) struct DatabaseArguments {
    /// Where everything is kept: a SQLite file, or postgres://USER@HOST/NAME
    #[arg(
        long,
        value_name = "FILE|URL",
        env = "ASSIZE_DATABASE_URL",
        hide_env_values = true,
        default_value = "assize.db"
    )]
    pub(crate) database: String,
}

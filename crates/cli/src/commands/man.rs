//! `assize man DIR`: a manual page for every command.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};

use crate::args::Arguments as Whole;
use crate::examples;
use crate::exit::Done;
use crate::output::terminal;

/// Write the manual pages to a folder.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Output folder; created if it does not exist
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

/// Writes `assize.1` and a page for each command below it, such as `assize-council-ask.1`.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
    clap_mangen::generate_to(examples::added(Whole::command()), folder)
        .with_context(|| format!("could not write to {}", folder.display()))?;
    terminal::notice(&format!("manual pages written to {}", folder.display()));
    Ok(Done::Fine)
}

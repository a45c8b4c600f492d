//! `assize completions SHELL`: what a shell needs to complete commands and switches.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::args::Arguments as Whole;
use crate::exit::Done;
use crate::output::files;

/// Print shell completions.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Prints the script.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let mut script = Vec::new();
    generate(arguments.shell, &mut Whole::command(), "assize", &mut script);
    files::report(&script)
}

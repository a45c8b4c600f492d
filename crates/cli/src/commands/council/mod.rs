//! `assize council …`: models answer, models review, the engine computes and gates.

mod gate;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::exit::Done;

/// Check answers, and hold a council over them.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Check answers against the safety gate, or measure the gate on labelled answers
    Gate(gate::Arguments),
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    match arguments.command {
        Command::Gate(arguments) => gate::run(&arguments),
    }
}

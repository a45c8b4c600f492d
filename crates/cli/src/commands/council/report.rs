//! `assize council report`: how far a kept sitting can be trusted.

use std::path::PathBuf;

use anyhow::Result;
use assize_engine::council::Sitting;
use clap::Args;

use super::args::OutputArguments;
use super::sitting;
use crate::exit::Done;

/// Say how far a kept sitting can be trusted.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A sitting: its file, or its name in assize-councils
    sitting: PathBuf,
    #[command(flatten)]
    output: OutputArguments,
}

/// Reads, computes and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let sitting = Sitting::read(&arguments.sitting)?;
    let verdict = sitting.verdict();
    sitting::print(&sitting, &verdict, &arguments.output)?;
    Ok(Done::Fine)
}

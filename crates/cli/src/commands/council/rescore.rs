//! `assize council rescore`: the same evidence counted another way.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use assize_engine::council::{Choices, Sitting, rescored};
use clap::Args;

use super::args::{CountingArguments, OutputArguments};
use super::sitting;
use crate::exit::Done;
use crate::output::{files, terminal};

const EXAMPLES: &str = "\
Examples:
  assize council rescore assize-councils/ID.json --weights accuracy=0.5,clarity=0.05
  assize council rescore ID --profile classic --aggregate schulze
  assize council rescore ID --safety-gate --run gated.json      the gate afterwards, kept as another sitting

No model is asked. What is not given stays as it was; the environment is not looked at.";

/// Count a kept sitting another way, without asking anybody.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A sitting: its file, or its name in assize-councils
    sitting: PathBuf,
    /// Keep the result as a sitting of its own
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    #[command(flatten)]
    counting: CountingArguments,
    #[command(flatten)]
    output: OutputArguments,
}

/// Counts and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let choices = arguments.counting.to_choices();
    ensure!(
        choices != Choices::default(),
        "nothing would change: give --weights, --profile, --aggregate or --safety-gate"
    );
    files::check(arguments.output.output.as_deref(), &[&arguments.sitting])?;
    let sitting = rescored(&Sitting::read(&arguments.sitting)?, &choices)?;
    if let Some(path) = &arguments.run {
        let path = sitting.write(Some(path))?;
        terminal::remark(&format!("kept as {}", path.display()));
    }
    let verdict = sitting.verdict();
    sitting::print(&sitting, &verdict, &arguments.output)?;
    Ok(sitting::done(&verdict))
}

//! `assize council rescore`: the same evidence counted another way.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use assize_engine::council::{CouncilRequest, CouncilRun, OperatorPolicy, rescored_under};
use clap::Args;

use super::args::{VerdictArguments, hide_seats};
use super::hold;
use crate::exit::Done;
use crate::model_args::variables;
use crate::output::terminal;

const NOTES: &str = "\
No model is called. Settings you do not give stay as they were; from assize.toml and the environment only the
safety gate is used, and it can only be made stricter.";

/// Recompute a saved council run with different settings, without calling models.
#[derive(Debug, Args)]
#[command(after_help = NOTES, mut_args(hide_seats))]
pub(crate) struct Arguments {
    /// A council run: a file, or a name in assize-councils
    #[arg(value_name = "RUN")]
    kept: PathBuf,
    /// Save the result as a new council run in this file
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,
    #[command(flatten)]
    request: CouncilRequest,
    #[command(flatten)]
    output: VerdictArguments,
}

/// Counts and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    ensure!(
        arguments.request != CouncilRequest::default(),
        "nothing would change: give --weights, --profile, --aggregate or --safety-gate"
    );
    let operator = OperatorPolicy::load(&variables(), None)?;
    arguments.output.to.check(&[&arguments.kept])?;
    let key = operator.signing_key.as_ref();
    let kept = CouncilRun::read(&arguments.kept, key)?;
    let counted = rescored_under(&kept, &arguments.request, &operator.request)?;
    if let Some(path) = &arguments.run {
        let path = counted.write(Some(path), key)?;
        terminal::remark(&format!("saved as {}", path.display()));
    }
    let verdict = counted.verdict();
    hold::print(&counted, &verdict, &arguments.output)?;
    Ok(hold::done(&verdict, &arguments.output))
}

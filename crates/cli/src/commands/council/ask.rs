//! `assize council ask`: members answer, reviewers mark, the engine counts.

use anyhow::{Result, ensure};
use assize_engine::council::Hearing;
use clap::Args;

use super::hold;
use crate::exit::Done;

const NOTES: &str = "\
A model is written PROVIDER/MODEL, or NAME=PROVIDER/MODEL to name it; a model listed several times is asked
for several independent replies. Without --reviewers the members review each other; a model's review of its
own answer does not count, whatever its name, unless --count-own is given. A model that fails is left out and
its provider's error is shown, and the verdict is marked as degraded; below the quorum there is no verdict,
and the exit code is 3. Settings, later ones win: profile, assize.toml ([council]),
LLM_COUNCIL_WEIGHT_ACCURACY, …, LLM_COUNCIL_SAFETY_GATE, LLM_COUNCIL_SAFETY_SCORE_CAP, flags; if the file or
the environment turns the safety gate on, flags can only make it stricter. Guide: docs/guide/council.md";

/// Ask models a question and have models review the answers.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The question to ask
    question: String,
    #[command(flatten)]
    hearing: hold::Arguments,
}

/// Checks what was asked for, then asks.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let request = arguments.hearing.request()?;
    ensure!(
        !request.members.is_empty(),
        "no members given: name two or more models with --members PROVIDER/MODEL,PROVIDER/MODEL"
    );
    hold::run(&Hearing::ask(&arguments.question, &request)?, &arguments.hearing)
}

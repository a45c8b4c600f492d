//! `assize council ask`: members answer, reviewers mark, the engine counts.

use anyhow::Result;
use assize_engine::council::{Participant, Request};
use clap::Args;

use super::hold;
use crate::exit::Done;

const NOTES: &str = "\
A model is PROVIDER/MODEL; NAME=PROVIDER/MODEL gives it a name, and a model that is named several times is
asked several times, each time for another reply. Without --reviewers the members review each other; no model's
view of its own answer counts, whatever it is called, unless --count-own. A model that fails is left out with its
provider's own words, and the verdict says that it is degraded; below the quorum there is none, and the exit code is 3.
Settings: profile < assize.toml ([council]) < LLM_COUNCIL_WEIGHT_ACCURACY, …, LLM_COUNCIL_SAFETY_GATE,
LLM_COUNCIL_SAFETY_SCORE_CAP < flags; a gate that file or environment turn on, flags only make stricter.
Guide: docs/guide/council.md";

/// Ask models a question and have models review the answers.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// What is asked
    question: String,
    /// Who answers: two models or more
    #[arg(long, value_name = "MODEL,…", value_delimiter = ',')]
    members: Vec<Participant>,
    #[command(flatten)]
    hearing: hold::Arguments,
}

/// Checks what was asked for, then asks.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let choices = arguments.hearing.to_choices(&arguments.members)?;
    let request = Request::ask(&arguments.question, &choices)?;
    hold::run(&request, &arguments.hearing)
}

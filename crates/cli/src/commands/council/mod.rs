//! `assize council …`: models answer, models review, the engine computes and gates.

mod args;
mod ask;
mod bench;
mod demo;
mod gate;
mod hold;
mod progress;
mod report;
mod rescore;
mod review;
mod text;
mod tune;
mod verify;

use anyhow::Result;
use clap::Subcommand;

pub(crate) use args::hide_seats;
pub(crate) use demo::{demo_section, short_section};
pub(crate) use hold::hold_run;
pub(crate) use progress::Participants;

use crate::exit::Done;

/// Check answers, and rank them by a council.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Ask models a question, have models review the answers, and rank them
    Ask(Box<ask::Arguments>),
    /// Have models review and rank existing answers
    Review(Box<review::Arguments>),
    /// Report how reliable saved council runs are: agreement, stability, bias
    Report(report::Arguments),
    /// Recompute a saved council run with different settings, without calling models
    Rescore(rescore::Arguments),
    /// Check that saved council runs have not been altered
    Verify(verify::Arguments),
    /// Benchmark a council against human preferences, from recorded ratings
    Bench(bench::Arguments),
    /// Suggest weights from human preferences, without changing any profile
    Tune(tune::Arguments),
    /// Check answers against the safety gate, or measure the gate on labelled answers
    Gate(gate::Arguments),
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    match arguments {
        Arguments::Ask(arguments) => ask::run(&arguments),
        Arguments::Review(arguments) => review::run(&arguments),
        Arguments::Report(arguments) => report::run(&arguments),
        Arguments::Rescore(arguments) => rescore::run(&arguments),
        Arguments::Verify(arguments) => verify::run(&arguments),
        Arguments::Bench(arguments) => bench::run(&arguments),
        Arguments::Tune(arguments) => tune::run(&arguments),
        Arguments::Gate(arguments) => gate::run(&arguments),
    }
}

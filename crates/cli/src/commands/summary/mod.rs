//! `assize summary …`: summaries scored against their articles.

mod agree;
mod args;
mod bench;
mod demo;
mod progress;
mod rescore;
mod score;
mod sink;

use anyhow::Result;
use clap::Subcommand;

pub(crate) use demo::{demo_section, recorded_section, short_section};

use crate::exit::Done;

/// Score summaries, and compare scores with people's ratings.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Score summaries against their articles: coverage, alignment, hallucination, relevance, bias
    Score(Box<score::Arguments>),
    /// Rescore an evidence file, without models or a database
    Rescore(rescore::Arguments),
    /// Compare scores with human ratings of the same summaries
    Agree(Box<agree::Arguments>),
    /// Benchmark the rule judge on rated summaries, next to simple baselines
    Bench(bench::Arguments),
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    match arguments {
        Arguments::Score(arguments) => score::run(&arguments),
        Arguments::Rescore(arguments) => rescore::run(&arguments),
        Arguments::Agree(arguments) => agree::run(&arguments),
        Arguments::Bench(arguments) => bench::run(&arguments),
    }
}

//! `assize evaluate`: documents evaluated against criteria, judged, kept, summed up.

mod args;
mod demo;
mod evaluation;
pub(crate) mod intake;
mod overrides;
pub(crate) mod report;
pub(crate) mod session;
pub(crate) mod work_on;

use anyhow::Result;

pub(crate) use args::Arguments;
use args::Command;
pub(crate) use demo::{demo_section, short_section};

use crate::exit::Done;

/// Evaluates, or puts a person's score beside a judge's.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match &arguments.command {
        Some(Command::Override(arguments)) => overrides::run(arguments),
        None => evaluation::run(&arguments.evaluation),
    }
}

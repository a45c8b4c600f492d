//! `assize runs …`: what was saved of every instrument, shown, compared, and gone on with.

mod args;
mod bill;
mod ceiling;
mod compare;
mod criterion;
mod edit;
mod export;
mod list;
mod rescore;
mod resume;
mod retry;
mod show;
mod verdicts;

use anyhow::Result;

pub(crate) use args::Arguments;
use args::Command;

use crate::exit::Done;

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match &arguments.command {
        Command::List(arguments) => list::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Verdicts(arguments) => verdicts::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Resume(arguments) => resume::run(arguments),
        Command::Retry(arguments) => retry::run(arguments),
        Command::Bill(arguments) => bill::run(arguments),
        Command::Ceiling(arguments) => ceiling::run(arguments),
        Command::Stop(arguments) => edit::stop(arguments),
        Command::Rescore(arguments) => rescore::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Delete(arguments) => edit::delete(arguments),
        Command::Rename(arguments) => edit::rename(arguments),
        Command::Tag(arguments) => edit::tag(arguments),
        Command::Baseline(arguments) => edit::baseline(arguments),
        Command::Approve(arguments) => edit::approve(arguments),
        Command::Archive(arguments) => edit::archive(arguments),
    }
}

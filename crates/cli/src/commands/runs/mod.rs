//! `assize runs …`: what was saved of every instrument, shown, compared, and gone on with.

mod args;
mod bill;
mod ceiling;
mod compare;
mod criterion;
mod edit;
mod export;
mod list;
mod pack;
mod rescore;
mod resume;
mod retry;
mod show;
mod verdicts;

use anyhow::Result;

pub(crate) use args::Arguments;

use crate::exit::Done;

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments {
        Arguments::List(arguments) => list::run(arguments),
        Arguments::Show(arguments) => show::run(arguments),
        Arguments::Verdicts(arguments) => verdicts::run(arguments),
        Arguments::Compare(arguments) => compare::run(arguments),
        Arguments::Resume(arguments) => resume::run(arguments),
        Arguments::Retry(arguments) => retry::run(arguments),
        Arguments::Bill(arguments) => bill::run(arguments),
        Arguments::Ceiling(arguments) => ceiling::run(arguments),
        Arguments::Stop(arguments) => edit::stop(arguments),
        Arguments::Rescore(arguments) => rescore::run(arguments),
        Arguments::Export(arguments) => export::run(arguments),
        Arguments::Pack(arguments) => pack::run(arguments),
        Arguments::Import(arguments) => pack::import(arguments),
        Arguments::Delete(arguments) => edit::delete(arguments),
        Arguments::Rename(arguments) => edit::rename(arguments),
        Arguments::Tag(arguments) => edit::tag(arguments),
        Arguments::Baseline(arguments) => edit::baseline(arguments),
        Arguments::Approve(arguments) => edit::approve(arguments),
        Arguments::Archive(arguments) => edit::archive(arguments),
    }
}

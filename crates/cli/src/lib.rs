//! The command line as a function: arguments in, exit code out.
//!
//! The binary calls it, and so does the `assize` of the Python wheel.

mod args;
mod commands;
mod configured;
mod database_args;
mod edit_args;
mod examples;
mod exit;
mod hints;
mod map_args;
mod model_args;
mod output;
mod queue_args;
mod runtime;
mod save_args;
mod suggested;

use std::ffi::OsString;
use std::io;

use assize_wire::retrieval::Comparison;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches};

use crate::args::{Arguments, Command};
use crate::runtime::compute;

/// The arguments that the words mean. Examples are made for whoever reads the help; all others would
/// wait for them at every start.
fn parsed(words: &[OsString]) -> Result<Arguments, clap::Error> {
    let arguments = |command: clap::Command| {
        let found = command.try_get_matches_from(words)?;
        Arguments::from_arg_matches(&found)
    };
    match arguments(Arguments::command()) {
        Err(said) if shows_help(&said) => arguments(examples::added(Arguments::command())),
        parsed => parsed,
    }
}

fn shows_help(said: &clap::Error) -> bool {
    let kind = said.kind();
    kind == ErrorKind::DisplayHelp || kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
}

/// Runs a command, the program's name first, and gives its exit code.
pub fn run(words: &[OsString]) -> u8 {
    assize_engine::input::allow_standard_input(|| Box::new(io::stdin()));
    assize_engine::store::announce_waits(|at_most| {
        let seconds = at_most.as_secs();
        output::terminal::notice(&format!(
            "waiting for the database, which may be busy (at most {seconds} seconds)"
        ));
    });
    let configured = configured::read(words);
    let arguments = match parsed(words) {
        Ok(arguments) => arguments,
        Err(mut said) => {
            suggested::add(&mut said, &Arguments::command(), words);
            // Help and version come this way too; a closed pipe is nobody's error.
            let _ = said.print();
            return u8::try_from(said.exit_code()).unwrap_or(exit::BAD_INPUT);
        }
    };
    // Whoever asks what is wrong with the configuration must be told by `doctor`.
    if let Err(refused) = configured
        && !matches!(arguments.command, Command::Doctor(_))
    {
        return exit::code(Err(refused));
    }
    let done = match arguments.command {
        Command::Score(arguments) => compute(|| commands::score::run(*arguments)),
        Command::Compare(arguments) => compute(|| commands::compare::run(*arguments)),
        Command::Retrieve(arguments) => commands::retrieve::run(&arguments),
        Command::Index(arguments) => commands::index::run(&arguments),
        Command::BenchRetrieval(arguments) => commands::bench_retrieval::run(&arguments),
        Command::Init(arguments) => commands::init::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Fuse(arguments) => commands::fuse::run(&arguments),
        Command::Measures(arguments) => commands::measures::run(&arguments),
        Command::Summary(arguments) => commands::summary::run(arguments),
        Command::Council(arguments) => commands::council::run(arguments),
        Command::Judges(arguments) => commands::judges::run(&arguments),
        Command::Evaluate(arguments) => commands::evaluate::run(&arguments),
        Command::Criteria(arguments) => commands::criteria::run(&arguments),
        Command::Documents(arguments) => commands::documents::run(&arguments),
        Command::Verify(arguments) => commands::verify::run(&arguments),
        Command::Runs(arguments) => commands::runs::run(&arguments),
        Command::Truth(arguments) => commands::truth::run(&arguments),
        Command::Accuracy(arguments) => commands::accuracy::run(&arguments),
        Command::Optimize(arguments) => commands::optimize::run(&arguments),
        Command::Export(arguments) => commands::export::run(&arguments),
        Command::Models(arguments) => commands::models::run(&arguments),
        Command::Readers(arguments) => commands::readers::run(&arguments),
        Command::Config(arguments) => commands::config::run(&arguments),
        Command::Db(arguments) => commands::db::run(&arguments),
        Command::Worker(arguments) => commands::worker::run(&arguments),
        Command::Workers(arguments) => commands::workers::run(&arguments),
        Command::Mcp(arguments) => commands::mcp::run(&arguments),
        Command::Serve(arguments) => commands::serve::run(&arguments),
        Command::Users(arguments) => commands::users::run(&arguments),
        Command::Tokens(arguments) => commands::tokens::run(&arguments),
        Command::Audit(arguments) => commands::audit::run(&arguments),
        Command::Doctor(arguments) => commands::doctor::run(&arguments),
        Command::Demo(arguments) => commands::demo::run(&arguments),
        Command::Completions(arguments) => commands::completions::run(&arguments),
        Command::Man(arguments) => commands::man::run(&arguments),
        Command::Reference { page } => commands::reference::run(page),
    };
    exit::code(done)
}

/// A comparison as a LaTeX table for a paper.
pub fn comparison_as_latex(comparison: &Comparison) -> String {
    commands::compare::latex::render(comparison)
}

/// A comparison as Markdown tables.
pub fn comparison_as_markdown(comparison: &Comparison) -> String {
    commands::compare::markdown::render(comparison)
}

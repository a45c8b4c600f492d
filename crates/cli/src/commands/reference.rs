//! `assize reference`: pages of docs/reference that are written from the code.

use std::fmt::Write;

use anyhow::Result;
use assize_engine::error::codes::ALL;
use assize_engine::error::{ErrorCode, ErrorKind};
use clap::{Command, CommandFactory, ValueEnum};

use crate::args::Arguments;
use crate::examples;
use crate::exit::{self, Done};
use crate::output::files;

/// Which page.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Page {
    /// The help of every command
    Cli,
    /// The codes of errors
    Errors,
    /// The API, for programs
    #[cfg(feature = "server")]
    Openapi,
}

/// Prints a page.
pub(crate) fn run(page: Page) -> Result<Done> {
    files::report(&match page {
        Page::Cli => commands(),
        Page::Errors => errors(),
        #[cfg(feature = "server")]
        Page::Openapi => assize_server::api::docs::text().to_owned(),
    })
}

/// Every code by its kind, and what the kind means to a script.
fn errors() -> String {
    let mut text = String::from(
        "# Errors\n\nWritten by `cargo xtask docs` from the codes in the engine. A kind decides \
         the exit code of a command; a code\nnever changes its name or kind.\n",
    );
    for kind in ErrorKind::ALL {
        let exit = exit::number(kind);
        let _ = write!(text, "\n## `{}`: exit code {exit}\n\n", kind.name());
        text.push_str("| code | what happened | what to do |\n|---|---|---|\n");
        for ErrorCode { code, meaning, hint, .. } in ALL.iter().filter(|code| code.kind == kind) {
            let _ = writeln!(text, "| `{code}` | {meaning} | {hint} |");
        }
    }
    text
}

/// The help of every command.
fn commands() -> String {
    let mut text = String::from(
        "# Command line\n\nWritten by `cargo xtask docs` from the help texts in the code.\n",
    );
    let mut root = examples::added(Arguments::command());
    root.build();
    describe(&mut root, &mut text);
    text
}

/// A command and, after it, those below it.
fn describe(command: &mut Command, text: &mut String) {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(text, "\n## `{name}`\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    for below in command.get_subcommands_mut() {
        if !below.is_hide_set() && below.get_name() != "help" {
            describe(below, text);
        }
    }
}

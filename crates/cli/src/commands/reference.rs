//! `assize reference`: the help of every command as one page, for docs/reference/cli.md.

use std::fmt::Write;

use anyhow::Result;
use clap::{Command, CommandFactory};

use crate::args::Arguments;
use crate::exit::Done;
use crate::output::files;

/// Prints the page.
pub(crate) fn run() -> Result<Done> {
    let mut text = String::from(
        "# Command line\n\nWritten by `cargo xtask docs` from the help texts in the code.\n",
    );
    let mut root = Arguments::command();
    root.build();
    describe(&mut root, &mut text);
    files::print(&text)?;
    Ok(Done::Fine)
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

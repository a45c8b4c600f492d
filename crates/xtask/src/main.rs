//! `cargo xtask …`: the project tasks, in the order a contributor meets them.

mod api;
mod bench;
mod browser;
mod checks;
mod dist;
mod docs;
mod evidence;
mod python;
mod release;
mod tidy;

use std::path::Path;

use anyhow::{Result, bail};

const USAGE: &str = "\
Tasks of the Assize project.

Usage: cargo xtask TASK

Tasks:
  test    everything CI runs: format, lints, project rules, all tests that the
          repository has the data for
  test --data DIR
          the same, and the tests that compare with reference data in DIR;
          data that is not there fails them
  test python
          the wheel in a fresh environment: pytest against the packages it
          stands in for, types, notebooks
  test integrations, test engines
          the adapters with the real packages; Spark and Ray
  test api
          schemathesis against a running server, over SQLite and PostgreSQL
  lint    format and clippy, with warnings denied
  tidy    the project rules that no other tool checks
  browser the pages of `assize serve` walked in a headless Chromium
  screenshots
          the pictures of docs/images, taken from the samples
  screenshots FOLDER
          every page at four widths, in light and dark, and contact sheets, to
          look at; the folder is outside the repository
  docs    write docs/reference from the code
  evidence
          what the README promises, each with the tests that show it
  dist [--target T] [--profile P] [--wheel] [--without-materials]
          what a release hands out for one system, in target/dist: archive,
          package, bill of materials, checksums
  release --dry-run [--profile P] [--allow-untried]
          all of it that this machine can make, each tried in an empty Debian
          12, and what only another system can show; it fails if something
          cannot be tried and that is not allowed; `release --try` tries what
          is in target/dist already
  release tag TAG, release formula FOLDER, release notes
          what the workflow of a tag needs besides
  bench   our time, the peer's and the ratio: `bench score`, `summary`,
          `retrieve`, `compliance`, `gate`, `python`; `bench serve` measures the
          server, `bench fleet` workers
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["test"] => checks::test(None),
        ["test", "--data", folder] => checks::test(Some(Path::new(folder))),
        ["test", "python"] => python::test(),
        ["test", "integrations"] => python::integrations(),
        ["test", "engines", rest @ ..] => python::engines(rest),
        ["test", "api", rest @ ..] => api::test(rest),
        ["bench", "python"] => python::bench(),
        ["lint"] => checks::lint(),
        ["tidy"] => tidy::run(),
        ["browser"] => browser::test(),
        ["screenshots"] => browser::screenshots(),
        ["screenshots", folder] => browser::every_picture(Path::new(folder)),
        ["docs"] => docs::run(),
        ["evidence"] => evidence::run(),
        ["dist", rest @ ..] => dist::run(rest).map(drop),
        ["release", rest @ ..] => release::run(rest),
        ["bench", rest @ ..] => bench::run(rest),
        [] | ["help" | "--help" | "-h"] => {
            say(USAGE);
            Ok(())
        }
        other => bail!("there is no task `{}`\n\n{USAGE}", other.join(" ")),
    }
}

/// Prints to the terminal: the one place where the project tasks do.
#[expect(clippy::print_stdout, reason = "a task runner talks to whoever started it")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}

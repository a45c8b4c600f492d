//! `cargo xtask bench …`: our time, the peer's and the ratio, measured in one run.

mod compliance;
mod fleet;
mod gate;
mod generate;
mod measure;
mod peers;
mod retrieve;
mod score;
mod serve;
mod summary;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::checks::{cargo_program, root};
use crate::say;

pub(crate) use serve::client::{Client, Server};

/// Runs one bench, or says which there are.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    match words {
        ["compliance"] => compliance::run(),
        ["fleet", rest @ ..] => fleet::run(rest),
        ["gate"] => gate::run(),
        ["retrieve", rest @ ..] => retrieve::run(rest),
        ["score", rest @ ..] => score::run(rest),
        ["serve", rest @ ..] => serve::run(rest),
        ["summary"] => summary::run(),
        _ => bail!(
            "which bench? There are: compliance, fleet, gate, retrieve, score, serve, summary"
        ),
    }
}

/// A build whose cost is measured.
struct Build {
    /// What its figures are called.
    name: &'static str,
    binary: PathBuf,
}

/// The release build of this tree and, if the user names its binary, one to measure beside it.
fn builds(beside: Option<PathBuf>) -> Result<Vec<Build>> {
    let other = beside.map(|binary| Build { name: "beside", binary });
    Ok([Build { name: "assize", binary: assize()? }].into_iter().chain(other).collect())
}

/// The release binary, built if need be.
fn assize() -> Result<PathBuf> {
    say("building the release binary");
    let status = cargo_program()
        .args(["build", "--release", "--quiet", "--package", "assize"])
        .current_dir(root())
        .status()
        .context("could not start cargo")?;
    if !status.success() {
        bail!("the release build failed");
    }
    Ok(built("release")?.join("assize"))
}

/// Where cargo puts the programs of a profile: beside this one, wherever that is.
fn built(profile: &str) -> Result<PathBuf> {
    let own = std::env::current_exe().context("where are we?")?;
    let target = own.parent().and_then(Path::parent).context("not below a target folder")?;
    Ok(target.join(profile))
}

/// Where benches keep their data between runs.
fn folder() -> Result<PathBuf> {
    let folder = root().join("target/bench");
    std::fs::create_dir_all(&folder).context("could not make target/bench")?;
    Ok(folder)
}

//! What CI runs, step by step, each announced and timed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::{say, tidy};

/// Format, lints, house rules and every test.
pub(crate) fn test() -> Result<()> {
    lint()?;
    tidy::run()?;
    // nextest runs test binaries side by side; without it cargo's own runner does the same work.
    if has_nextest() {
        cargo("tests", &["nextest", "run", "--workspace", "--no-fail-fast"])?;
        cargo("doc tests", &["test", "--workspace", "--doc", "--quiet"])?;
    } else {
        cargo("tests", &["test", "--workspace", "--no-fail-fast"])?;
    }
    Ok(())
}

/// Format and clippy, with warnings denied.
pub(crate) fn lint() -> Result<()> {
    cargo("format", &["fmt", "--all", "--check"])?;
    cargo("clippy", &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"])
}

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

fn has_nextest() -> bool {
    let mut probe = Command::new("cargo");
    probe.args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

fn cargo(what: &str, arguments: &[&str]) -> Result<()> {
    say(&format!("== {what}: cargo {}", arguments.join(" ")));
    let started = Instant::now();
    let status = Command::new("cargo")
        .args(arguments)
        .current_dir(root())
        .status()
        .with_context(|| format!("could not start cargo for {what}"))?;
    if !status.success() {
        bail!("{what} failed");
    }
    say(&format!("== {what}: {:.0} s", started.elapsed().as_secs_f64()));
    Ok(())
}

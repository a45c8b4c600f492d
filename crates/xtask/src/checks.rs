//! What CI runs, step by step, each announced and timed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::{browser, say, tidy};

/// Turns on the tests that need data which is not ours to ship. They are not compiled without
/// it, so that no run can pass them by not looking.
const DATA_FEATURE: [&str; 2] = ["--features", "reference-data"];

/// Format, lints, project rules and every test; with a folder of reference data, also the tests
/// that compare with it, and fail where it lacks something.
pub(crate) fn test(data: Option<&Path>) -> Result<()> {
    let data = data.map(|folder| {
        folder.canonicalize().with_context(|| format!("no data folder at {}", folder.display()))
    });
    let data = data.transpose()?;
    let features: &[&str] = if data.is_some() { &DATA_FEATURE } else { &[] };
    postgres()?;
    strace()?;
    lint()?;
    tidy::run()?;
    let test = |what: &str, arguments: &[&str]| {
        let arguments = [arguments, features].concat();
        let mut command = cargo_program();
        if let Some(folder) = &data {
            command.env("ASSIZE_DATA", folder);
        }
        run(what, &arguments, &mut command)
    };
    // nextest runs test binaries side by side; without it cargo's own runner does the same work.
    if has_nextest() {
        test("tests", &["nextest", "run", "--workspace", "--no-fail-fast"])?;
        test("doc tests", &["test", "--workspace", "--doc", "--quiet"])?;
    } else {
        test("tests", &["test", "--workspace", "--no-fail-fast"])?;
    }
    browser::test()
}

/// Format and clippy, with warnings denied; the tests with reference data too, lest they rot.
pub(crate) fn lint() -> Result<()> {
    cargo("format", &["fmt", "--all", "--check"])?;
    let clippy = ["clippy", "--workspace", "--all-targets"];
    cargo("clippy", &[&clippy[..], &DATA_FEATURE, &["--", "-D", "warnings"]].concat())
}

/// The folder that holds the workspace's `Cargo.toml`.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// The store's tests start a PostgreSQL server of their own. Where its programs are absent and
/// we may install them, we do; where we may not, the tests fail and say what is missing.
fn postgres() -> Result<()> {
    let is_there = Path::new("/usr/lib/postgresql").is_dir()
        || std::env::var_os("ASSIZE_POSTGRES_BIN").is_some()
        || succeeds(Command::new("initdb").arg("--version"));
    if is_there { Ok(()) } else { install("postgresql") }
}

/// Tests of a disk that fails have `strace` refuse the calls of a process.
fn strace() -> Result<()> {
    if is_on_path("strace") { Ok(()) } else { install("strace") }
}

/// Installs a package of Debian's where we may; where we may not, what needs it says so itself.
pub(crate) fn install(package: &str) -> Result<()> {
    let id = Command::new("id").arg("-u").output();
    let is_root = id.is_ok_and(|id| id.stdout.trim_ascii() == b"0");
    if !is_root || !is_on_path("apt-get") {
        return Ok(());
    }
    say(&format!("== apt-get install -y {package}"));
    let install = || {
        let mut install = Command::new("apt-get");
        install.args(["install", "-y", "--no-install-recommends", package]);
        install.env("DEBIAN_FRONTEND", "noninteractive").status()
    };
    // The list of packages may be old, or not there at all.
    if !install().is_ok_and(|status| status.success()) {
        let _ = Command::new("apt-get").arg("update").status();
        let status = install().context("could not start apt-get")?;
        if !status.success() {
            bail!("{package} could not be installed: `apt-get install -y {package}`");
        }
    }
    Ok(())
}

/// `cargo`, as somebody would start it by hand.
pub(crate) fn cargo_program() -> Command {
    as_typed(Command::new("cargo"))
}

/// Takes what `cargo run` told this program about itself out of a command's environment. Build
/// scripts that look at it (ring's does) would run again, and hundreds of crates be compiled again,
/// whenever cargo is started now by hand and now from here.
pub(crate) fn as_typed(mut command: Command) -> Command {
    for (name, _) in std::env::vars_os() {
        let is_ours = name.to_str().is_some_and(|name| {
            name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_")
        });
        if is_ours {
            command.env_remove(name);
        }
    }
    command
}

/// Whether a program can be started.
pub(crate) fn is_on_path(program: &str) -> bool {
    succeeds(Command::new(program).arg("--version"))
}

fn succeeds(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn has_nextest() -> bool {
    succeeds(cargo_program().args(["nextest", "--version"]))
}

fn cargo(what: &str, arguments: &[&str]) -> Result<()> {
    run(what, arguments, &mut cargo_program())
}

fn run(what: &str, arguments: &[&str], command: &mut Command) -> Result<()> {
    say(&format!("== {what}: cargo {}", arguments.join(" ")));
    let started = Instant::now();
    let status = command
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

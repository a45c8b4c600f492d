//! The pages in a real browser: the walk of an analyst, and what holds for every page.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::checks::{cargo_program, install, is_on_path, root};
use crate::say;

/// Where the tests are.
const FOLDER: &str = "tests/browser";

/// Where the pictures of the documentation are.
const PICTURES: &str = "docs/images";

/// Chromium and Node.js from the system's packages, the driver from its lock file, then every
/// test.
pub(crate) fn test() -> Result<()> {
    let program = prepared()?;
    say("== browser: node --test tests/browser");
    let started = Instant::now();
    let walk = || {
        let mut node = Command::new("node");
        node.args(["--test", "--test-concurrency=1"]).current_dir(root().join(FOLDER));
        succeed(node.env("ASSIZE_BIN", &program), "the browser tests")
    };
    // A browser that starts on a busy machine may miss a deadline once; a page that is wrong is
    // wrong twice.
    if let Err(first) = walk() {
        say(&format!("== browser: {first}; once more"));
        walk()?;
    }
    say(&format!("== browser: {:.0} s", started.elapsed().as_secs_f64()));
    Ok(())
}

/// Takes the pictures of the documentation anew.
pub(crate) fn screenshots() -> Result<()> {
    let program = prepared()?;
    let mut node = Command::new("node");
    node.arg("screenshots.mjs").arg(root().join(PICTURES)).current_dir(root().join(FOLDER));
    succeed(node.env("ASSIZE_BIN", program), "the screenshots")
}

/// Takes a picture of every page at every width, for people to look at.
pub(crate) fn every_picture(folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("could not make {}", folder.display()))?;
    let folder = folder.canonicalize()?;
    if folder.starts_with(root().canonicalize()?) {
        bail!("{} is in the repository: choose a folder outside", folder.display());
    }
    let program = prepared()?;
    let mut node = Command::new("node");
    node.arg("every-picture.mjs").arg(folder).current_dir(root().join(FOLDER));
    succeed(node.env("ASSIZE_BIN", program), "the screenshots")
}

/// What the tests need; returns the program that they test.
fn prepared() -> Result<PathBuf> {
    if std::env::var_os("ASSIZE_CHROMIUM").is_none() && !Path::new("/usr/bin/chromium").exists() {
        install("chromium")?;
    }
    if !is_on_path("node") {
        install("nodejs")?;
    }
    let folder = root().join(FOLDER);
    if !folder.join("node_modules/playwright-core").is_dir() {
        if !is_on_path("npm") {
            install("npm")?;
        }
        let mut npm = Command::new("npm");
        npm.args(["ci", "--no-audit", "--no-fund", "--ignore-scripts"]).current_dir(&folder);
        succeed(&mut npm, "npm ci")?;
    }
    // The build of the other tests: with `--package` alone, crates would get other features and
    // be compiled once more.
    let mut cargo = cargo_program();
    cargo.args(["test", "--workspace", "--no-run", "--quiet"]).current_dir(root());
    succeed(&mut cargo, "cargo test --no-run")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(target.unwrap_or_else(|| root().join("target")).join("debug/assize"))
}

fn succeed(command: &mut Command, what: &str) -> Result<()> {
    let status = command.status().with_context(|| format!("could not start {what}"))?;
    if !status.success() {
        bail!("{what} failed");
    }
    Ok(())
}

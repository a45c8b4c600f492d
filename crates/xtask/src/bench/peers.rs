//! Peers from Python, in a virtual environment of the bench's own.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::checks::root;
use crate::say;

/// A Python with packages installed.
pub(crate) struct Python {
    program: PathBuf,
}

impl Python {
    /// A virtual environment under `folder` with `packages`; none when Python or the
    /// packages cannot be had here.
    pub(crate) fn with(folder: &Path, packages: &[&str]) -> Option<Self> {
        let environment = folder.join("venv");
        let program = environment.join("bin/python");
        let made = program.exists()
            || succeeds(Command::new("python3").args(["-m", "venv"]).arg(&environment));
        if !made {
            say("no python3 with venv here: peers are skipped");
            return None;
        }
        let mut install = Command::new(&program);
        install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        if !succeeds(install.args(packages)) {
            say(&format!("could not install {}: skipped", packages.join(", ")));
            return None;
        }
        Some(Self { program })
    }

    /// A script of the bench, ready to be started.
    pub(crate) fn script(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(root().join("crates/xtask/bench").join(name));
        command
    }

    /// Runs a script that prints one number of seconds on its last line.
    pub(crate) fn seconds(&self, name: &str, arguments: &[&Path]) -> Result<f64> {
        let output =
            self.script(name).args(arguments).output().context("could not start python")?;
        if !output.status.success() {
            bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr));
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let last = text.lines().last().unwrap_or_default();
        last.trim().parse().with_context(|| format!("{name} printed `{last}`, not seconds"))
    }
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

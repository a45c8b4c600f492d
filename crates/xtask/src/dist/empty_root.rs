//! Whether the binary runs where there is nothing but itself.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::say;

/// Runs the demonstration in a root folder that holds the binary alone. Needs to be root, or a
/// kernel that lets anybody have a namespace; where neither is so it says that it did not look.
pub(crate) fn check(binary: &Path) -> Result<()> {
    let root = tempfile::tempdir().context("could not make an empty folder")?;
    fs::copy(binary, root.path().join("assize")).context("could not copy the binary")?;
    fs::create_dir(root.path().join("tmp"))?;
    let mut command = Command::new("unshare");
    command.args(["--user", "--map-root-user", "--root"]).arg(root.path());
    let done = command.args(["/assize", "demo"]).env_clear().output();
    let done = match done {
        Ok(done) if done.status.success() => done,
        _ => Command::new("chroot")
            .arg(root.path())
            .args(["/assize", "demo"])
            .env_clear()
            .output()?,
    };
    let said = String::from_utf8_lossy(&done.stderr);
    if said.contains("Operation not permitted") || said.contains("cannot change root") {
        say(
            "== dist: the binary was NOT tried in an empty root: neither chroot nor namespaces are allowed here",
        );
        return Ok(());
    }
    if !done.status.success() || done.stdout.is_empty() {
        bail!("the binary does not run in an empty root: {said}");
    }
    let lines = String::from_utf8_lossy(&done.stdout).lines().count();
    say(&format!("== dist: `assize demo` in an empty root printed {lines} lines"));
    Ok(())
}

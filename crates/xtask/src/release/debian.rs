//! A Debian 12 of its own folder, with nothing but Python, in which programs are started.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::checks::{install, is_on_path, root};
use crate::dist::output;
use crate::say;

/// What stands in it besides the least that Debian is.
const PACKAGES: &str = "ca-certificates,python3,python3-venv";

/// The root folder of a system.
pub(super) struct Debian(PathBuf);

impl Debian {
    /// The system, unpacked from Debian's archive once and kept.
    pub(super) fn unpacked() -> Result<Self> {
        let folder = root().join("target/release-roots/debian-12");
        if !folder.join("usr/bin/python3").exists() {
            if !is_on_path("debootstrap") {
                install("debootstrap")?;
            }
            say("== release: debootstrap bookworm");
            let mut unpack = Command::new("debootstrap");
            unpack.args(["--variant=minbase", &format!("--include={PACKAGES}"), "bookworm"]);
            output(unpack.arg(&folder)).context("needs root, debootstrap and Debian's archive")?;
        }
        Ok(Self(folder))
    }

    /// A copy that may be changed.
    pub(super) fn copied(&self, name: &str) -> Result<Self> {
        let folder = self.0.with_file_name(name.replace(' ', "-"));
        let _ = fs::remove_dir_all(&folder);
        output(Command::new("cp").args(["-a", "--reflink=auto"]).arg(&self.0).arg(&folder))?;
        Ok(Self(folder))
    }

    /// The place of a path within it.
    pub(super) fn place(&self, path: &str) -> PathBuf {
        self.0.join(path.trim_start_matches('/'))
    }

    /// Brings a file in; its path there.
    pub(super) fn take(&self, file: &Path) -> Result<String> {
        let name = file.file_name().context("a file has a name")?.to_string_lossy();
        fs::copy(file, self.place(&name)).with_context(|| name.clone().into_owned())?;
        Ok(format!("/{name}"))
    }

    /// Unpacks an archive without the folder that holds all of it.
    pub(super) fn unpack(&self, archive: &Path, to: &str) -> Result<()> {
        let mut tar = Command::new("tar");
        tar.args(["--strip-components=1", "-C"]).arg(self.place(to)).arg("-xzf").arg(archive);
        output(&mut tar).map(drop)
    }

    /// A command that runs in it, with none of this machine's environment.
    pub(super) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new("chroot");
        command.arg(&self.0).args(words).env_clear();
        command.env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/root");
        command
    }

    /// What a program prints.
    pub(super) fn run(&self, words: &[&str]) -> Result<String> {
        let text = output(&mut self.command(words)).with_context(|| words.join(" "))?;
        if text.contains("Traceback") {
            bail!("{}: {text}", words.join(" "))
        }
        Ok(text)
    }
}

//! Where PostgreSQL's programs are, and as whom they run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

const ABSENT: &str = "PostgreSQL is not installed, and these tests are not skipped: \
    `apt-get install -y postgresql` (Debian, Ubuntu), or name the folder of `initdb` in \
    ASSIZE_POSTGRES_BIN";

/// The programs. PostgreSQL refuses to run as root; then they run as the user `postgres`,
/// whom the package brings.
#[derive(Debug)]
pub(crate) struct Programs {
    folder: PathBuf,
    is_root: bool,
}

impl Programs {
    pub(crate) fn find() -> Self {
        let folder = named().or_else(debian).or_else(on_the_path);
        let folder = folder.unwrap_or_else(|| panic!("{ABSENT}"));
        Self { folder, is_root: is_root() }
    }

    /// A program, to be given its arguments.
    pub(crate) fn command(&self, name: &str) -> Command {
        self.plain(self.folder.join(name))
    }

    /// Any program, run as whom the server runs.
    pub(crate) fn plain(&self, program: impl AsRef<OsStr>) -> Command {
        if !self.is_root {
            return Command::new(program);
        }
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    }

    /// Where the programs are: it names their version.
    pub(crate) fn place(&self) -> &Path {
        &self.folder
    }

    /// An empty folder that the server may use.
    pub(crate) fn folder(&self) -> PathBuf {
        let folder = tempfile::Builder::new().prefix("assize-postgres-").tempdir();
        let folder = folder.unwrap_or_else(|error| panic!("no temporary folder: {error}")).keep();
        if self.is_root {
            let owned = Command::new("chown").arg("postgres").arg(&folder).status();
            assert!(
                owned.is_ok_and(|status| status.success()),
                "could not chown {}",
                folder.display()
            );
        }
        folder
    }
}

fn named() -> Option<PathBuf> {
    std::env::var_os("ASSIZE_POSTGRES_BIN").map(PathBuf::from)
}

/// Debian keeps every version apart; the newest is taken.
fn debian() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = versions.filter_map(|entry| {
        let version: u32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
        let folder = Path::new("/usr/lib/postgresql").join(version.to_string()).join("bin");
        folder.join("initdb").exists().then_some((version, folder))
    });
    folders.max().map(|(_, folder)| folder)
}

fn on_the_path() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find(|folder| folder.join("initdb").exists())
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}

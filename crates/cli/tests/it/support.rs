//! Running the binary and reading what it said.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What the binary said and how it ended.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `assize` with arguments, in the folder of the samples.
pub(crate) fn assize(arguments: &[&str]) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(arguments)
        .current_dir(examples())
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    Said {
        code: output.status.code().unwrap(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// What a command that succeeds writes, byte for byte.
pub(crate) fn bytes_of(arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    let output = command.args(arguments).current_dir(examples()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The folder of the samples.
pub(crate) fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// A file in a folder of its own.
pub(crate) fn file(name: &str, text: impl AsRef<[u8]>) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

//! Running the binary and reading what it said.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::Duration;

/// What the binary said and how it ended.
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs `assize` with arguments, in the folder of the samples.
pub(crate) fn assize(arguments: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_assize"));
    command.args(arguments).current_dir(examples()).env_remove("NO_COLOR").output().unwrap().into()
}

/// Interrupts a command whose standard error is piped, once something holds: it has to end with
/// 130 and to say how it goes on.
pub(crate) fn interrupt(child: Child, mut once: impl FnMut() -> bool) {
    while !once() {
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130), "{stderr}");
    assert!(stderr.contains("run the same command again"), "{stderr}");
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

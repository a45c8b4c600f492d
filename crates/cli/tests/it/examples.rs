//! Every example of the help texts runs, from the top of the table down, as one story.

use std::path::Path;
use std::process::Command;

use crate::support::examples;

const TABLE: &str = include_str!("../../src/examples.txt");

#[test]
fn every_example_of_the_help_runs() {
    let folder = tempfile::tempdir().unwrap();
    copied(&examples(), &folder.path().join("examples"));
    let binary = Path::new(env!("CARGO_BIN_EXE_assize"));
    let mut path = vec![binary.parent().unwrap().to_path_buf()];
    path.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
    let is_command = |line: &&str| line.starts_with("assize ");
    let (mut count, mut refused) = (0, Vec::new());
    for line in TABLE.lines().filter(is_command) {
        let command = line.split_once("  ").map_or(line, |(command, _)| command);
        let done = Command::new("sh")
            .args(["-c", command])
            .current_dir(folder.path())
            .env("PATH", std::env::join_paths(&path).unwrap())
            .env("HOME", folder.path())
            .env_remove("ASSIZE_DATABASE_URL")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap();
        // 1 is a threshold that was missed, which some examples show; all else is a mistake.
        if !matches!(done.status.code(), Some(0 | 1)) {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            refused.push(format!("{command}: {:?}\n{said}", done.status.code()));
        }
        count += 1;
    }
    assert!(refused.is_empty(), "{} of {count} examples:\n{}", refused.len(), refused.join("\n"));
    assert!(count > 150, "only {count} examples were run");
}

/// A folder with everything in it, copied.
fn copied(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copied(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

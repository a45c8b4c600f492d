//! What the guides show is what the binary prints.
//!
//! In a block that begins with three backticks and `console`, a line `$ assize …` is a
//! command, run in the project's folder, and what follows is its output. A line `…` stands
//! for whatever the reader is spared until the next line that is shown.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Commands with the output that a page shows for each.
fn shown(page: &str) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    let mut in_block = false;
    for line in page.lines() {
        if line.starts_with("```") {
            in_block = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ assize ").filter(|_| in_block) {
            commands.push((command.to_owned(), Vec::new()));
        } else if let Some((_, output)) = commands.last_mut().filter(|_| in_block) {
            output.push(line.to_owned());
        }
    }
    commands
}

/// What a command prints; the commands of a page share a database.
fn printed(command: &str, database: &Path) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(command.split_whitespace())
        .current_dir(root())
        .env("ASSIZE_DATABASE_URL", database)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// Whether the shown lines are the printed ones, but for what `…` leaves out.
fn agrees(shown: &[String], printed: &[String]) -> bool {
    match shown {
        [] => printed.is_empty(),
        [rest] if rest == "…" => true,
        [rest, after @ ..] if rest == "…" => {
            (0..printed.len()).any(|start| agrees(after, &printed[start..]))
        }
        [line, after @ ..] => printed.first() == Some(line) && agrees(after, &printed[1..]),
    }
}

#[test]
fn every_shown_command_prints_what_is_shown() {
    let folders = ["docs/guide", "docs/coming-from"];
    let guides = folders.iter().flat_map(|folder| std::fs::read_dir(root().join(folder)).unwrap());
    let pages = guides.map(|entry| entry.unwrap().path()).chain([root().join("README.md")]);
    let mut checked = 0;
    for page in pages {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("assize.db");
        for (command, mut expected) in shown(&std::fs::read_to_string(&page).unwrap()) {
            while expected.last().is_some_and(String::is_empty) {
                expected.pop();
            }
            let mut actual = printed(&command, &database);
            while actual.last().is_some_and(String::is_empty) {
                actual.pop();
            }
            let page = page.display();
            assert!(
                agrees(&expected, &actual),
                "{page}: `assize {command}` prints\n{}",
                actual.join("\n")
            );
            checked += 1;
        }
    }
    assert!(checked >= 5, "only {checked} commands are shown");
}

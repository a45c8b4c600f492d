//! The tables that say which test shows which case, and which statement of the design.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of the table: id, and the tests that show it.
fn table() -> Vec<(String, Vec<String>)> {
    let guide =
        fs::read_to_string(root().join("docs/adr/0016-what-a-council-must-never-do.md")).unwrap();
    let rows = guide.lines().filter(|line| line.starts_with("| `"));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "{line}");
        let quoted = |cell: &str| -> Vec<String> {
            cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
        };
        (quoted(cells[0]).remove(0), quoted(cells[1]))
    })
    .collect()
}

/// The names of all functions in the sources of the repository.
fn functions() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(path).unwrap();
                let after = text.split("fn ").skip(1);
                found.extend(
                    after.filter_map(|rest| rest.split_once('(')).map(|(name, _)| name.to_owned()),
                );
            }
        }
    }
    found
}

#[test]
fn every_case_in_the_guide_names_tests_that_exist() {
    let (table, functions) = (table(), functions());
    assert!(table.len() >= 58, "{} cases", table.len());
    // These two are about commands and tools, and are shown there.
    let elsewhere = ["safety-gate-missing-on-mcp-path", "models-arg-ignored"];
    for (id, tests) in &table {
        assert!(!tests.is_empty() || elsewhere.contains(&id.as_str()), "{id} names no test");
        for test in tests {
            assert!(functions.contains(test), "{id}: there is no test `{test}`");
        }
    }
}

#[cfg(feature = "reference-data")]
#[test]
fn every_case_of_the_reference_list_is_in_the_guide() {
    let data =
        std::env::var_os("ASSIZE_DATA").expect("`cargo xtask test --data DIR` sets ASSIZE_DATA");
    let path = PathBuf::from(data).join("council/must_do_better.json");
    let list: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let listed: BTreeSet<String> = table().into_iter().map(|(id, _)| id).collect();
    for case in list["cases"].as_array().unwrap() {
        let id = case["id"].as_str().unwrap();
        assert!(listed.contains(id), "{id} is not in the guide");
    }
}

/// The files below `crates` that hold tests, as paths with slashes.
fn test_files() -> Vec<String> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join("crates")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs")
                && fs::read_to_string(&path).unwrap().contains("#[test]")
            {
                found.push(path.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found
}

/// A file is named by the end of its path, and a test by its name.
#[test]
fn every_statement_of_the_design_has_a_state_and_names_tests_that_exist() {
    let path = root().join("docs/adr/0015-the-design-of-councils.md");
    let table = fs::read_to_string(path).unwrap();
    let rows: Vec<&str> = table.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() >= 27, "{} statements", rows.len());
    let (files, functions) = (test_files(), functions());
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 3, "{row}");
        let states = ["works", "differs", "missing"];
        assert!(states.iter().any(|state| cells[1].starts_with(state)), "{row}");
        let names: Vec<&str> = cells[2].split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        for name in names {
            let is_there = files.iter().any(|file| file.ends_with(&format!("/{name}")))
                || functions.contains(name);
            assert!(is_there, "there is no test `{name}`: {row}");
        }
    }
}

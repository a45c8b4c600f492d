//! The walls of the application layer: what may be written in which crate.

use std::path::Path;

/// Where the outside world may be asked: whoever talks to it.
const DOORS: [&str; 3] = ["cli", "server", "mcp"];
/// What only they may do.
const OUTSIDE: [&str; 4] = ["env::var", "io::stdin", "ctrl_c(", "signal::"];
/// Crates that are no part of the product.
const TOOLS: [&str; 3] = ["xtask", "injector", "testbed"];

/// What is written for others in place: formats that somebody else defined, and what assistants
/// read once.
const FOREIGN: [&str; 7] = [
    "crates/cli/src/commands/check/sarif.rs",
    "crates/documents/src/criteria/to_oscal.rs",
    "crates/engine/src/runs/elsewhere.rs",
    "crates/exports/src/oscal",
    "crates/mcp/src/council/compact.rs",
    "crates/models/src/protocols",
    "crates/server/src/api/describe.rs",
];
/// Where the flags of other programs are named.
const OTHER_PROGRAMS: &str = "crates/engine/src/postgres_tools.rs";

/// Everything on a line that its crate may not have.
pub(super) fn check(path: &Path, text: &str, breach: &mut impl FnMut(usize, String)) {
    let mut parts = path.iter().filter_map(|part| part.to_str());
    let (Some("crates"), Some(name)) = (parts.next(), parts.next()) else { return };
    // Tests and examples may ask for anything; `tests.rs` is a file of unit tests.
    let is_test = path.ends_with("tests.rs") || parts.next() != Some("src");
    if is_test || TOOLS.contains(&name) {
        return;
    }
    let mut in_tests = false;
    for (index, line) in text.lines().enumerate() {
        in_tests = in_tests || line == "#[cfg(test)]";
        let code = line.trim_start();
        if in_tests || code.starts_with("//") {
            continue;
        }
        let is_ours = name != "wire" && !FOREIGN.iter().any(|foreign| path.starts_with(foreign));
        if is_ours && code.contains(concat!("json", "!(")) {
            breach(index + 1, "shapes are typed, in `wire`".to_owned());
        }
        if DOORS.contains(&name) {
            continue;
        }
        for call in OUTSIDE.iter().filter(|call| code.contains(**call)) {
            let whose = "belongs to the command line and the server";
            breach(index + 1, format!("`{call}` {whose}"));
        }
        // A page is read beside the command that made it, and `--heat` is a property of CSS.
        if let Some(flag) =
            flag(code).filter(|_| name != "page" && path != Path::new(OTHER_PROGRAMS))
        {
            let instead = "is a flag of the command line: name the setting instead";
            breach(index + 1, format!("`{flag}` {instead}"));
        }
    }
}

/// A flag inside a text: `--store`. `--` alone, and a rule of dashes, is none.
fn flag(code: &str) -> Option<&str> {
    let text = code.find('"').map_or("", |start| &code[start..]);
    text.match_indices("--").find_map(|(place, _)| {
        let is_free = text[..place].ends_with(['"', ' ', '`', '(', '\'']);
        let word = text[place + 2..].find(|c: char| !c.is_ascii_lowercase() && c != '-');
        let word = &text[place..place + 2 + word.unwrap_or(text.len() - place - 2)];
        (is_free && word.len() > 3 && !word[2..].starts_with('-')).then_some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breaches(path: &str, text: &str) -> Vec<usize> {
        let mut lines = Vec::new();
        check(Path::new(path), text, &mut |line, _| lines.push(line));
        lines
    }

    #[test]
    fn a_shape_is_written_in_wire_alone() {
        let text = concat!("let x = json", "!({});");
        assert_eq!(breaches("crates/engine/src/a.rs", text), [1]);
        assert_eq!(breaches("crates/wire/src/a.rs", text), [0; 0]);
        assert_eq!(breaches("crates/cli/tests/it/a.rs", text), [0; 0]);
        assert_eq!(breaches("crates/methods/src/a/tests.rs", text), [0; 0]);
        let tested = format!("#[cfg(test)]\n{text}");
        assert_eq!(breaches("crates/engine/src/a.rs", &tested), [0; 0]);
    }

    #[test]
    fn only_doors_name_flags_and_ask_the_world() {
        let text =
            "// --store\nerr(\"give --store\");\nstd::env::var(\"X\");\n\"a -- b\";\n\"----\";";
        assert_eq!(breaches("crates/engine/src/a.rs", text), [2, 3]);
        assert_eq!(breaches("crates/cli/src/a.rs", text), [0; 0]);
    }
}

//! Project rules that no other tool checks, one function each.

mod edges;
mod imports;
mod links;
mod packages;
mod walls;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::checks::root;
use crate::say;

/// Longer files are split; see CONVENTIONS.md.
const LINES_MAX: usize = 500;

/// A file of the tree with its text.
struct Source {
    path: PathBuf,
    text: String,
}

/// Checks every rule and names each breach with its place.
pub(crate) fn run() -> Result<()> {
    let sources = tracked_sources()?;
    let mut breaches = Vec::new();
    for source in &sources {
        let path = source.path.display();
        let mut breach =
            |line: usize, what: String| breaches.push(format!("{path}:{line}: {what}"));
        white_space(source, &mut breach);
        outside_paths(source, &mut breach);
        if is_rust(&source.path) {
            header(source, &mut breach);
            length(source, &mut breach);
            unfinished(source, &mut breach);
            imports::check(&source.text, &mut breach);
            walls::check(&source.path, &source.text, &mut breach);
        } else {
            packages::check(&source.path, &source.text, &mut breach);
        }
    }
    breaches.extend(edges::check(&root())?);
    breaches.extend(decisions(&sources));
    breaches.extend(forgotten_tests(&sources));
    breaches.extend(broken_links(&sources)?);
    if breaches.is_empty() {
        say(&format!("== tidy: {} files, nothing to mend", sources.len()));
        return Ok(());
    }
    bail!("project rules broken:\n  {}", breaches.join("\n  "))
}

/// The names of all files that git tracks or would track.
fn tracked_names() -> Result<String> {
    let listing = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .context("could not ask git for the files of the tree")?;
    String::from_utf8(listing.stdout).context("a file name is not UTF-8")
}

/// Text files that git tracks or would track.
fn tracked_sources() -> Result<Vec<Source>> {
    let listing = tracked_names()?;
    let mut sources = Vec::new();
    for name in listing.lines() {
        // Binary assets are not UTF-8 and have no style of ours.
        if let Ok(text) = fs::read_to_string(root().join(name)) {
            sources.push(Source { path: PathBuf::from(name), text });
        }
    }
    Ok(sources)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

/// Data keeps the bytes it came with; everything people edit is clean at line ends.
fn white_space(source: &Source, breach: &mut impl FnMut(usize, String)) {
    let edited = ["rs", "toml", "md", "css", "js", "html", "py"];
    let extension = source.path.extension().and_then(|extension| extension.to_str());
    if !extension.is_some_and(|extension| edited.contains(&extension)) {
        return;
    }
    for (index, line) in source.text.lines().enumerate() {
        if line.ends_with([' ', '\t']) {
            breach(index + 1, "white space at the end of the line".to_owned());
        }
    }
    if !source.text.is_empty() && !source.text.ends_with('\n') {
        breach(source.text.lines().count(), "no line end at the end of the file".to_owned());
    }
}

/// A fresh clone has nothing beside it.
fn outside_paths(source: &Source, breach: &mut impl FnMut(usize, String)) {
    // Written apart, so that this file does not break its own rule.
    let foreign = [concat!("../", "shared"), concat!("/", "work/"), concat!("/", "root/")];
    for (index, line) in source.text.lines().enumerate() {
        if let Some(path) = foreign.iter().find(|path| line.contains(**path)) {
            breach(index + 1, format!("`{path}` is outside the project"));
        }
    }
}

fn header(source: &Source, breach: &mut impl FnMut(usize, String)) {
    if !source.text.starts_with("//! ") {
        breach(1, "a file begins with `//!` and one line that says what lives here".to_owned());
    }
}

fn length(source: &Source, breach: &mut impl FnMut(usize, String)) {
    let lines = source.text.lines().count();
    if lines > LINES_MAX {
        breach(lines, format!("{lines} lines; split it, {LINES_MAX} is the limit"));
    }
}

fn unfinished(source: &Source, breach: &mut impl FnMut(usize, String)) {
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("#[ig", "nore")];
    for (index, line) in source.text.lines().enumerate() {
        if let Some(mark) = marks.iter().find(|mark| line.contains(**mark)) {
            breach(index + 1, format!("`{mark}`: finish it, or write an issue"));
        }
    }
}

/// Pages lead to pages that are there, pictures among them.
fn broken_links(sources: &[Source]) -> Result<Vec<String>> {
    let files = tracked_names()?.lines().map(PathBuf::from).collect();
    let is_page = |source: &&Source| source.path.extension().is_some_and(|it| it == "md");
    let pages = sources.iter().filter(is_page);
    let pages: Vec<_> = pages.map(|one| (one.path.as_path(), one.text.as_str())).collect();
    let mut breaches = Vec::new();
    links::check(&pages, &files, &mut |page, line, what| {
        breaches.push(format!("{}:{line}: {what}", page.display()));
    });
    Ok(breaches)
}

/// Decisions are numbered without gaps, so that one can be cited.
fn decisions(sources: &[Source]) -> Vec<String> {
    let mut numbers: Vec<usize> = sources
        .iter()
        .filter(|source| source.path.starts_with("docs/adr"))
        .filter_map(|source| source.path.file_name()?.to_str()?.get(..4)?.parse().ok())
        .collect();
    numbers.sort_unstable();
    let expected: Vec<usize> = (1..=numbers.len()).collect();
    if numbers == expected {
        return Vec::new();
    }
    vec![format!("docs/adr: numbered {numbers:?}, expected {expected:?}")]
}

/// The command line's tests are one binary; a file it does not name never runs.
fn forgotten_tests(sources: &[Source]) -> Vec<String> {
    let folder = Path::new("crates/cli/tests/it");
    let text = |name: &str| sources.iter().find(|source| source.path == folder.join(name));
    let main = text("main.rs").map_or("", |source| source.text.as_str());
    let inside = sources.iter().filter(|source| source.path.parent() == Some(folder));
    let stems = inside.filter_map(|source| source.path.file_stem()?.to_str());
    stems
        .filter(|stem| *stem != "main" && !main.contains(&format!("mod {stem};")))
        .map(|stem| format!("{}: `mod {stem};` is missing", folder.join("main.rs").display()))
        .collect()
}

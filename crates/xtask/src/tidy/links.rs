//! Links of Markdown pages lead somewhere, and every page of the book is in its contents.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// The contents of the book.
const CONTENTS: &str = "docs/SUMMARY.md";
/// The page that says where things are, and the heading of its table.
const MAP: &str = "ARCHITECTURE.md";
const MAP_HEADING: &str = "## Where to find things";

/// Every link of a page that leads to no file or to no heading.
pub(super) fn check(
    pages: &[(&Path, &str)],
    files: &BTreeSet<PathBuf>,
    breach: &mut impl FnMut(&Path, usize, String),
) {
    for (page, text) in pages {
        for (line, link) in links(text) {
            let (target, heading) = link.split_once('#').unwrap_or((&link, ""));
            let folder = page.parent().unwrap_or(Path::new(""));
            let path = if target.is_empty() { page.to_path_buf() } else { plain(folder, target) };
            let is_folder = files.iter().any(|file| file.starts_with(&path));
            if !files.contains(&path) && !is_folder {
                breach(page, line, format!("the link `{link}` leads nowhere"));
                continue;
            }
            let there = pages.iter().find(|(page, _)| *page == path).map(|(_, text)| *text);
            if !heading.is_empty() && there.is_some_and(|text| !anchors(text).contains(heading)) {
                breach(page, line, format!("`{link}`: that page has no such heading"));
            }
        }
    }
    if let Some((page, text)) = pages.iter().find(|(page, _)| *page == Path::new(MAP)) {
        map(text, files, &mut |line, what| breach(page, line, what));
    }
    let contents = pages.iter().find(|(page, _)| *page == Path::new(CONTENTS));
    let Some((_, text)) = contents else { return };
    let listed: BTreeSet<PathBuf> =
        links(text).into_iter().map(|(_, link)| plain(Path::new("docs"), &link)).collect();
    for (page, _) in pages.iter().filter(|(page, _)| page.starts_with("docs")) {
        if *page != Path::new(CONTENTS) && !listed.contains(*page) {
            breach(page, 1, format!("{CONTENTS} does not list this page"));
        }
    }
}

/// Every path in the table of where to find things that is not there. A path is one of the tree, of
/// `crates/`, or of a folder that the path before it in its row stands in; `…` and `*` end it.
fn map(text: &str, files: &BTreeSet<PathBuf>, breach: &mut impl FnMut(usize, String)) {
    let after = text.lines().enumerate().skip_while(|(_, line)| *line != MAP_HEADING).skip(1);
    let rows = after.take_while(|(_, line)| !line.starts_with("## "));
    for (index, row) in rows.filter(|(_, line)| line.starts_with('|')) {
        let mut before = PathBuf::from("crates");
        let is_path = |word: &&str| {
            word.contains('/') || Path::new(word).extension().is_some_and(|end| end == "rs")
        };
        for path in row.split('`').skip(1).step_by(2).filter(is_path) {
            let whole = match path.split_once(['…', '*']) {
                Some((start, _)) => start.rsplit_once('/').map_or("", |(folder, _)| folder),
                None => path,
            };
            if whole.is_empty() {
                continue;
            }
            let folders =
                [Path::new(""), Path::new("crates")].into_iter().chain(before.ancestors());
            let is_there = |place: &PathBuf| files.iter().any(|file| file.starts_with(place));
            let found = folders.map(|folder| folder.join(whole)).find(is_there);
            match found {
                Some(place) => before = place,
                None => breach(index + 1, format!("the map names `{path}`, which is not there")),
            }
        }
    }
}

/// The links of a page to files of the project, each with its line; what stands in a block of
/// code is none.
fn links(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut in_block = false;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        }
        if in_block {
            continue;
        }
        for part in line.split("](").skip(1) {
            let Some((link, _)) = part.split_once(')') else { continue };
            if !link.contains("://") && !link.starts_with("mailto:") && !link.is_empty() {
                found.push((index + 1, link.to_owned()));
            }
        }
    }
    found
}

/// What a heading is called in a link: lower case, blanks as dashes, other signs left out.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let words = line.trim_start_matches('#').trim().to_lowercase();
            let kept =
                words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
            kept.map(|c| if c == ' ' { '-' } else { c }).collect()
        })
        .collect()
}

/// A path below the project without `.` and `..`.
fn plain(folder: &Path, link: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in folder.join(link).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(part) => path.push(part),
            _ => {}
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(page: &str) -> Vec<String> {
        let files: BTreeSet<PathBuf> = ["docs/a.md", "docs/guide/b.md"].map(PathBuf::from).into();
        let other = "# One\n## Two words: so\n";
        let pages = [(Path::new("docs/a.md"), page), (Path::new("docs/guide/b.md"), other)];
        let mut found = Vec::new();
        check(&pages, &files, &mut |_, _, what| found.push(what));
        found
    }

    #[test]
    fn a_path_of_the_map_that_is_not_there_is_named() {
        let files = ["crates/a/src/b.rs", "crates/a/src/c/d.rs", "cases/x.toml"];
        let files: BTreeSet<PathBuf> = files.into_iter().map(PathBuf::from).collect();
        let complaints = |row: &str| {
            let mut found = Vec::new();
            map(&format!("{MAP_HEADING}\n{row}\n"), &files, &mut |_, what| found.push(what));
            found
        };
        let row = "| x | `a/src/b.rs`, then `c/d.rs`; `cases/*.toml`, `a/src/…/d.rs` |";
        assert_eq!(complaints(row), Vec::<String>::new());
        let missing = ["the map names `e.rs`, which is not there"];
        assert_eq!(complaints("| x | `a/src/b.rs`, then `e.rs` |"), missing);
    }

    #[test]
    fn links_to_pages_folders_and_headings_are_fine() {
        let page =
            "[b](guide/b.md) [folder](guide/) [two](guide/b.md#two-words-so) [web](https://x.y)";
        assert_eq!(complaints(page), Vec::<String>::new());
        assert_eq!(complaints("```text\n[no](link.md)\n```\n"), Vec::<String>::new());
    }

    #[test]
    fn a_missing_page_and_a_missing_heading_are_named() {
        assert_eq!(complaints("[c](guide/c.md)"), ["the link `guide/c.md` leads nowhere"]);
        let missing = complaints("[b](guide/b.md#three)");
        assert_eq!(missing, ["`guide/b.md#three`: that page has no such heading"]);
    }
}

//! Policies with the controls they name, and their text without those names.

use std::collections::BTreeSet;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

/// A policy.
pub(crate) struct Policy {
    /// The two letters of its family.
    pub(crate) family: String,
    /// Its text, every control's name blanked out.
    pub(crate) masked: String,
    /// The controls it names.
    pub(crate) named: BTreeSet<String>,
    /// The controls it names in its procedures: neither in the list of what the policy above
    /// it covers, nor in its history.
    pub(crate) named_in_body: BTreeSet<String>,
}

/// The policies of a folder.
pub(crate) fn read(folder: &Path) -> Result<Vec<Policy>, Box<dyn Error>> {
    let mut paths: Vec<_> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with("-Policy.md"))
        .collect();
    paths.sort();
    let mut policies = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let found = names(&text);
        let body = text.find("Procedures\n").unwrap_or(0)
            ..text.find("# Version history").unwrap_or(text.len());
        let in_body = |found: &&(Range<usize>, String)| body.contains(&found.0.start);
        policies.push(Policy {
            family: name.unwrap_or_default().chars().take(2).collect(),
            named_in_body: found.iter().filter(in_body).map(|found| found.1.clone()).collect(),
            masked: masked(&text, &found),
            named: found.into_iter().map(|found| found.1).collect(),
        });
    }
    Ok(policies)
}

/// Where controls are named: `AC-2`, `AC-2(1)`, `AC-2 (1)`.
fn names(text: &str) -> Vec<(Range<usize>, String)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes[from.min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut found = Vec::new();
    for dash in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'-').map(|(at, _)| at) {
        let Some(family) = dash.checked_sub(2).and_then(|start| text.get(start..dash)) else {
            continue;
        };
        let begins = dash < 3 || !bytes[dash - 3].is_ascii_alphanumeric();
        let length = digits(dash + 1);
        let is_name = family.bytes().all(|byte| byte.is_ascii_uppercase()) && begins && length > 0;
        if !is_name {
            continue;
        }
        let mut end = dash + 1 + length;
        let mut name = text[dash - 2..end].to_owned();
        let open = end + usize::from(bytes.get(end) == Some(&b' '));
        let inner = digits(open + 1);
        if bytes.get(open) == Some(&b'(') && inner > 0 && bytes.get(open + 1 + inner) == Some(&b')')
        {
            name.push_str(&text[open..open + inner + 2]);
            end = open + inner + 2;
        }
        found.push((dash - 2..end, name));
    }
    found
}

/// The text with names, family letters before "controls" and names of files blanked out.
fn masked(text: &str, names: &[(Range<usize>, String)]) -> String {
    let mut masked = text.to_owned();
    let blank = |masked: &mut String, range: Range<usize>| {
        let spaces = " ".repeat(range.len());
        masked.replace_range(range, &spaces);
    };
    for (range, _) in names {
        blank(&mut masked, range.clone());
    }
    for ending in [" family controls", " controls", "-Policy.md", " Procedures"] {
        let places: Vec<usize> = masked.match_indices(ending).map(|(at, _)| at).collect();
        for at in places {
            let is_family = at >= 2
                && masked
                    .get(at - 2..at)
                    .is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_uppercase()))
                && (at < 3 || !masked.as_bytes()[at - 3].is_ascii_alphanumeric());
            if is_family {
                blank(&mut masked, at - 2..at);
            }
        }
    }
    masked
}

//! Which of our crates may use which: the layers of ARCHITECTURE.md as a table.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Each crate and those of ours it may use. A new edge is a decision: write an ADR.
const ALLOWED: [(&str, &[&str]); 20] = [
    ("score", &[]),
    ("text", &[]),
    ("stats", &[]),
    // Judges see what a reader says; the models themselves are a feature that methods never enable.
    ("methods", &["score", "text", "stats", "readers"]),
    ("search", &["score", "text", "stats"]),
    ("readers", &["text"]),
    ("wire", &["score", "methods"]),
    ("page", &["score", "methods", "wire"]),
    ("models", &[]),
    ("store", &["score", "methods"]),
    ("documents", &["text"]),
    ("exports", &["score", "methods"]),
    ("injector", &[]),
    ("testbed", &[]),
    (
        "engine",
        &[
            "score",
            "text",
            "stats",
            "methods",
            "search",
            "readers",
            "models",
            "documents",
            "store",
            "exports",
            "wire",
        ],
    ),
    ("mcp", &["score", "methods", "wire", "engine"]),
    ("server", &["score", "methods", "wire", "page", "exports", "engine"]),
    (
        "cli",
        &[
            "score", "stats", "methods", "search", "wire", "page", "exports", "engine", "mcp",
            "server",
        ],
    ),
    ("python", &["score", "methods", "wire", "page", "engine"]),
    ("xtask", &["testbed"]),
];

/// Every edge that the table does not allow.
pub(crate) fn check(root: &Path) -> Result<Vec<String>> {
    let mut breaches = Vec::new();
    let mut folders: Vec<_> = fs::read_dir(root.join("crates"))
        .context("could not list crates/")?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    folders.sort();
    for folder in folders {
        let manifest = root.join("crates").join(&folder).join("Cargo.toml");
        let text = fs::read_to_string(&manifest)
            .with_context(|| format!("could not read crates/{folder}/Cargo.toml"))?;
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == folder) else {
            breaches.push(format!("crates/{folder}: not in the table of layers"));
            continue;
        };
        let foreign = uses(&text).filter(|used| !allowed.contains(&used.as_str()));
        breaches.extend(foreign.map(|used| format!("crates/{folder} may not use {used}")));
    }
    Ok(breaches)
}

/// Our crates that a manifest depends on outside its tests.
fn uses(manifest: &str) -> impl Iterator<Item = String> + '_ {
    let mut in_dependencies = false;
    manifest.lines().filter_map(move |line| {
        if line.starts_with('[') {
            in_dependencies = line == "[dependencies]";
        }
        let used = line.strip_prefix("assize-").filter(|_| in_dependencies)?;
        Some(used.chars().take_while(char::is_ascii_alphanumeric).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_dependencies_of_the_product_count() {
        let manifest = "[dependencies]\nassize-score.workspace = true\nserde = \"1\"\n\
                        [dev-dependencies]\nassize-engine = { path = \"../engine\" }\n";
        assert_eq!(uses(manifest).collect::<Vec<_>>(), ["score"]);
    }
}

//! `cargo xtask docs`: the reference pages, written from the code.

use std::fs;

use anyhow::{Context, Result, bail};

use crate::checks::{cargo_program, root};
use crate::say;

/// Each page and the command that prints it.
const PAGES: [(&str, &[&str]); 4] = [
    ("measures.md", &["measures", "--format", "markdown"]),
    ("cli.md", &["reference"]),
    ("errors.md", &["reference", "errors"]),
    ("openapi.json", &["reference", "openapi"]),
];

/// Writes every page.
pub(crate) fn run() -> Result<()> {
    let folder = root().join("docs/reference");
    fs::create_dir_all(&folder).context("could not make docs/reference")?;
    for (page, arguments) in PAGES {
        let output = cargo_program()
            .args(["run", "--quiet", "--package", "assize", "--"])
            .args(arguments)
            .current_dir(root())
            .output()
            .context("could not start cargo")?;
        if !output.status.success() {
            bail!("could not make {page}: {}", String::from_utf8_lossy(&output.stderr));
        }
        fs::write(folder.join(page), output.stdout)
            .with_context(|| format!("could not write {page}"))?;
        say(&format!("docs/reference/{page}"));
    }
    Ok(())
}

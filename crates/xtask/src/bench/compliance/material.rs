//! Invented policies and criteria of any number, the same on every machine.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bench::generate::Numbers;

/// What sentences are made of: a line each of who, does, what, when and how.
const PARTS: &str = include_str!("../../../data/policies.txt");

/// A folder of documents and a file of criteria, made once.
pub(crate) fn made(
    folder: &Path,
    criteria: usize,
    documents: usize,
) -> Result<(PathBuf, Vec<PathBuf>)> {
    let folder = folder.join(format!("compliance-{criteria}x{documents}"));
    fs::create_dir_all(&folder).context("could not make the folder of policies")?;
    let mut numbers = Numbers::from(17);
    let mut paths = Vec::new();
    for number in 0..documents {
        let path = folder.join(format!("policy-{number:02}.md"));
        write(&path, &policy(&mut numbers, number))?;
        paths.push(path);
    }
    let path = folder.join("criteria.csv");
    let mut text = "criteria_id,requirement,description\n".to_owned();
    for number in 0..criteria {
        let (requirement, why) = (sentence(&mut numbers), sentence(&mut numbers));
        let _ =
            writeln!(text, "C-{number:04},\"{requirement}\",\"Assessors look for this: {why}\"");
    }
    write(&path, &text)?;
    Ok((path, paths))
}

/// About 2,500 words in sections.
fn policy(numbers: &mut Numbers, number: usize) -> String {
    let mut text = format!("# Policy {number} of an invented agency\n");
    for section in 1..=20 {
        let _ = write!(text, "\n## Section {section}\n\n");
        for paragraph in 0..2 {
            for _ in 0..4 {
                text.push_str(&sentence(numbers));
                text.push(' ');
            }
            text.push_str(if paragraph == 0 { "\n\n" } else { "\n" });
        }
    }
    text
}

fn sentence(numbers: &mut Numbers) -> String {
    let one = |line: &str| {
        let parts: Vec<&str> = line.split('|').collect();
        parts[numbers.below(parts.len())].to_owned()
    };
    let [who, does, what, when, how] = {
        let mut parts = PARTS.lines().map(one);
        std::array::from_fn(|_| parts.next().unwrap_or_default())
    };
    format!("{who} {does} {what} {when}, {how}.")
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

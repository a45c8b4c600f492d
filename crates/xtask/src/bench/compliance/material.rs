//! Invented policies and criteria of any number, the same on every machine.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::bench::generate::Numbers;

const ACTORS: [&str; 12] = [
    "The system owner",
    "The security officer",
    "The network team",
    "Every member of staff",
    "The records office",
    "The head of operations",
    "The help desk",
    "The facility manager",
    "The data steward",
    "The change board",
    "The supplier",
    "The audit committee",
];
const ACTS: [&str; 16] = [
    "reviews",
    "documents",
    "approves",
    "monitors",
    "encrypts",
    "tests",
    "updates",
    "restricts",
    "records",
    "disables",
    "inspects",
    "archives",
    "reports",
    "verifies",
    "distributes",
    "protects",
];
const OBJECTS: [&str; 24] = [
    "user accounts",
    "remote access sessions",
    "audit records",
    "backup media",
    "cryptographic keys",
    "configuration baselines",
    "visitor logs",
    "vulnerability scans",
    "incident reports",
    "contingency plans",
    "wireless networks",
    "removable storage",
    "personnel screenings",
    "maintenance tools",
    "software licences",
    "boundary firewalls",
    "training records",
    "physical keys",
    "power supplies",
    "service contracts",
    "risk assessments",
    "privileged functions",
    "mobile devices",
    "system inventories",
];
const TIMES: [&str; 10] = [
    "every quarter",
    "once a year",
    "within one hour",
    "before each release",
    "every thirty days",
    "after each change",
    "at least weekly",
    "within two working days",
    "at the end of employment",
    "whenever a risk is found",
];
const TAILS: [&str; 8] = [
    "and keeps a dated record of the result",
    "and informs the board of any exception",
    "with the written consent of the owner",
    "using approved procedures only",
    "and removes whatever is no longer needed",
    "so that each action can be traced to one person",
    "without interrupting the service",
    "and stores a copy at another site",
];

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
    let mut one = |words: &[&'static str]| words[numbers.below(words.len())];
    format!("{} {} {} {}, {}.", one(&ACTORS), one(&ACTS), one(&OBJECTS), one(&TIMES), one(&TAILS))
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

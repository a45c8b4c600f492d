//! Compliance by rules: a thousand criteria against twenty documents, on both databases.

mod material;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use assize_testbed::Postgres;

use super::measure::{Cost, best_of};
use super::{assize, folder};
use crate::say;

const CRITERIA: usize = 1_000;
const DOCUMENTS: usize = 20;
/// What the whole evaluation may take.
const WALL_SECONDS_MAX: f64 = 60.0;
const MEGABYTES_MAX: f64 = 500.0;

/// Import, judge, keep and sum up, each time into an empty database.
pub(crate) fn run() -> Result<()> {
    let (binary, folder) = (assize()?, folder()?);
    let (criteria, documents) = material::made(&folder, CRITERIA, DOCUMENTS)?;
    say(&format!(
        "\n## {CRITERIA} criteria x {DOCUMENTS} documents by rules: import, judge, keep every \
         result with its evidence, sum up"
    ));
    let file = folder.join("compliance.db");
    for ending in ["", "-wal", "-shm"] {
        let path = PathBuf::from(format!("{}{ending}", file.display()));
        if path.exists() {
            std::fs::remove_file(&path).context("could not remove the old database")?;
        }
    }
    let database = file.to_string_lossy().into_owned();
    row("SQLite", best_of(1, || evaluate(&binary, &criteria, &documents, &database))?);
    let server = Postgres::start();
    let database = server.database();
    row("PostgreSQL", best_of(1, || evaluate(&binary, &criteria, &documents, &database))?);
    say("  (the PostgreSQL server is the tests' own, on a socket, and waits for no disk)");
    Ok(())
}

fn evaluate(binary: &Path, criteria: &Path, documents: &[PathBuf], database: &str) -> Command {
    let mut command = Command::new(binary);
    command.arg("evaluate").args(documents).arg("--criteria").arg(criteria);
    command.args(["--weakest", "0", "--database", database]);
    command
}

fn row(name: &str, cost: Cost) {
    let pairs = (CRITERIA * DOCUMENTS) as f64;
    let is_met = cost.wall_seconds < WALL_SECONDS_MAX && cost.peak_megabytes < MEGABYTES_MAX;
    say(&format!(
        "  {name:<12} wall {:>6.2} s   cpu {:>6.2} s   peak {:>5.0} MB   {:.3} ms per criterion   {}",
        cost.wall_seconds,
        cost.cpu_seconds,
        cost.peak_megabytes,
        cost.wall_seconds * 1e3 / pairs,
        if is_met { "within 60 s and 500 MB" } else { "BEYOND 60 s or 500 MB" },
    ));
}

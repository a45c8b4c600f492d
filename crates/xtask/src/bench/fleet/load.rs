//! One process: how much memory and time many items take, and how fast stored ones are rescored.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::processes::{Injector, output};
use super::{Material, Programs, Size};
use crate::bench::measure::once;
use crate::say;

/// What is allowed: requests at once, and megabytes at the peak.
const LOADS: [(usize, f64); 2] = [(50, 60.0), (500, 80.0)];
/// Pairs whose verdicts are stored and scored another way.
const PAIRS: usize = 100_000;

/// Prints memory and wall clock of one process for many items, and the time of a rescoring.
pub(super) fn run(size: &Size, programs: &Programs, material: &Material) -> Result<()> {
    say(&format!("\n## one process, {} items, {} ms a reply, SQLite", size.items, size.delay_ms));
    for (concurrency, allowed) in LOADS {
        let database = fresh(&material.folder.join(format!("load-{concurrency}.db")))?;
        let injector = Injector::start(&programs.injector, size.delay_ms, None)?;
        let mut command = Command::new(&programs.assize);
        command.arg("evaluate").args(&material.documents);
        command.arg("--criteria").arg(material.folder.join("criteria.csv"));
        command.args(["--judge", "local/tiny", "--database", &database]);
        command.args(["--endpoint", &format!("local={}", injector.url())]);
        command.args(["--concurrency", &concurrency.to_string()]);
        let cost = once(command)?;
        let rounds = size.items.div_ceil(concurrency) as f64;
        let ideal = rounds * size.delay_ms as f64 / 1e3;
        say(&format!(
            "  {concurrency:>3} at once   wall {:>6.2} s   {:.2} x ideal ({ideal:.2} s)   \
             processor {:>6.2} s   memory {:>5.1} MB at its peak (allowed: {allowed:.0})",
            cost.wall_seconds,
            cost.wall_seconds / ideal,
            cost.cpu_seconds,
            cost.peak_megabytes,
        ));
    }
    rescored(programs, material)
}

/// Verdicts of the rule judge, stored, then scored another way.
fn rescored(programs: &Programs, material: &Material) -> Result<()> {
    let database = fresh(&material.folder.join("rescore.db"))?;
    let pairs = material.folder.join("pairs.jsonl");
    fs::write(&pairs, text_of_pairs()?)?;
    let mut score = Command::new(&programs.assize);
    score.args(["summary", "score", "--save", "--database", &database, "--input"]).arg(&pairs);
    score.args(["--format", "jsonl", "--output"]).arg(material.folder.join("scored.jsonl"));
    let stored = once(score)?;
    let mut rescore = Command::new(&programs.assize);
    rescore.args(["runs", "rescore", "1", "--framework", "judge-lock", "--database", &database]);
    let cost = once(rescore)?;
    let mut list = Command::new(&programs.assize);
    list.args(["runs", "show", "1", "--limit", "1", "--format", "json", "--database", &database]);
    output(list)?;
    say(&format!(
        "\n## {PAIRS} stored verdicts scored another way, no request\n  stored in {:.1} s; rescored \
         in {:.1} s (allowed: 30), processor {:.1} s, memory {:.0} MB at its peak",
        stored.wall_seconds, cost.wall_seconds, cost.cpu_seconds, cost.peak_megabytes
    ));
    Ok(())
}

fn text_of_pairs() -> Result<String> {
    let mut text = String::new();
    for number in 0..PAIRS {
        writeln!(
            text,
            "{{\"id\": \"{number}\", \"article\": \"The bridge of number {number} opened in 1932. \
             It cost nine million pounds. It is painted grey every seven years.\", \"summary\": \
             \"The bridge of number {number} opened in 1932.\"}}"
        )?;
    }
    Ok(text)
}

/// A path with no database at it.
fn fresh(path: &Path) -> Result<String> {
    for ending in ["", "-wal", "-shm"] {
        let file = format!("{}{ending}", path.display());
        if Path::new(&file).exists() {
            fs::remove_file(file)?;
        }
    }
    Ok(path.display().to_string())
}

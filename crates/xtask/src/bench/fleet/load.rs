//! One process: how much memory and time many items take, and how fast stored ones are rescored.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::processes::{Injector, output};
use super::{Material, Programs, Size};
use crate::bench::measure::once;
use crate::say;

/// Pairs whose verdicts are stored and scored another way.
const PAIRS: usize = 100_000;

/// What can be measured by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    /// Many items, 50 requests at once.
    Sqlite50,
    /// The same with 500.
    Sqlite500,
    /// Stored verdicts scored another way.
    Rescore,
}

impl Figure {
    pub(super) fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "sqlite50" => Self::Sqlite50,
            "sqlite500" => Self::Sqlite500,
            "rescore" => Self::Rescore,
            other => bail!("what is {other}? There are sqlite50, sqlite500, rescore"),
        })
    }
}

/// Prints memory and wall clock of one process for many items, and the time of a rescoring.
pub(super) fn run(size: &Size, programs: &Programs, material: &Material) -> Result<()> {
    let is_wanted = |figure| size.only.is_none_or(|only| only == figure);
    // What is allowed: requests at once, and megabytes at the peak.
    let loads = [(Figure::Sqlite50, 50, 60.0), (Figure::Sqlite500, 500, 80.0)];
    if size.only != Some(Figure::Rescore) {
        let (items, delay) = (size.items, size.delay_ms);
        say(&format!("\n## one process, {items} items, {delay} ms a reply, SQLite"));
    }
    for (figure, concurrency, allowed) in loads {
        if is_wanted(figure) {
            loaded(size, programs, material, (concurrency, allowed))?;
        }
    }
    if is_wanted(Figure::Rescore) {
        rescored(programs, material)?;
    }
    Ok(())
}

fn loaded(
    size: &Size,
    programs: &Programs,
    material: &Material,
    (concurrency, allowed): (usize, f64),
) -> Result<()> {
    let database = fresh(&material.folder.join(format!("load-{concurrency}.db")))?;
    let injector = Injector::start(&programs.injector, size.delay_ms, None)?;
    let mut command = Command::new(&programs.assize);
    command.arg("evaluate").args(&material.documents);
    command.arg("--criteria").arg(material.folder.join("criteria.csv"));
    command.args(["--judge", "local/tiny", "--database", &database]);
    command.args(["--endpoint", &format!("local={}", injector.url())]);
    command.args(["--concurrency", &concurrency.to_string()]);
    let cost = once(command)?;
    let server = injector.processor_seconds()?;
    let rounds = size.items.div_ceil(concurrency) as f64;
    let ideal = rounds * size.delay_ms as f64 / 1e3;
    say(&format!(
        "  {concurrency:>3} at once   wall {:>6.2} s   {:.2} x ideal ({ideal:.2} s)   \
         processor {:>6.2} s ({:.2} ms an item), the model server's {server:.2} s   \
         memory {:>5.1} MB at its peak (allowed: {allowed:.0})",
        cost.wall_seconds,
        cost.wall_seconds / ideal,
        cost.cpu_seconds,
        1e3 * cost.cpu_seconds / size.items as f64,
        cost.peak_megabytes,
    ));
    Ok(())
}

/// Verdicts of the rule judge, stored, then scored another way.
fn rescored(programs: &Programs, material: &Material) -> Result<()> {
    let database = fresh(&material.folder.join("rescore.db"))?;
    let pairs = material.folder.join("pairs.jsonl");
    fs::write(&pairs, text_of_pairs()?)?;
    let mut score = Command::new(&programs.assize);
    score.args(["summary", "score", "--save", "--database", &database, "--input"]).arg(&pairs);
    // Evidence with questions can be counted without them; the other way round is refused.
    score.args(["--framework", "judge-lock"]);
    score.args(["--format", "jsonl", "--output"]).arg(material.folder.join("scored.jsonl"));
    let stored = once(score)?;
    let mut rescore = Command::new(&programs.assize);
    rescore.args(["runs", "rescore", "1", "--framework", "twin-lock", "--database", &database]);
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

//! One process: how much memory and time many items take, and how fast stored ones are rescored.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Result, bail};

use super::processes::{Injector, output};
use super::{CRITERIA, Material, Programs, Size};
use crate::bench::measure::{Cost, once};
use crate::say;

/// How often each build judges everything where two are compared; the cheapest time counts.
const TURNS: usize = 3;
/// Milliseconds of a processor that an item may cost with 50 at once.
const ALLOWED_MS: f64 = 0.8;
/// How long a model takes for a reply, in milliseconds; many take longer.
const MODEL_MS: u64 = 1_000;
/// Pairs whose verdicts are stored and scored another way.
const PAIRS: usize = 100_000;

/// What can be measured by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Figure {
    /// Many items, 50 requests at once.
    Sqlite50,
    /// The same with 500.
    Sqlite500,
    /// The same with 500 and a server that takes as long as a model does.
    Sqlite500Slow,
    /// Stored verdicts scored another way.
    Rescore,
}

impl Figure {
    pub(super) fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "sqlite50" => Self::Sqlite50,
            "sqlite500" => Self::Sqlite500,
            "sqlite500slow" => Self::Sqlite500Slow,
            "rescore" => Self::Rescore,
            other => {
                bail!("what is {other}? There are sqlite50, sqlite500, sqlite500slow, rescore")
            }
        })
    }
}

/// Prints memory and wall clock of one process for many items, and the time of a rescoring.
pub(super) fn run(size: &Size, programs: &Programs, material: &Material) -> Result<()> {
    let is_wanted = |figure| size.only.is_none_or(|only| only == figure);
    // With 500 at once and 50 ms a reply the ideal is 10,000 requests a second, which the
    // processor sets a bound to and not the replies; hence both.
    let loads = [
        (Figure::Sqlite50, Load { concurrency: 50, delay_ms: size.delay_ms, allowed: 60.0 }),
        (Figure::Sqlite500, Load { concurrency: 500, delay_ms: size.delay_ms, allowed: 80.0 }),
        (Figure::Sqlite500Slow, Load { concurrency: 500, delay_ms: MODEL_MS, allowed: 80.0 }),
    ];
    if size.only != Some(Figure::Rescore) {
        say(&format!("\n## one process, {} items, SQLite", size.items));
    }
    for (figure, load) in &loads {
        if is_wanted(*figure) {
            loaded(size, programs, material, load)?;
        }
    }
    if is_wanted(Figure::Rescore) {
        rescored(programs, material)?;
    }
    Ok(())
}

/// What one process is given to do.
struct Load {
    /// Requests at once.
    concurrency: usize,
    /// How long a reply takes.
    delay_ms: u64,
    /// Megabytes at the peak.
    allowed: f64,
}

fn loaded(size: &Size, programs: &Programs, material: &Material, load: &Load) -> Result<()> {
    let mut builds = vec![("this build", programs.assize.as_path())];
    builds.extend(size.beside.as_deref().map(|path| ("the other", path)));
    let turns = if size.beside.is_some() { TURNS } else { 1 };
    let mut best: Vec<Option<Measured>> = builds.iter().map(|_| None).collect();
    for _ in 0..turns {
        for (best, (_, assize)) in best.iter_mut().zip(&builds) {
            let measured = measured(size, programs, assize, material, load)?;
            if best.as_ref().is_none_or(|best| measured.cost.cpu_seconds < best.cost.cpu_seconds) {
                *best = Some(measured);
            }
        }
    }
    for ((name, _), measured) in builds.iter().zip(best.into_iter().flatten()) {
        tell(size, load, name, &measured);
    }
    Ok(())
}

/// What a load cost, and what the model server took meanwhile.
struct Measured {
    cost: Cost,
    server_seconds: f64,
}

fn measured(
    size: &Size,
    programs: &Programs,
    assize: &Path,
    material: &Material,
    load: &Load,
) -> Result<Measured> {
    let database = fresh(&material.folder.join(format!("load-{}.db", load.concurrency)))?;
    let injector = Injector::start(&programs.injector, load.delay_ms, None)?;
    let mut command = Command::new(assize);
    command.arg("evaluate").args(&material.documents[..size.items / CRITERIA]);
    command.arg("--criteria").arg(material.folder.join("criteria.csv"));
    command.args(["--judge", "local/tiny", "--database", &database]);
    command.args(["--endpoint", &format!("local={}", injector.url())]);
    command.args(["--concurrency", &load.concurrency.to_string()]);
    let cost = once(command)?;
    Ok(Measured { cost, server_seconds: injector.processor_seconds()? })
}

fn tell(size: &Size, load: &Load, name: &str, measured: &Measured) {
    let Load { concurrency, delay_ms, allowed } = *load;
    let Measured { cost, server_seconds } = measured;
    let rounds = size.items.div_ceil(concurrency) as f64;
    let ideal = rounds * delay_ms as f64 / 1e3;
    let an_item = 1e3 * cost.cpu_seconds / size.items as f64;
    let goal = match concurrency {
        50 => format!(", goal {ALLOWED_MS} ms"),
        _ => String::new(),
    };
    say(&format!(
        "  {name}, {concurrency:>3} at once, {delay_ms:>4} ms a reply   wall {:>6.2} s   {:.2} x ideal ({ideal:.2} s)   \
         processor {:>6.2} s ({an_item:.2} ms an item{goal}), the model server's {server_seconds:.2} s   \
         memory {:>5.1} MB at its peak (allowed: {allowed:.0}), {:.1} MB of it allocated, the rest \
         pages of the program's file",
        cost.wall_seconds,
        cost.wall_seconds / ideal,
        cost.cpu_seconds,
        cost.peak_megabytes,
        cost.allocated_megabytes.unwrap_or(f64::NAN),
    ));
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

//! The safety gate over ten thousand answers, by rules and with its learned stage.

use std::fmt::Write as _;
use std::process::Command;
use std::{fs, iter};

use anyhow::{Context, Result, bail};

use super::measure::best_of;
use super::{assize, folder};
use crate::checks::root;
use crate::say;

const ANSWERS: usize = 10_000;
/// So many ordinary texts make an answer, of about 200 words.
const TEXTS: usize = 8;
const RUNS: usize = 3;
/// What all answers may take.
const WALL_SECONDS_MAX: f64 = 10.0;

/// Times `council gate` over answers that are made of ordinary texts, each in another order.
pub(crate) fn run() -> Result<()> {
    let (binary, folder) = (assize()?, folder()?);
    let texts = fs::read_to_string(root().join("cases/gate-ordinary/texts.txt"))
        .context("could not read the ordinary texts")?;
    let texts: Vec<&str> = texts.lines().collect();
    let mut lines = String::new();
    for number in 0..ANSWERS {
        let step = 1 + number % (texts.len() - 1);
        let places = iter::successors(Some(number), |place| Some(place + step)).take(TEXTS);
        let parts: Vec<&str> = places.map(|place| texts[place % texts.len()]).collect();
        // The texts are plain letters, which Rust and JSON quote alike; writing cannot fail.
        let _ = writeln!(lines, "{{\"id\": \"{number}\", \"response\": {:?}}}", parts.join(" "));
    }
    let path = folder.join("gate.jsonl");
    fs::write(&path, lines).context("could not write the answers")?;
    say(&format!("\n## The safety gate over {ANSWERS} answers of about 200 words"));
    let mut slowest = 0.0_f64;
    for (name, flags) in [("rules", &[][..]), ("rules and learned stage", &["--learned"])] {
        let command = || {
            let mut command = Command::new(&binary);
            command.args(["council", "gate", "--format", "json"]).args(flags).arg(&path);
            command
        };
        let cost = best_of(RUNS, command)?;
        let (wall, cpu) = (cost.wall_seconds, cost.cpu_seconds);
        say(&format!("  {name:<24} wall {wall:>6.2} s   cpu {cpu:>6.2} s"));
        slowest = slowest.max(wall);
    }
    if slowest > WALL_SECONDS_MAX {
        bail!("{slowest:.1} s; at most {WALL_SECONDS_MAX} s are promised");
    }
    Ok(())
}

//! Summary scoring: pairs a second, against ROUGE in Python, and growth with length.

mod pairs;

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::measure::{Cost, best_of};
use super::peers::Python;
use super::{assize, folder};
use crate::say;

/// The mean length of an article of CNN/DailyMail, in words.
const ARTICLE_WORDS: usize = 780;

/// Text that each row of the growth table works through, in words.
const GROWTH_WORDS: usize = 2_400_000;

/// Throughput, the peer, and growth.
pub(crate) fn run() -> Result<()> {
    let (binary, folder) = (assize()?, folder()?);
    say(
        "\n## Pairs the size of CNN/DailyMail: 780 words, summaries of 3 sentences; read, judge, write JSON",
    );
    for (framework, count) in [("twin-lock", 10_000), ("judge-lock", 10_000)] {
        let input = pairs::file(&folder, count, ARTICLE_WORDS)?;
        let cost = best_of(3, || score(&binary, &input, framework))?;
        row(framework, cost, count);
    }
    peer(&binary, &folder)?;
    growth(&binary, &folder)
}

fn score(binary: &Path, input: &Path, framework: &str) -> Command {
    let mut command = Command::new(binary);
    command.args(["summary", "score", "--format", "jsonl", "--framework", framework, "--input"]);
    command.arg(input);
    command
}

fn row(name: &str, cost: Cost, pairs: usize) {
    let pairs = pairs as f64;
    say(&format!(
        "  {name:<24} {:>8.0} pairs/s   {:>8.0} a core   wall {:>7.2} s   cpu {:>7.2} s   peak {:>6.1} MB",
        pairs / cost.wall_seconds,
        pairs / cost.cpu_seconds,
        cost.wall_seconds,
        cost.cpu_seconds,
        cost.peak_megabytes,
    ));
}

fn peer(binary: &Path, folder: &Path) -> Result<()> {
    let Some(python) = Python::with(folder, &["rouge-score"]) else { return Ok(()) };
    let count = 1_000;
    let input = pairs::file(folder, count, ARTICLE_WORDS)?;
    let ours = best_of(5, || score(binary, &input, "twin-lock"))?;
    let theirs = python.seconds("rouge_peer.py", &[&input])?;
    say(&format!(
        "\n  the same {count} pairs: rouge-score (1, 2, L, stemmed; its imports left out) {:.2} s, {:.0} pairs/s",
        theirs,
        count as f64 / theirs
    ));
    say(&format!(
        "  assize twin-lock (whole process, two cores) {:.3} s, {:.0} pairs/s   ratio {:.0}x   by processor time {:.0}x",
        ours.wall_seconds,
        count as f64 / ours.wall_seconds,
        theirs / ours.wall_seconds,
        theirs / ours.cpu_seconds,
    ));
    Ok(())
}

/// The same amount of text in ever longer articles: linear growth is a constant last column.
fn growth(binary: &Path, folder: &Path) -> Result<()> {
    say("\n## Growth with length: the same amount of text in ever longer articles");
    for words in [150, 1_500, 15_000, 150_000] {
        let count = GROWTH_WORDS / words;
        let input = pairs::file(folder, count, words)?;
        let cost = best_of(3, || score(binary, &input, "twin-lock"))?;
        let megabytes = std::fs::metadata(&input)?.len() as f64 / 1e6;
        row(&format!("{words} words x {count}"), cost, count);
        say(&format!(
            "    {:.0} KB an article, {:.1} ms of processor time a megabyte",
            megabytes * 1e3 / count as f64,
            cost.cpu_seconds * 1e3 / megabytes
        ));
    }
    Ok(())
}

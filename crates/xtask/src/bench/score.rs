//! Retrieval scoring against the scorers people use today.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::measure::{Cost, best_of};
use super::peers::Python;
use super::{assize, folder, generate};
use crate::checks::root;
use crate::say;

const MEASURES: &str = "map,ndcg@10,recall@100,mrr";
const TREC_PEERS: [(&str, &str); 3] =
    [("pytrec_eval", "pytrec-eval-terrier"), ("ir_measures", "ir-measures"), ("ranx", "ranx")];

/// So many queries must not take more memory than a few.
const MANY: usize = 20_000;

/// Passages and TREC files: sizes, then peers.
pub(crate) fn run() -> Result<()> {
    let (binary, folder) = (assize()?, folder()?);
    say("\n## Passages: queries x 10 passages of 490 characters, load and score");
    for queries in [1_000, 2_000, 4_000, 8_000, MANY] {
        let [predictions, gold] = generate::passages(&folder, queries)?;
        let cost = best_of(5, || score(&binary, &predictions, &gold, &[]))?;
        row(&format!("{queries} queries"), cost, queries * 10);
    }
    let [lines, ragas] = generate::lines(&folder, MANY)?;
    let [_, gold] = generate::passages(&folder, MANY)?;
    for (shape, predictions, gold) in [("lines", &lines, &gold), ("ragas", &ragas, &ragas)] {
        let cost = best_of(3, || score(&binary, predictions, gold, &[]))?;
        row(&format!("{MANY}, {shape}"), cost, MANY * 10);
    }
    passage_peer(&binary, &folder)?;
    say("\n## TREC files: queries x 100 documents, four measures, load and score");
    for queries in [2_500, 5_000, 10_000, 20_000, 100_000] {
        let [run, qrels] = generate::trec(&folder, queries, 100)?;
        let cost = best_of(5, || score(&binary, &run, &qrels, &["-m", MEASURES]))?;
        row(&format!("{queries} queries"), cost, queries * 100);
        let megabytes = std::fs::metadata(&run)?.len() as f64 / 1e6;
        say(&format!(
            "    run file {megabytes:.0} MB, peak memory {:.0} MB (mapped file pages included)",
            cost.peak_megabytes
        ));
    }
    trec_peers(&binary, &folder)
}

fn score(binary: &Path, run: &Path, gold: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(binary);
    command.arg("score").arg(run).arg(gold).args(more);
    // The peers compute no intervals; neither do we here.
    command.args(["--resamples", "0"]);
    command
}

fn row(name: &str, cost: Cost, items: usize) {
    say(&format!(
        "  {name:<16} wall {:>8.1} ms   cpu {:>8.1} ms   {:>7.1} ns an item   peak {:>6.1} MB",
        cost.wall_seconds * 1e3,
        cost.cpu_seconds * 1e3,
        cost.wall_seconds * 1e9 / items as f64,
        cost.peak_megabytes,
    ));
}

fn passage_peer(binary: &Path, folder: &Path) -> Result<()> {
    let Some(python) = Python::with(folder, &["nltk"]) else { return Ok(()) };
    let [predictions, gold] = generate::passages(folder, 2_000)?;
    let parameters = root().join("crates/text/data/punkt_english");
    let ours = best_of(7, || score(binary, &predictions, &gold, &[]))?;
    let peer = python.seconds("passage_scorer.py", &[&predictions, &gold, &parameters])?;
    say(
        "\n  2,000 x 10 against a Python scorer with NLTK (processor time; its imports left out, our whole process counted)",
    );
    versus("NLTK scorer", peer, ours.cpu_seconds);
    let whole = best_of(1, || {
        let mut command = python.script("passage_scorer.py");
        command.args([&predictions, &gold, &parameters]);
        command
    })?;
    versus("its process", whole.cpu_seconds, ours.cpu_seconds);
    Ok(())
}

fn trec_peers(binary: &Path, folder: &Path) -> Result<()> {
    let [run, qrels] = generate::trec(folder, 10_000, 100)?;
    let ours = best_of(9, || score(binary, &run, &qrels, &["-m", MEASURES]))?;
    say(
        "\n  10,000 x 100 against peers (processor time; their imports and compilation left out, our whole process counted)",
    );
    for (peer, package) in TREC_PEERS {
        let Some(python) = Python::with(folder, &[package]) else { continue };
        let seconds = python.seconds("trec_peers.py", &[Path::new(peer), &run, &qrels])?;
        versus(peer, seconds, ours.cpu_seconds);
    }
    Ok(())
}

fn versus(peer: &str, theirs: f64, ours: f64) {
    say(&format!(
        "  {peer:<16} {:>9.1} ms   assize {:>7.1} ms   ratio {:>6.1}x",
        theirs * 1e3,
        ours * 1e3,
        theirs / ours
    ));
}

//! Retrieval scoring against the scorers people use today.
//!
//! `cargo xtask bench score [--beside BINARY]`: another build's binary is measured in the same run,
//! in turn with that of this tree.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::measure::{Cost, best_of, best_of_each};
use super::peers::Python;
use super::{Build, builds, folder, generate};
use crate::checks::root;
use crate::say;

const MEASURES: &str = "map,ndcg@10,recall@100,mrr";
const TREC_PEERS: [(&str, &str); 3] =
    [("pytrec_eval", "pytrec-eval-terrier"), ("ir_measures", "ir-measures"), ("ranx", "ranx")];

/// So many queries must not take more memory than a few.
const MANY: usize = 20_000;

/// Passages and TREC files: sizes, then peers.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let beside = match words {
        [] => None,
        ["--beside", binary] => Some(PathBuf::from(binary)),
        _ => bail!("the only option is --beside BINARY"),
    };
    let (builds, folder) = (builds(beside)?, folder()?);
    say("\n## Passages: queries x 10 passages of 490 characters, load and score");
    for queries in [1_000, 2_000, 4_000, 8_000, MANY] {
        let [predictions, gold] = generate::passages(&folder, queries)?;
        let costs = best_of_each(5, &builds, |build| score(build, &predictions, &gold, &[]))?;
        rows(&format!("{queries} queries"), &builds, &costs, queries * 10);
    }
    // Another build need not know these shapes.
    let own = &builds[..1];
    let [lines, ragas] = generate::lines(&folder, MANY)?;
    let [_, gold] = generate::passages(&folder, MANY)?;
    for (shape, predictions, gold) in [("lines", &lines, &gold), ("ragas", &ragas, &ragas)] {
        let costs = best_of_each(3, own, |build| score(build, predictions, gold, &[]))?;
        rows(&format!("{MANY}, {shape}"), own, &costs, MANY * 10);
    }
    passage_peer(&builds, &folder)?;
    say("\n## TREC files: queries x 100 documents, four measures, load and score");
    for queries in [2_500, 5_000, 10_000, 20_000, 100_000] {
        let [run, qrels] = generate::trec(&folder, queries, 100)?;
        let measured = |build: &Build| score(build, &run, &qrels, &["-m", MEASURES]);
        let costs = best_of_each(5, &builds, measured)?;
        rows(&format!("{queries} queries"), &builds, &costs, queries * 100);
        let megabytes = std::fs::metadata(&run)?.len() as f64 / 1e6;
        say(&format!("    run file {megabytes:.0} MB (its mapped pages count in the peak)"));
    }
    trec_peers(&builds, &folder)
}

fn score(build: &Build, run: &Path, gold: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(&build.binary);
    command.arg("score").arg(run).arg(gold).args(more);
    // The peers compute no intervals; neither do we here.
    command.args(["--resamples", "0"]);
    command
}

fn rows(name: &str, builds: &[Build], costs: &[Cost], items: usize) {
    for (build, cost) in builds.iter().zip(costs) {
        say(&format!(
            "  {name:<16} {:<6} wall {:>8.1} ms   cpu {:>8.1} ms   {:>7.1} ns an item   peak {:>6.1} MB",
            build.name,
            cost.wall_seconds * 1e3,
            cost.cpu_seconds * 1e3,
            cost.wall_seconds * 1e9 / items as f64,
            cost.peak_megabytes,
        ));
    }
}

fn passage_peer(builds: &[Build], folder: &Path) -> Result<()> {
    let Some(python) = Python::with(folder, &["nltk"]) else { return Ok(()) };
    let [predictions, gold] = generate::passages(folder, 2_000)?;
    let parameters = root().join("crates/text/data/punkt_english");
    let ours = best_of_each(7, builds, |build| score(build, &predictions, &gold, &[]))?;
    let peer = python.seconds("passage_scorer.py", &[&predictions, &gold, &parameters])?;
    say(
        "\n  2,000 x 10 against a Python scorer with NLTK (processor time; its imports left out, our whole process counted)",
    );
    versus("NLTK scorer", peer, builds, &ours);
    let whole = best_of(1, || {
        let mut command = python.script("passage_scorer.py");
        command.args([&predictions, &gold, &parameters]);
        command
    })?;
    versus("its process", whole.cpu_seconds, builds, &ours);
    Ok(())
}

fn trec_peers(builds: &[Build], folder: &Path) -> Result<()> {
    let [run, qrels] = generate::trec(folder, 10_000, 100)?;
    let ours = best_of_each(9, builds, |build| score(build, &run, &qrels, &["-m", MEASURES]))?;
    say(
        "\n  10,000 x 100 against peers (processor time; their imports and compilation left out, our whole process counted)",
    );
    for (peer, package) in TREC_PEERS {
        let Some(python) = Python::with(folder, &[package]) else { continue };
        let seconds = python.seconds("trec_peers.py", &[Path::new(peer), &run, &qrels])?;
        versus(peer, seconds, builds, &ours);
    }
    Ok(())
}

fn versus(peer: &str, theirs: f64, builds: &[Build], ours: &[Cost]) {
    for (build, cost) in builds.iter().zip(ours) {
        say(&format!(
            "  {peer:<16} {:>9.1} ms   {:<6} {:>7.1} ms   ratio {:>6.1}x",
            theirs * 1e3,
            build.name,
            cost.cpu_seconds * 1e3,
            theirs / cost.cpu_seconds
        ));
    }
}

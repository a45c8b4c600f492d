//! `assize council bench`: is a council better than its best reviewer?

mod tables;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use assize_engine::council::bench::{Reading, read};
use assize_engine::council::trust_file;
use assize_methods::council::bench::{Bench, Difference, Drawing, bench};
use assize_methods::council::{Aggregation, METHOD, Profile, Settings, Trust};
use assize_score::MethodVersion;
use clap::Args;
use serde::Serialize;

use crate::exit::Done;
use crate::output::report::ReportArguments;
use crate::output::terminal;

const NOTES: &str = "\
Files: JSON, JSON lines, CSV or Parquet in the format of LLMBar, JudgeBench, MT-Bench, Auto-J or AlpacaEval,
or our own:
{\"question\": …, \"answers\": [{\"model\": …, \"text\": …}, …], \"preferred\": MODEL, \"ratings\": {\"judge\": [8, 6]}}.
No model is called. Weights are learned on one half of the questions, selected by a hash of the question, and
evaluated on the other. Guide: docs/guide/council-bench.md";

/// Benchmark a council against human preferences.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Pairs of answers with human preferences and recorded ratings
    data: PathBuf,
    /// How to aggregate reviews into a ranking [default: additive]
    #[arg(long, value_name = "METHOD")]
    aggregate: Option<Aggregation>,
    /// Judges in the file who are people, by name or name prefix (repeatable)
    #[arg(long, value_name = "NAME")]
    people: Vec<String>,
    /// The highest mark on the rating scale of the file [default: 10]
    #[arg(long, value_name = "MARK")]
    best_mark: Option<f64>,
    /// Number of bootstrap resamples of questions and reviewers
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    resamples: usize,
    /// Random seed; the same seed gives the same output
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Save the learned reviewer weights to this file, for `--trust` of ask, review and rescore
    #[arg(long, value_name = "FILE")]
    save_trust: Option<PathBuf>,
    /// Save weights from how reviewers agree instead of from people's preferences
    #[arg(long, requires = "save_trust")]
    by_agreement: bool,
    #[command(flatten)]
    report: ReportArguments,
    /// Exit with 1 if the council with learned weights does worse than the best single reviewer
    #[arg(long)]
    require_council: bool,
}

/// What programs get.
#[derive(Serialize)]
struct BenchOutput {
    method: MethodVersion,
    aggregation: Aggregation,
    bench: Bench,
}

/// Draws of the reviewers of one question: enough for a confidence in steps of half a percent.
const REVIEWER_DRAWS: usize = 200;

/// Reads, measures and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    arguments.report.check(&[&arguments.data])?;
    let reading = Reading { people: arguments.people.clone(), best_mark: arguments.best_mark };
    let comparisons = read(&arguments.data, &reading)?;
    let settings = Settings {
        aggregation: arguments.aggregate.unwrap_or_default(),
        resamples: REVIEWER_DRAWS,
        ..Settings::with(Profile::default())
    };
    let drawing = Drawing { resamples: arguments.resamples, seed: arguments.seed };
    let found = bench(&comparisons, &settings, drawing);
    if let Some(path) = &arguments.save_trust {
        let trust = trust(&arguments.data, &found, arguments.by_agreement)?;
        trust_file::write(path, &trust)?;
        terminal::remark(&format!("saved as {}: use it with --trust", path.display()));
    }
    let is_worse = is_worse(&found);
    let aggregation = settings.aggregation;
    let tables = tables::report(&found, &arguments.data, aggregation);
    arguments.report.write(&tables, &BenchOutput { method: METHOD, aggregation, bench: found })?;
    Ok(if arguments.require_council && is_worse { Done::ThresholdMissed } else { Done::Fine })
}

/// What was learned on one half, with how it did on the other; or what agreement tells.
fn trust(data: &Path, found: &Bench, by_agreement: bool) -> Result<Trust> {
    let file = data.file_name().unwrap_or_default().to_string_lossy();
    if by_agreement {
        let agreed = found.agreed.as_ref();
        let agreed = agreed.context("agreement needs three reviewers and 20 comparisons")?;
        let count = agreed.count;
        let basis = if agreed.is_explained() {
            "from agreement of the reviewers alone"
        } else {
            "equal, because reviewers agree in ways that independent errors do not explain"
        };
        let source = format!("{file}, {count} comparisons; {basis}");
        return Ok(Trust::new(source, agreed.weights())?);
    }
    let held_out = found.held_out.as_ref();
    let held_out = held_out.context(
        "nothing could be learned: too few comparisons with people; --by-agreement does without",
    )?;
    let points = |against: &Difference| {
        format!("{:+.1} points against the best reviewer", against.difference * 100.0)
    };
    let measured = held_out.against_best.as_ref().map_or("not measured".to_owned(), points);
    let count = held_out.learned.count;
    let source = format!("{file}, {count} comparisons; on the half not learned from: {measured}");
    Ok(Trust::from_learned(source, &held_out.learned)?)
}

/// Whether the council did worse than its best reviewer where nothing was learned.
fn is_worse(found: &Bench) -> bool {
    let held_out = found.held_out.as_ref().and_then(|held_out| held_out.against_best.as_ref());
    let all = found.all.against_best.as_ref();
    held_out.or(all).is_some_and(|against| against.difference < 0.0)
}

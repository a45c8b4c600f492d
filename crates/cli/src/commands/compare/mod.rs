//! `assize compare`: runs on the same gold standard, side by side.

pub(crate) mod args;
mod data;
pub(crate) mod latex;
pub(crate) mod markdown;
mod text;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use assize_engine::retrieval::compare::compare;
use assize_engine::retrieval::scoreboard::Scoreboard;
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_engine::retrieval::wire::Setting;
use assize_page::compare as page;
use assize_wire::retrieval::Comparison;
use assize_wire::text::pretty;
use clap::Args;

use self::args::Comparing;
use super::score::args::Scoring;
use crate::exit::Done;
use crate::output::report::Form;
use crate::output::terminal;

const NOTES: &str = "\
Marks: ▲ significantly better and ▼ significantly worse than the baseline after correction, at the level set
by --alpha.";

/// Compare runs on the same gold standard, with intervals and paired tests.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The gold standard the runs are scored against
    pub(crate) gold: PathBuf,
    /// Two or more runs; the first is the baseline
    #[arg(required = true, num_args = 2..)]
    pub(crate) runs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) scoring: Scoring,
    #[command(flatten)]
    pub(crate) comparing: Comparing,
}

/// Scores every run, compares them and prints the result.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    let mut inputs: Vec<&Path> = arguments.runs.iter().map(PathBuf::as_path).collect();
    inputs.push(&arguments.gold);
    arguments.comparing.check(&inputs)?;
    let Arguments { gold, runs, scoring, comparing } = arguments;
    let request = scoring.into_request();
    let boards = request.score_all(&gold, &runs)?;
    let title = format!("Comparison of {} runs", boards.len());
    comparing.show(boards, Setting { title, ..Setting::default() }, &request.uncertainty())
}

impl Comparing {
    /// Refuses, before the work is done, what would only show after it.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<()> {
        ensure!(
            self.alpha > 0.0 && self.alpha < 1.0,
            "--alpha {} is not a probability between 0 and 1",
            self.alpha
        );
        self.output.check(inputs)
    }

    /// Compares runs and prints the result in the form that was asked for.
    pub(crate) fn show(
        &self,
        boards: Vec<(String, Scoreboard)>,
        setting: Setting,
        uncertainty: &Uncertainty,
    ) -> Result<Done> {
        let options = self.options(uncertainty);
        let comparison = compare(boards, &options);
        for notice in &comparison.notices {
            terminal::notice(notice);
        }
        ensure!(comparison.queries > 0, "the runs have no queries in common");
        let measures = comparison.runs.first().map_or(0, |run| run.scores.len());
        ensure!(
            measures > 0,
            "the runs have no measures in common; try --mode passages or --mode spans"
        );
        let shown = comparison.to_wire(&options, self.alpha, setting);
        self.output.put(&rendered(&shown, self.output.form()))?;
        Ok(Done::Fine)
    }
}

fn rendered(comparison: &Comparison, form: Form) -> String {
    match form {
        Form::Table => text::render(comparison),
        Form::Markdown => markdown::render(comparison),
        Form::Latex => latex::render(comparison),
        Form::Csv => data::csv(comparison),
        Form::Json => pretty(comparison),
        Form::Html => page::render(comparison),
    }
}

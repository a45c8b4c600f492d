//! `assize compare`: runs on the same gold standard, side by side.

mod data;
mod latex;
mod markdown;
mod page;
mod text;
mod view;

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use assize_engine::retrieval::compare::{ComparisonOptions, Correction, Test, compare};
use clap::{Args, ValueEnum};

use super::score::args::{Scoring, SurenessArguments};
use crate::exit::Done;
use crate::output::{files, terminal};

const EXAMPLES: &str = "\
Examples:
  assize compare gold.json tfidf.json bm25.json               the first run is the baseline
  assize compare qrels.trec a.trec b.trec c.trec -m ndcg@10,map --all-pairs
  assize compare gold.json a.json b.json -o compare.html    one page with plots
  assize compare gold.json a.json b.json --format latex       a table for a paper

Marks: ▲ better and ▼ worse than the baseline after correction, at the level of --alpha.";

/// Compare runs on the same gold standard, with intervals and paired tests.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// What the runs are scored against
    pub(crate) gold: PathBuf,
    /// Two or more runs; the first is the baseline
    #[arg(required = true, num_args = 2..)]
    pub(crate) runs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) scoring: Scoring,
    /// Every run against every other, not only against the first
    #[arg(long)]
    pub(crate) all_pairs: bool,
    /// The paired test that decides about marks
    #[arg(long, value_enum, default_value_t = TestName::Randomization)]
    pub(crate) test: TestName,
    /// Correction of p-values for the number of comparisons
    #[arg(long, value_enum, default_value_t = CorrectionName::Holm)]
    pub(crate) correction: CorrectionName,
    /// Corrected p-values below this are marked
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// Sign flips or resamples of a paired test
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) permutations: u32,
    /// How results are printed [default: by the name of --output, else table]
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// How many of the most moved queries are shown for each pair
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) moved: usize,

    #[command(flatten)]
    pub(crate) sureness: SurenessArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestName {
    /// Fisher's randomisation test
    Randomization,
    /// Student's paired t test
    T,
    /// Wilcoxon's signed rank test
    Wilcoxon,
    /// The paired bootstrap
    Bootstrap,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CorrectionName {
    /// Holm
    Holm,
    /// Benjamini and Hochberg
    Bh,
    /// None
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for the terminal
    Table,
    /// Tables in Markdown
    Markdown,
    /// A table for a paper
    Latex,
    /// One line a pair and measure
    Csv,
    /// One JSON object
    Json,
    /// One self-contained page with plots
    Html,
}

/// Scores every run, compares them and prints the result.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    ensure!(
        arguments.alpha > 0.0 && arguments.alpha < 1.0,
        "--alpha {} is not a probability between 0 and 1",
        arguments.alpha
    );
    let mut inputs: Vec<&Path> = arguments.runs.iter().map(PathBuf::as_path).collect();
    inputs.push(&arguments.gold);
    files::check(arguments.output.as_deref(), &inputs)?;
    let options = options(arguments);
    let boards = arguments.scoring.score_all(&arguments.gold, &arguments.runs)?;
    let comparison = compare(boards, &options);
    for notice in &comparison.notices {
        terminal::notice(notice);
    }
    ensure!(comparison.queries > 0, "the runs have no query in common");
    let measures = comparison.runs.first().map_or(0, |run| run.scores.len());
    ensure!(measures > 0, "the runs have no measure in common; --mode passages or spans may help");
    let view = view::View { comparison: &comparison, alpha: arguments.alpha, options: &options };
    let format = arguments.format.unwrap_or_else(|| by_name(arguments.output.as_deref()));
    let text = rendered(&view, format);
    match &arguments.output {
        Some(path) => files::write(path, &text)?,
        None => files::print(&text)?,
    }
    Ok(Done::Fine)
}

/// The format that a file's name asks for.
fn by_name(output: Option<&Path>) -> Format {
    match output.and_then(Path::extension).and_then(|extension| extension.to_str()) {
        Some("html" | "htm") => Format::Html,
        Some("md") => Format::Markdown,
        Some("tex") => Format::Latex,
        Some("csv") => Format::Csv,
        Some("json") => Format::Json,
        _ => Format::Table,
    }
}

fn rendered(view: &view::View<'_>, format: Format) -> String {
    match format {
        Format::Table => text::render(view),
        Format::Markdown => markdown::render(view),
        Format::Latex => latex::render(view),
        Format::Csv => data::csv(view),
        Format::Json => data::json(view),
        Format::Html => page::render(view),
    }
}

fn options(arguments: &Arguments) -> ComparisonOptions {
    let mut sureness = arguments.sureness.to_sureness();
    sureness.permutations = arguments.permutations as usize;
    ComparisonOptions {
        sureness,
        test: match arguments.test {
            TestName::Randomization => Test::Randomization,
            TestName::T => Test::T,
            TestName::Wilcoxon => Test::Wilcoxon,
            TestName::Bootstrap => Test::Bootstrap,
        },
        correction: match arguments.correction {
            CorrectionName::Holm => Some(Correction::Holm),
            CorrectionName::Bh => Some(Correction::BenjaminiHochberg),
            CorrectionName::None => None,
        },
        all_pairs: arguments.all_pairs,
        moved_max: arguments.moved,
    }
}

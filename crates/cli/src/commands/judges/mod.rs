//! `assize judges …`: which judge can be trusted, and for whom.

mod asked;
mod attack;
mod exact;
mod infer;
mod tables;

use std::path::PathBuf;

use anyhow::Result;
use assize_engine::judges::{FacetColumns, ItemTable, Settings, Source, bench, check_sources};
use assize_engine::summary::Framework;
use clap::{Args, Subcommand, ValueEnum};

use self::asked::JudgeAnswers;
use crate::exit::Done;
use crate::model_args::AskingArguments;
use crate::output::report::{Form, ReportArguments};

/// Compare judges with people.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Compare any number of judges with any number of raters on the same items
    Bench(Bench),
    /// Estimate what people would say of all items, from a few labels and a judge
    Infer(infer::Infer),
    /// Attack a judge with injections, and count the verdicts that move
    Attack(Box<attack::Attack>),
}

const NOTES: &str = "\
Items are CSV, JSON, JSON lines or Parquet. A judge or rater is NAME=col:COLUMN (a column of the items file),
NAME=file:FILE (a file with `id` and `score`, and `sample` if an item was scored several times),
NAME=run:RUN[@MEASURE] (a saved run with the same item ids), NAME=live:FRAMEWORK/MEASURE (score with rules
now) or NAME=live:PROVIDER/MODEL[@MEASURE] (score with a model now). Live judges read `article` and `summary`.
The output uses the names given here. Ids that do not match are an error. Guide: docs/guide/judges.md";

/// Compare judges with raters.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Bench {
    /// The items, one per row
    #[arg(long, value_name = "FILE")]
    items: PathBuf,
    /// The judges, as NAME=SOURCE
    #[arg(long, value_name = "NAME=SOURCE", num_args = 1.., required = true)]
    judges: Vec<Source>,
    /// The raters, as NAME=SOURCE
    #[arg(long, value_name = "NAME=SOURCE", num_args = 1.., required = true)]
    raters: Vec<Source>,
    /// Column with the item ids [default: id, item, key or name, otherwise the row number]
    #[arg(long, value_name = "COLUMN")]
    id: Option<String>,
    /// Column that groups related items, for example those of one document
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// Column with the kind of each item: agreement is also reported for each
    #[arg(long, value_name = "COLUMN", help_heading = "Bias")]
    slice: Option<String>,
    /// Column with the judged text, or with its length
    #[arg(long, value_name = "COLUMN", help_heading = "Bias")]
    length: Option<String>,
    /// Column with the place in which the judge saw the text
    #[arg(long, value_name = "COLUMN", help_heading = "Bias")]
    order: Option<String>,
    /// Column with the model that wrote the text, for judges that prefer their own family
    #[arg(long, value_name = "COLUMN", help_heading = "Bias")]
    author: Option<String>,
    /// Confidence level of intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    confidence: f64,
    /// Number of bootstrap resamples of items
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    resamples: usize,
    /// Random seed; the same seed gives the same output
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// Measure to use for runs and live models whose source names none
    #[arg(long, value_name = "MEASURE", default_value = "hallucination")]
    measure: String,
    /// Scoring framework for live models
    #[arg(long, value_enum, default_value_t = Counting::TwinLock, help_heading = "Models")]
    framework: Counting,
    /// Number of samples from a live model for each item
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Models")]
    samples: u32,
    /// Column with the article, for live judges
    #[arg(long, value_name = "COLUMN", default_value = "article")]
    article_field: String,
    /// Column with the summary, for live judges
    #[arg(long, value_name = "COLUMN", default_value = "summary")]
    summary_field: String,
    #[command(flatten)]
    report: ReportArguments,
    #[command(flatten)]
    asking: AskingArguments,
}

/// Who counts what one model finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Counting {
    /// Twin-Lock
    TwinLock,
    /// Judge-Lock
    JudgeLock,
}

impl From<Counting> for Framework {
    fn from(name: Counting) -> Self {
        match name {
            Counting::TwinLock => Self::TwinLock,
            Counting::JudgeLock => Self::JudgeLock,
        }
    }
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments {
        Arguments::Bench(arguments) => run_bench(arguments),
        Arguments::Infer(arguments) => infer::run(arguments),
        Arguments::Attack(arguments) => attack::run(arguments),
    }
}

fn run_bench(arguments: &Bench) -> Result<Done> {
    arguments.report.check(&[&arguments.items])?;
    check_sources(&arguments.judges, &arguments.raters)?;
    let (id, group) = (arguments.id.as_deref(), arguments.group.as_deref());
    let facets = FacetColumns {
        slice: arguments.slice.as_deref(),
        length: arguments.length.as_deref(),
        place: arguments.order.as_deref(),
        author: arguments.author.as_deref(),
    };
    let table = ItemTable::read(&arguments.items, id, group)?.with_facets(facets)?;
    let told = match asked::run(arguments, table.ids())? {
        JudgeAnswers::All(told) => told,
        JudgeAnswers::Ended(done) => return Ok(done),
    };
    let items = table.with(&arguments.judges, &arguments.raters, told)?;
    let settings = Settings {
        resamples: arguments.resamples,
        level: arguments.confidence,
        seed: arguments.seed,
    };
    let found = bench(&items, &settings);
    let report = match arguments.report.form() {
        Form::Csv => exact::report(&found),
        _ => tables::report(&found, arguments.confidence),
    };
    arguments.report.write(&report, &found)?;
    Ok(Done::Fine)
}

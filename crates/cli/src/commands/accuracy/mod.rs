//! `assize accuracy`: how close a run comes to what analysts say.

mod text;

use anyhow::{Context, Result};
use assize_engine::compliance::plan::short;
use assize_engine::thresholds::Relation;
use assize_page::accuracy as page;
use assize_wire::text::pretty;
use clap::Args;

use super::evaluate::session::with_reader;
use super::thresholds;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::shown::{Format, OutputArguments};

const NO_KEYS: &str = "no truth keys for the documents and criteria of this run; import some with \
    `assize truth import`";

const NOTES: &str = "\
The accuracy of a result is 1 - |score - expected| / 100. It uses the judge's own scores, not overrides.";

/// Compare a run with the truth keys: accuracy, tiers, bias, calibration, granularity.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The run: its number, name or id, or `latest`
    run: String,
    /// Compare with the criteria ids each document mentions, instead of truth keys
    #[arg(long)]
    addressed: bool,
    #[command(flatten)]
    output: OutputArguments,
    /// Exit with 1 if the mean accuracy (with --addressed: the AUC) is below this
    #[arg(long, value_name = "0-1")]
    fail_under: Option<f64>,
    #[command(flatten)]
    database: DatabaseArguments,
}

/// Compares and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    arguments.output.check(&[])?;
    let format = arguments.output.format();
    with_reader(&arguments.database, async |workspace| {
        let run = workspace.find_compliance_run(&arguments.run).await?;
        let (output, reached) = if arguments.addressed {
            let found = workspace.addressed(&run).await?;
            let output = match format {
                Format::Json => pretty(&found),
                Format::Table | Format::Html => text::addressed(&found),
            };
            (output, found.auc)
        } else {
            let report = workspace.accuracy(&run).await?.context(NO_KEYS)?;
            let output = match format {
                Format::Json => pretty(&report),
                Format::Table => text::report(&report),
                Format::Html => page::render(short(&run.id), &report),
            };
            (output, report.overall.as_ref().map(|overall| overall.mean))
        };
        arguments.output.write(&output)?;
        let name = if arguments.addressed { "AUC" } else { "accuracy" };
        Ok(thresholds::limits(&[(name, reached, Relation::AtLeast, arguments.fail_under)]))
    })
}

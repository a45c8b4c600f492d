//! `assize export`: a run as a file, with overrides, citations and ledgers.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use assize_engine::compliance::Registry;
use assize_engine::store::Instrument;
use assize_exports::{Report, csv, json, oscal, pdf, xlsx};
use clap::{Args, ValueEnum};

use super::evaluate::session::with_reader;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::files;

const NOTES: &str = "\
Exports contain the judge's score, any override and the effective score.";

/// Export a run to a file: XLSX, CSV, JSON, PDF, OSCAL assessment results, OSCAL POA&M.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The run: its number, name or id, or `latest`
    run: String,
    /// Output format [default: from the extension of --output]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Output file [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// PDF: include every result instead of a two-page summary
    #[arg(long)]
    full: bool,
    /// OSCAL: version of the model
    #[arg(long, value_enum, default_value_t = OscalVersion::V1_1)]
    oscal_version: OscalVersion,
    /// OSCAL: tier (number or label) below which a result is not satisfied [default: the highest]
    #[arg(long, value_name = "TIER")]
    below: Option<String>,
    #[command(flatten)]
    database: DatabaseArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum OscalVersion {
    /// 1.1.2
    #[value(name = "1.1", alias = "1.1.2")]
    V1_1,
    /// 1.2.0
    #[value(name = "1.2", alias = "1.2.0")]
    V1_2,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Excel workbook
    Xlsx,
    /// Comma-separated values, one row per result
    Csv,
    /// All data as JSON
    Json,
    /// Printable report
    Pdf,
    /// OSCAL assessment results
    Oscal,
    /// OSCAL plan of action and milestones: the requirements not satisfied
    Poam,
}

/// Writes the file.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let format = format(arguments)?;
    files::check(arguments.output.as_deref(), &[])?;
    with_reader(&arguments.database, async |registry| {
        let run = match registry.find_run(&arguments.run).await {
            Ok(run) => run,
            Err(error) => {
                return Err(of_another_kind(&registry, arguments).await.unwrap_or(error.into()));
            }
        };
        let bytes = bytes(&registry.report(&run).await?, format, arguments)?;
        files::write(arguments.output.as_deref().unwrap_or(Path::new("-")), &bytes)?;
        Ok(Done::Fine)
    })
}

/// What to do with a run of another instrument, if it is one.
async fn of_another_kind(registry: &Registry, arguments: &Arguments) -> Option<anyhow::Error> {
    let run = registry.any_run(&arguments.run).await.ok()?;
    let (number, instrument) = (run.number, run.instrument);
    (instrument != Instrument::Compliance).then(|| {
        anyhow!(
            "run #{number} is a {instrument} run, and this command exports compliance runs: use \
             `assize runs export {number}`"
        )
    })
}

fn format(arguments: &Arguments) -> Result<Format> {
    if let Some(format) = arguments.format {
        return Ok(format);
    }
    let ending = arguments.output.as_deref().and_then(Path::extension);
    Ok(match ending.and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("xlsx") => Format::Xlsx,
        Some("csv") => Format::Csv,
        Some("json") => Format::Json,
        Some("pdf") => Format::Pdf,
        _ => {
            bail!("no output format: use --format xlsx|csv|json|pdf|oscal|poam, or -o NAME.xlsx")
        }
    })
}

/// The number of a tier, from its number or its label.
fn tier(report: &Report, wanted: &str) -> Result<u8> {
    let count = u8::try_from(report.rubric.len()).unwrap_or(u8::MAX);
    let number = wanted.parse::<u8>().ok().filter(|number| (1..=count).contains(number));
    let labelled =
        (1..=count).zip(&report.rubric).find(|(_, tier)| tier.label.eq_ignore_ascii_case(wanted));
    number.or(labelled.map(|(number, _)| number)).ok_or_else(|| {
        let labels: Vec<&str> = report.rubric.iter().map(|tier| tier.label.as_str()).collect();
        anyhow!("unknown tier `{wanted}`: expected 1 to {count}, or one of {}", labels.join(", "))
    })
}

fn bytes(report: &Report, format: Format, arguments: &Arguments) -> Result<Vec<u8>> {
    let below = arguments.below.as_deref().map(|wanted| tier(report, wanted)).transpose()?;
    let options = oscal::Options {
        satisfied_from_tier: below,
        version: match arguments.oscal_version {
            OscalVersion::V1_1 => oscal::Version::V1_1,
            OscalVersion::V1_2 => oscal::Version::V1_2,
        },
        ..oscal::Options::default()
    };
    let mut bytes = Vec::new();
    match format {
        Format::Xlsx => xlsx::write(report, &mut bytes)?,
        Format::Csv => csv::write(report, &mut bytes)?,
        Format::Json => json::write(report, &mut bytes)?,
        Format::Pdf if arguments.full => pdf::write(report, &mut bytes)?,
        Format::Pdf => pdf::write_brief(report, &mut bytes)?,
        Format::Oscal => oscal::write(report, &options, &mut bytes)?,
        Format::Poam => oscal::write_plan(report, &options, &mut bytes)?,
    }
    Ok(bytes)
}

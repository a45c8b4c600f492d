//! `assize export`: a run as a file, with overrides, citations and ledgers.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use assize_exports::{Report, csv, json, oscal, pdf, xlsx};
use clap::{Args, ValueEnum};

use super::evaluate::session::with_reader;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::files;

const EXAMPLES: &str = "\
Examples:
  assize export latest -o report.xlsx               summary, results, citations, ledger
  assize export latest -o report.pdf                to print and to sign
  assize export 9f031185 --format oscal -o results.json
  assize export latest --format csv | head

The judge's score, a person's override and the score that counts stand side by side.";

/// Write a run to a file: XLSX, CSV, JSON, PDF, OSCAL assessment results.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The run: its number, name or id, or `latest`
    run: String,
    /// What kind of file [default: by the ending of --output]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    database: DatabaseArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A workbook
    Xlsx,
    /// Comma-separated values, a row for each result
    Csv,
    /// Everything, for programs
    Json,
    /// A report to print
    Pdf,
    /// OSCAL assessment results
    Oscal,
}

/// Writes the file.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let format = format(arguments)?;
    files::check(arguments.output.as_deref(), &[])?;
    with_reader(&arguments.database, async |registry| {
        let run = registry.find_run(&arguments.run).await?;
        let bytes = bytes(&registry.report(&run).await?, format)?;
        files::write(arguments.output.as_deref().unwrap_or(Path::new("-")), &bytes)?;
        Ok(Done::Fine)
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
        _ => bail!("which kind of file? Say --format xlsx|csv|json|pdf|oscal, or -o NAME.xlsx"),
    })
}

fn bytes(report: &Report, format: Format) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match format {
        Format::Xlsx => xlsx::write(report, &mut bytes)?,
        Format::Csv => csv::write(report, &mut bytes)?,
        Format::Json => json::write(report, &mut bytes)?,
        Format::Pdf => pdf::write(report, &mut bytes)?,
        Format::Oscal => oscal::write(report, &oscal::Options::default(), &mut bytes)?,
    }
    Ok(bytes)
}

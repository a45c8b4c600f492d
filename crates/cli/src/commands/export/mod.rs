//! `assize export`: a run as a file, with overrides, citations and ledgers.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use assize_engine::Workspace;
use assize_engine::runs::RunError;
use assize_engine::runs::export::ExportFormat;
use assize_engine::runs::package::Package;
use assize_engine::store::Run;
use assize_exports::oscal;
use assize_methods::compliance::Rubric;
use clap::{Args, ValueEnum};

use super::evaluate::session::with_reader;
use crate::commands::verify;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::files;

const NOTES: &str = "\
Exports contain the judge's score, any override and the effective score.";

/// Export a run to a file: XLSX, CSV, JSON, JSON Lines, PDF, OSCAL assessment results, OSCAL POA&M.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The run: its number, name or id, or `latest`
    run: String,
    /// Output format [default: from the extension of --output]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    format: Option<ExportFormat>,
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
    /// OSCAL: name this evidence package of the run in the back matter, with its hash
    #[arg(long, value_name = "FILE")]
    package: Option<PathBuf>,
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

/// Writes the file.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let output = arguments.output.as_deref();
    let format = match (chosen(arguments.format, output)?, arguments.full) {
        (ExportFormat::Pdf, true) => ExportFormat::PdfFull,
        (format, _) => format,
    };
    files::check(output, &[])?;
    with_reader(&arguments.database, async |workspace| {
        let run = workspace.find_run(&arguments.run).await?;
        workspace.check_export(&run, run.version, format)?;
        if matches!(format, ExportFormat::Oscal | ExportFormat::Poam) {
            let rubric = workspace.labelled_by(&run).await?.rubric;
            let mut options = oscal_options(&rubric, arguments)?;
            if let Some(path) = &arguments.package {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                options.package = Some(Package::attached(&verify::read(path)?, &name, &run)?);
            }
            let (bytes, _) = workspace.report_bytes(&run, format, &options).await?;
            files::write(output.unwrap_or(Path::new("-")), &bytes)?;
            return Ok(Done::Fine);
        }
        write(&workspace, (&run, None), format, output).await?;
        Ok(Done::Fine)
    })
}

/// Writes a run to a file or to standard output. Returns how many items it has.
pub(crate) async fn write(
    workspace: &Workspace,
    (run, version): (&Run, Option<i64>),
    format: ExportFormat,
    output: Option<&Path>,
) -> Result<u64> {
    let mut to: Box<dyn Write> = match output {
        Some(path) => {
            let shown = path.display();
            let file =
                File::create(path).with_context(|| format!("{shown} could not be written"))?;
            Box::new(BufWriter::new(file))
        }
        None => Box::new(std::io::stdout().lock()),
    };
    let count = workspace
        .export_run(run, version, format, |piece| {
            std::future::ready(to.write_all(&piece).map_err(RunError::from))
        })
        .await?;
    to.flush()?;
    Ok(count)
}

/// The format that was named, or that the name of a file means.
pub(crate) fn chosen(named: Option<ExportFormat>, output: Option<&Path>) -> Result<ExportFormat> {
    if let Some(format) = named {
        return Ok(format);
    }
    let ending = output.and_then(Path::extension).and_then(|ending| ending.to_str());
    let ending = ending.map(|ending| match ending.to_ascii_lowercase().as_str() {
        "ndjson" => "jsonl".to_owned(),
        other => other.to_owned(),
    });
    let known = ExportFormat::names().join("|");
    let Some(ending) = ending else {
        bail!("no output format: use --format {known}, or -o NAME.xlsx");
    };
    let unknown = |_| anyhow!("`.{ending}` is no output format: use --format {known}");
    ending.parse().map_err(unknown)
}

/// The formats as the command line knows them.
pub(crate) fn formats() -> impl clap::builder::TypedValueParser<Value = ExportFormat> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    PossibleValuesParser::new(ExportFormat::names())
        .map(|name| name.parse().unwrap_or(ExportFormat::Jsonl))
}

/// The number of a tier, from its number or its label.
fn tier(rubric: &Rubric, wanted: &str) -> Result<u8> {
    let tiers = rubric.tiers();
    let count = u8::try_from(tiers.len()).unwrap_or(u8::MAX);
    let number = wanted.parse::<u8>().ok().filter(|number| (1..=count).contains(number));
    let labelled = (1..=count).zip(tiers).find(|(_, tier)| tier.label.eq_ignore_ascii_case(wanted));
    number.or(labelled.map(|(number, _)| number)).ok_or_else(|| {
        let labels: Vec<&str> = tiers.iter().map(|tier| tier.label.as_str()).collect();
        anyhow!("unknown tier `{wanted}`: expected 1 to {count}, or one of {}", labels.join(", "))
    })
}

fn oscal_options(rubric: &Rubric, arguments: &Arguments) -> Result<oscal::Options> {
    let below = arguments.below.as_deref().map(|wanted| tier(rubric, wanted)).transpose()?;
    Ok(oscal::Options {
        satisfied_from_tier: below,
        version: match arguments.oscal_version {
            OscalVersion::V1_1 => oscal::Version::V1_1,
            OscalVersion::V1_2 => oscal::Version::V1_2,
        },
        ..oscal::Options::default()
    })
}

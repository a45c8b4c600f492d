//! `assize verify`: an evidence package checked with nothing but its file.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
#[cfg(feature = "server")]
use assize_engine::Workspace;
#[cfg(feature = "server")]
use assize_engine::database::Place;
use assize_engine::runs::package::FILE_MAX;
#[cfg(feature = "server")]
use assize_engine::runs::package::Package;
use assize_engine::runs::package::verify::verify;
use assize_wire::number::counted;
use assize_wire::package::{PackageReport, PackageResult};
use clap::Args;

use crate::database_args::Format;
use crate::exit::Done;
use crate::output::files;
use crate::output::terminal::{one_line, strong};
use crate::runtime::block_on_or_drop;

/// Findings that are shown; JSON has all.
const SHOWN_MAX: usize = 20;
const NOTES: &str = "\
Every number is computed again by the functions that runs use, every verdict judged again from the material and
the stored replies, every quote located, every hash checked. Nothing is sent and nothing is written. Exit code 2:
the package is refused, and the part is named. Exit code 1: nothing contradicts, but verdicts come out differently
with this version than with the one that the package names; verify it with that version.

Whoever writes a package can write another one: compare its head with the one you were given, or its key with
--signer.";

/// Verify an evidence package: nothing but the file is needed
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The evidence package, as written by `assize runs pack`
    #[arg(value_name = "FILE")]
    package: PathBuf,
    /// The public key that must have signed it
    #[arg(long, value_name = "KEY")]
    signer: Option<String>,
    /// The head that it must have
    #[arg(long, value_name = "HASH")]
    head: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// Checks the package and says what was found.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let bytes = read(&arguments.package)?;
    block_on_or_drop(async {
        let report = verify(&bytes).await?;
        match arguments.format {
            Format::Json => {
                files::print(&format!("{}\n", serde_json::to_string_pretty(&report)?))?;
            }
            Format::Table => {
                files::print(&shown(&arguments.package.display().to_string(), &report))?;
            }
        }
        if let Some(signer) = &arguments.signer {
            let signed = report.signed_by.as_deref().unwrap_or("nobody");
            ensure!(
                signed.eq_ignore_ascii_case(signer),
                "it is signed by {signed}, not by {signer}"
            );
        }
        if let Some(head) = &arguments.head {
            let found = &report.head;
            ensure!(found.eq_ignore_ascii_case(head), "its head is {found}, not {head}");
        }
        Ok(match report.result {
            PackageResult::Sound => Done::Fine,
            PackageResult::Unconfirmed => Done::ThresholdMissed,
            PackageResult::Refused => Done::Refused,
        })
    })
}

/// Verifies a package, and takes its run into a database of its own.
#[cfg(feature = "server")]
pub(crate) async fn open_in(path: &Path, place: &Place) -> Result<()> {
    let bytes = read(path)?;
    let report = verify(&bytes).await?;
    files::print(&shown(&path.display().to_string(), &report))?;
    let is_refused = report.result == PackageResult::Refused;
    ensure!(!is_refused, "{} is not sound, and is not shown", path.display());
    let workspace = Workspace::open(place.clone()).await?;
    workspace.import_package(&Package::open(&bytes)?).await?;
    workspace.close().await;
    Ok(())
}

/// The bytes of a package.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let unread = || format!("could not read {}", path.display());
    let bytes = fs::metadata(path).with_context(unread)?.len();
    ensure!(bytes <= FILE_MAX, "{} is larger than {FILE_MAX} bytes", path.display());
    fs::read(path).with_context(unread)
}

/// What was found, for people.
pub(crate) fn shown(name: &str, report: &PackageReport) -> String {
    let mut text = format!("{}\n", strong(name));
    let mut line = |what: &str, said: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {what:<9} {said}");
    };
    let items = usize::try_from(report.items).unwrap_or_default();
    line("run", format!("{}, {}", one_line(&report.run, 200), counted(items, "item", "items")));
    line("written", format!("by {}", one_line(&report.written, 200)));
    line("head", report.head.clone());
    line("signed", report.signed_by.clone().map_or("no".to_owned(), |key| format!("by {key}")));
    let numbers = &report.numbers;
    line(
        "numbers",
        format!(
            "{} recomputed, {} as recorded, {} decided by people",
            numbers.recomputed, numbers.recorded, numbers.decided
        ),
    );
    line("verdicts", format!("{} judged again, alike to the byte", report.judged_again));
    line(
        "quotes",
        format!("{} located, {} never were", report.quotes_located, report.quotes_not_found),
    );
    for unchecked in &report.unchecked {
        line("unchecked", one_line(unchecked, 300));
    }
    for finding in report.findings.iter().take(SHOWN_MAX) {
        line("WRONG", format!("{}: {}", finding.part, one_line(&finding.problem, 300)));
    }
    let more = report.findings.len().saturating_sub(SHOWN_MAX);
    if more > 0 {
        line("WRONG", format!("and {more} more; --format json lists all"));
    }
    line("result", in_words(report));
    text
}

/// What it comes to; a package of which something could not be checked is not plainly sound.
fn in_words(report: &PackageReport) -> String {
    match report.result {
        PackageResult::Refused => "REFUSED".to_owned(),
        PackageResult::Unconfirmed => {
            let verdicts = counted(report.judged_differently, "verdict", "verdicts");
            format!("UNCONFIRMED: {verdicts} cannot be made again with this version")
        }
        PackageResult::Sound if report.unchecked.is_empty() => "sound".to_owned(),
        PackageResult::Sound => "sound, as far as it could be checked".to_owned(),
    }
}

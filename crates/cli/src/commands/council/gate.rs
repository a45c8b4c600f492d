//! `assize council gate`: answers held against the safety gate.

use std::path::PathBuf;

use anyhow::Result;
use assize_engine::input::Source;
use assize_methods::gate::Gate;
use clap::Args;
use serde_json::json;

use crate::exit::Done;
use crate::output::{data, files};

/// Check answers against the safety gate.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// An answer as plain text; `-` is standard input
    file: PathBuf,
}

/// Checks and prints.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let source = Source::open(&arguments.file)?;
    let report = Gate::built_in().check(source.text()?);
    files::print(&data::pretty(&json!(report)))?;
    Ok(if report.passed { Done::Fine } else { Done::ThresholdMissed })
}

//! Results as a table, as JSON or as a page: printed, or written to a file whose name may choose.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use super::files;

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Human-readable
    Table,
    /// One JSON object
    Json,
    /// A self-contained HTML page
    Html,
}

/// Where results go, and how they are printed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArguments {
    /// Output format [default: from the extension of --output, otherwise table]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write the results to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl OutputArguments {
    /// Refuses an output that cannot be written or is one of the inputs, before work begins.
    pub(crate) fn check(&self, inputs: &[&Path]) -> Result<()> {
        files::check_ending(self.output.as_deref(), &["txt", "json", "html"])?;
        files::check(self.output.as_deref(), inputs)
    }

    /// The format asked for, or the one that the output's name asks for.
    pub(crate) fn format(&self) -> Format {
        let ending = self.output.as_deref().and_then(|path| path.extension()?.to_str());
        self.format.unwrap_or(match ending {
            Some("json") => Format::Json,
            Some("html" | "htm") => Format::Html,
            _ => Format::Table,
        })
    }

    /// Writes the text to the file, or prints it.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        files::write(self.output.as_deref().unwrap_or(Path::new("-")), text)
    }
}

//! What `assize truth` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::map_args::MapArguments;

const EXAMPLES: &str = "\
Examples:
  assize truth template --documents policies --criteria library -o truth.csv    to be filled in
  assize truth import truth.csv --documents policies --criteria library
  assize truth list --criteria library
  assize accuracy latest                                 how close the machine is to the analysts

A truth key is what an analyst would have answered: document, criteria_id, expected_score 0-100, and
for each section a text. CSV, XLSX and JSON are read; every bad row is named with its number. Other names of columns are
said with --map document=, criteria_id=, score=, analyst=.";

/// Truth keys: what analysts would have answered.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Import truth keys from CSV, XLSX or JSON; a key that is there is replaced
    Import(Import),
    /// Write a file to fill in: a row for every document and criterion
    Template(Template),
    /// List truth keys
    List(List),
}

#[derive(Debug, Args)]
pub(super) struct Sets {
    /// The document set
    #[arg(long, value_name = "SET")]
    pub(super) documents: String,
    /// The criteria set
    #[arg(long, value_name = "SET")]
    pub(super) criteria: String,
}

#[derive(Debug, Args)]
pub(super) struct Import {
    /// The file
    pub(super) file: PathBuf,
    #[command(flatten)]
    pub(super) sets: Sets,
    #[command(flatten)]
    pub(super) columns: MapArguments,
    /// Who answered, where the file does not say [default: the name you are signed in with]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) analyst: Option<String>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(super) struct Template {
    #[command(flatten)]
    pub(super) sets: Sets,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    pub(super) sets: Sets,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

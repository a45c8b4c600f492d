//! What `assize truth` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::map_args::MapArguments;

const NOTES: &str = "\
A truth key is what an analyst would have answered: document, criteria_id, expected_score 0-100, and
for each section a text. Every analyst has keys of their own; where they differ, the mean counts until
it is adjudicated. CSV, XLSX and JSON are read; every bad row is named with its number, a row without
a score is not judged. Other names of columns are said with --map document=, criteria_id=, score=, analyst=.";

/// Truth keys: what analysts would have answered.
#[derive(Debug, Subcommand)]
#[command(after_help = NOTES)]
pub(crate) enum Arguments {
    /// Import truth keys from CSV, XLSX or JSON; a key that is there is replaced
    Import(Import),
    /// Write a file to fill in: a row for every document and criterion
    Template(Template),
    /// List truth keys
    List(List),
    /// How far analysts agree, and where they differ
    Agreement(List),
    /// Settle what analysts say differently; accuracy follows it
    Adjudicate(Box<Adjudicate>),
    /// Keep what counts about a result, an override before the judge, as your truth key
    Keep(Box<Keep>),
}

#[derive(Debug, Args)]
pub(crate) struct Sets {
    /// The document set
    #[arg(long, value_name = "SET")]
    pub(super) documents: String,
    /// The criteria set
    #[arg(long, value_name = "SET")]
    pub(super) criteria: String,
}

#[derive(Debug, Args)]
pub(crate) struct Import {
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
pub(crate) struct Template {
    #[command(flatten)]
    pub(super) sets: Sets,
    /// Where to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(super) sets: Sets,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Adjudicate {
    /// The document's name
    pub(super) document: String,
    /// The criterion's id
    pub(super) criterion: String,
    #[command(flatten)]
    pub(super) sets: Sets,
    /// The score that counts from now on, 0 to 100
    #[arg(long, value_name = "0-100", required_unless_present = "reopen")]
    pub(super) score: Option<f64>,
    /// Withdraw the adjudication: the analysts' keys count again
    #[arg(long, conflicts_with = "score")]
    pub(super) reopen: bool,
    /// Why
    #[arg(long)]
    pub(super) reason: String,
    /// Who decides [default: the name you are signed in with]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) by: Option<String>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Keep {
    /// The run: its number, name or id, or `latest`
    pub(super) run: String,
    /// The criterion's id
    pub(super) criterion: String,
    /// The document, if the run has more than one
    #[arg(long, value_name = "NAME")]
    pub(super) document: Option<String>,
    /// Whose key it is [default: the name you are signed in with]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) analyst: Option<String>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

//! What `assize truth` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::map_args::{MapArguments, RowArguments};

const NOTES: &str = "\
A truth key is the answer an analyst expects: document, criteria_id, expected_score 0-100, and a text for each
section. Every analyst has their own keys; where they differ, the mean is used until the difference is
adjudicated. CSV, XLSX and JSON are supported. Rows that cannot be used are reported by number, and nothing is
imported unless --skip-unusable leaves them out; rows without a score are skipped as not judged. For other column names, use --map document=, criteria_id=, score=, analyst=.";

/// Truth keys: what analysts would have answered.
#[derive(Debug, Subcommand)]
#[command(after_help = NOTES)]
pub(crate) enum Arguments {
    /// Import truth keys from CSV, XLSX or JSON; existing keys are replaced
    Import(Import),
    /// Write a template to fill in, with one row per document and criterion
    Template(Template),
    /// List truth keys
    List(List),
    /// Show how well analysts agree, and where they differ
    Agreement(List),
    /// Settle a disagreement between analysts; accuracy uses the result
    Adjudicate(Box<Adjudicate>),
    /// Save the effective score of a result (an override, or the judge's score) as your truth key
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
    #[command(flatten)]
    pub(super) rows: RowArguments,
    /// The analyst, if the file does not name one [default: your login name]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) analyst: Option<String>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Template {
    #[command(flatten)]
    pub(super) sets: Sets,
    /// Output file [default: standard output]
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
    /// The final score, 0 to 100
    #[arg(long, value_name = "0-100", required_unless_present = "reopen")]
    pub(super) score: Option<f64>,
    /// Withdraw the adjudication, restoring the analysts' keys
    #[arg(long, conflicts_with = "score")]
    pub(super) reopen: bool,
    /// The reason
    #[arg(long)]
    pub(super) reason: String,
    /// Who decides [default: your login name]
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
    /// The analyst who owns the key [default: your login name]
    #[arg(long, value_name = "NAME", env = "USER")]
    pub(super) analyst: Option<String>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

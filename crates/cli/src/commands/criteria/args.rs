//! What `assize criteria` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::edit_args::{Archive, Delete, Rename, WhichSet};
use crate::map_args::MapArguments;

const NOTES: &str = "\
CSV and XLSX need a header with an id and a requirement (criteria_id, requirement, description; other
usual names are understood; --map id=, title=, requirement=, description=, order=, category=, weight= say it otherwise).
Every row that cannot be used is named with its number. Weights and categories count in `assize runs verdicts`.";

/// Criteria sets: what documents are evaluated against.
#[derive(Debug, Subcommand)]
#[command(after_help = NOTES)]
pub(crate) enum Arguments {
    /// Import criteria from CSV, XLSX, JSON, or an OSCAL catalog or profile
    Import(Import),
    /// List criteria sets
    List(ShowArguments),
    /// Show a set: its criteria, rubric and response structure
    Show(Show),
    /// Write a set's criteria to a file, as CSV or JSON
    Export(Export),
    /// Give a set another name
    Rename(Rename<WhichSet>),
    /// Leave a set out of lists; it stays as it is
    Archive(Archive<WhichSet>),
    /// Remove a set that no run used, with its truth keys
    Delete(Delete<WhichSet>),
    /// Show, set or reset the tiers that turn scores into labels
    #[command(subcommand)]
    Rubric(Configure),
    /// Show, set or reset the sections a judge writes
    #[command(subcommand)]
    Structure(Configure),
    /// List, add, show, choose and preview prompt templates
    #[command(subcommand)]
    Template(Template),
}

#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The file
    pub(super) file: PathBuf,
    /// What the set is called [default: the file's name without its ending]
    #[arg(long)]
    pub(super) name: Option<String>,
    /// A line about it
    #[arg(long, default_value = "")]
    pub(super) description: String,
    #[command(flatten)]
    pub(super) columns: MapArguments,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The set
    pub(super) set: String,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(super) which: WhichSet,
    /// Where to; a name that ends in .json is JSON, any other CSV [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Configure {
    /// Show it, and as a prompt shows it
    Show(Show),
    /// Set it from a JSON file; refused with the place and the reason if it is not valid
    Set {
        /// The set
        set: String,
        /// The file, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        database: DatabaseArguments,
    },
    /// Go back to the default
    Reset(WhichSet),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Template {
    /// List templates and their versions
    List(ShowArguments),
    /// Add a template, or a new version of one; versions in use never change
    Add {
        /// What it is called
        name: String,
        /// The file with the text
        file: PathBuf,
        #[command(flatten)]
        database: DatabaseArguments,
    },
    /// Show the text of a template: NAME or NAME@VERSION
    Show {
        /// The template
        template: String,
        #[command(flatten)]
        database: DatabaseArguments,
    },
    /// Choose the template that evaluations of a set use
    Use {
        /// The set
        set: String,
        /// The template: NAME or NAME@VERSION
        template: String,
        #[command(flatten)]
        database: DatabaseArguments,
    },
    /// The prompt of one criterion as a model would get it
    Preview {
        /// The set
        set: String,
        /// Which criterion [default: the first]
        #[arg(long, value_name = "ID")]
        criterion: Option<String>,
        /// A template other than the set's: NAME or NAME@VERSION
        #[arg(long, value_name = "NAME")]
        template: Option<String>,
        /// A document to put into it [default: a placeholder]
        #[arg(long, value_name = "FILE")]
        document: Option<PathBuf>,
        #[command(flatten)]
        database: DatabaseArguments,
    },
}

//! What `assize criteria` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::edit_args::{Archive, Delete, Rename, WhichSet};
use crate::map_args::{MapArguments, RowArguments};

const NOTES: &str = "\
CSV and XLSX files need a header with an id and a requirement column (criteria_id, requirement, description;
other common names are recognised). To map other columns, use --map id=, title=, requirement=, description=,
order=, category=, weight=. Rows that cannot be used are reported by number, and nothing is imported unless
--skip-unusable leaves them out. `assize runs verdicts` uses weights and categories.";

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
    /// Rename a set
    Rename(Rename<WhichSet>),
    /// Hide a set from lists without changing it
    Archive(Archive<WhichSet>),
    /// Delete a set that no run has used, with its truth keys
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
    /// Name of the set [default: the file name without its extension]
    #[arg(long)]
    pub(super) name: Option<String>,
    /// A short description
    #[arg(long, default_value = "")]
    pub(super) description: String,
    #[command(flatten)]
    pub(super) columns: MapArguments,
    #[command(flatten)]
    pub(super) rows: RowArguments,
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
    /// Output file: JSON if the name ends in .json, otherwise CSV [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Configure {
    /// Show the current value, and how it appears in a prompt
    Show(Show),
    /// Set it from a JSON file, after validation
    Set {
        /// The set
        set: String,
        /// The file, or - for standard input
        file: PathBuf,
        #[command(flatten)]
        database: DatabaseArguments,
    },
    /// Reset to the default
    Reset(WhichSet),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Template {
    /// List templates and their versions
    List(ShowArguments),
    /// Add a template, or a new version of one; existing versions never change
    Add {
        /// Name
        name: String,
        /// File with the template text
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
    /// Show the prompt for one criterion as a model would receive it
    Preview {
        /// The set
        set: String,
        /// Id of the criterion [default: the first]
        #[arg(long, value_name = "ID")]
        criterion: Option<String>,
        /// Use this template instead of the set's: NAME or NAME@VERSION
        #[arg(long, value_name = "NAME")]
        template: Option<String>,
        /// Document to insert into the prompt [default: a placeholder]
        #[arg(long, value_name = "FILE")]
        document: Option<PathBuf>,
        #[command(flatten)]
        database: DatabaseArguments,
    },
}

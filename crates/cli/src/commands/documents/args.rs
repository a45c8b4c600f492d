//! What `assize documents` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::edit_args::{Archive, Delete, Rename, WhichSet};

const NOTES: &str = "\
Read are TXT, Markdown, HTML, PDF and DOCX. The original is kept beside the text; a citation points
to a page and a paragraph of it.";

/// Document sets: what is evaluated.
#[derive(Debug, Subcommand)]
#[command(after_help = NOTES)]
pub(crate) enum Arguments {
    /// Add documents to a set; the set is made if there is none of that name
    Add(Add),
    /// List document sets, or the documents of one
    List(List),
    /// Show a document: what it is, its text, its pages
    Show(Show),
    /// Give a set, or a document of it, another name
    Rename(Rename<Which>),
    /// Leave a set, or a document of it, out of lists and new runs; it stays as it is
    Archive(Archive<Which>),
    /// Remove a set, or a document of it, that no run used
    Delete(Delete<Which>),
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// The files; of a folder all documents in it
    #[arg(required = true)]
    pub(super) files: Vec<PathBuf>,
    /// The set
    #[arg(long, value_name = "NAME")]
    pub(super) set: String,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// The documents of this set
    #[arg(long, value_name = "NAME")]
    pub(super) set: Option<String>,
    /// Also what is archived, and of documents every version
    #[arg(long)]
    pub(super) all: bool,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The set
    pub(super) set: String,
    /// The document
    pub(super) document: String,
    /// Print the text, page by page
    #[arg(long)]
    pub(super) text: bool,
    /// Write the original to this file
    #[arg(long, value_name = "FILE")]
    pub(super) original: Option<PathBuf>,
    #[command(flatten)]
    pub(super) shown: ShowArguments,
}

/// A set, or a document of it.
#[derive(Debug, Args)]
pub(crate) struct Which {
    #[command(flatten)]
    pub(super) of: WhichSet,
    /// The document; without it the set itself
    pub(super) document: Option<String>,
}

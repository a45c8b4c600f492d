//! What `assize documents` can be told.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::database_args::{DatabaseArguments, ShowArguments};
use crate::edit_args::{Archive, Delete, Rename, WhichSet};

const NOTES: &str = "\
Supported formats: TXT, Markdown, HTML, PDF and DOCX. The original file is stored with its text; citations
refer to a page and a paragraph.";

/// Document sets: what is evaluated.
#[derive(Debug, Subcommand)]
#[command(after_help = NOTES)]
pub(crate) enum Arguments {
    /// Add documents to a set, creating the set if needed
    Add(Add),
    /// List document sets, or the documents of one
    List(List),
    /// Show a document: details, text, pages
    Show(Show),
    /// Rename a set, or a document in it
    Rename(Rename<Which>),
    /// Hide a set, or a document in it, from lists and new runs without changing it
    Archive(Archive<Which>),
    /// Delete a set, or a document in it, that no run has used
    Delete(Delete<Which>),
}

#[derive(Debug, Args)]
pub(crate) struct Add {
    /// Files, or folders of documents
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
    /// List the documents of this set
    #[arg(long, value_name = "NAME")]
    pub(super) set: Option<String>,
    /// Also list archived sets and documents, and every version of documents
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
    /// Write the original file to this path
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
    /// The document; omit it for the set itself
    pub(super) document: Option<String>,
}

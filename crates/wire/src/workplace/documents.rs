//! Document sets, their documents, and one document, as people see them.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;

use crate::compliance::DocumentEntry;

/// A document set in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentSetRow {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The names and ids of its first documents.
    pub first: Vec<(String, String)>,
    /// How many documents it has, each counted once whatever its versions.
    pub documents: usize,
    /// How many runs used it.
    pub runs: usize,
    /// When it was made.
    pub created_at: DateTime<Utc>,
    /// Whether it is archived and hidden from lists.
    pub is_archived: bool,
}

/// A document in the list of its set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentRow {
    /// The document in its latest version.
    pub entry: DocumentEntry,
    /// What it hides from its readers, and what in it speaks to the judge.
    pub findings: Vec<String>,
    /// The numbers of the runs that used any version of it, newest first.
    pub runs: Vec<i64>,
    /// Whether new runs leave it out.
    pub is_archived: bool,
}

/// A document set with a page of its documents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentSetView {
    /// The set.
    pub set: DocumentSetRow,
    /// The documents of this page.
    pub documents: Vec<DocumentRow>,
    /// What names must contain to be shown; empty shows all.
    pub search: String,
    /// Which documents are shown: `all`, `findings`, `unused` or `archived`.
    pub only: String,
    /// How many documents there are of each kind, in this order.
    pub counts: Vec<(String, usize)>,
    /// The place of the first one shown, from 0.
    pub from: usize,
    /// Where the next page begins; none on the last.
    pub next: Option<usize>,
}

/// One document with all its versions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DocumentView {
    /// The id and the name of its set.
    pub set: (String, String),
    /// What the list says of it.
    pub row: DocumentRow,
    /// Every version with the runs that used it, newest first.
    pub versions: Vec<(DocumentEntry, Vec<i64>)>,
    /// How many words the latest version has.
    pub words: usize,
    /// How many pages it has; none if its format has none.
    pub pages: Option<usize>,
    /// The beginning of its text.
    pub text: String,
    /// Whether that is all of it.
    pub is_whole: bool,
}

/// What became of files that were handed over together.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct UploadReport {
    /// The documents that were read and stored; one that was there unchanged is listed too.
    pub documents: Vec<DocumentEntry>,
    /// The files that could not be read.
    pub refused: Vec<RefusedFile>,
    /// Notes about the documents that were stored.
    pub notices: Vec<String>,
}

/// A file that was not stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusedFile {
    /// Its name.
    pub name: String,
    /// Why not.
    pub reason: String,
}

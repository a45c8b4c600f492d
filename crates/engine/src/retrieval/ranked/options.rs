//! What a caller may choose about reading and scoring.

use assize_methods::retrieval::ranked::Ties;
use assize_methods::retrieval::ranked::ranking::RELEVANT_FROM;

/// How a run is scored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RankedOptions {
    /// The order of documents with the same score.
    pub ties: Ties,
    /// The lowest level that counts as relevant (`trec_eval -l`).
    pub relevant_from: i32,
    /// How many documents of each query are looked at (`trec_eval -M`); `None` for all.
    pub depth: Option<usize>,
    /// Whether queries that the run does not answer count with 0 (`trec_eval -c`).
    pub all_queries: bool,
    /// Whether documents that nobody judged are taken out first (`trec_eval -J`).
    pub judged_only: bool,
    /// What happens when a run names a document twice under one query.
    pub duplicates: Duplicates,
}

impl Default for RankedOptions {
    fn default() -> Self {
        Self {
            ties: Ties::default(),
            relevant_from: RELEVANT_FROM,
            depth: None,
            all_queries: false,
            judged_only: false,
            duplicates: Duplicates::default(),
        }
    }
}

/// What happens when a run names a document twice under one query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Duplicates {
    /// The run is refused, as `trec_eval` does.
    #[default]
    Refuse,
    /// The better-ranked one stays, and the others leave no gap.
    KeepBest,
}

/// How a file is read; by default, as its content and name suggest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// The format; `None` to detect it.
    pub format: Option<Format>,
    /// The columns of a table, or the fields of records; `None` for the usual names.
    pub columns: Columns,
}

/// The formats of qrels and runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines with white space between fields: `query iteration document level` for qrels,
    /// `query Q0 document rank score tag` for runs.
    Trec,
    /// A table with a header, its columns apart by tab, comma or semicolon; BEIR's qrels.
    Table,
    /// Columns without a header, as in MS MARCO: `query document rank` or `query document rank
    /// score` for runs, `query document level` for qrels.
    Columns,
    /// One JSON text: `{query: {document: value}}`, `{query: [document, …]}` best first, or a
    /// list of records.
    Json,
    /// A JSON record on each line.
    JsonLines,
    Parquet,
}

/// The names of columns or fields that hold what is needed; `None` for the usual names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Columns {
    /// The query's identifier.
    pub query: Option<String>,
    /// The document's identifier.
    pub document: Option<String>,
    /// The score in a run, the level of relevance in qrels.
    pub value: Option<String>,
    /// The rank in a run without scores, from 1.
    pub rank: Option<String>,
}

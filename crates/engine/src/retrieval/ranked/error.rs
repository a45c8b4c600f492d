//! Why qrels or a run could not be used.

use std::io;
use std::path::PathBuf;

use assize_methods::retrieval::fusion::FusionError;
use thiserror::Error;

use super::overlap::Disjoint;
use crate::input::{InputError, short};

/// Why qrels or a run could not be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RankedError {
    /// The bytes themselves could not be had.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A line of a text format is not what it should be.
    #[error("{}:{line}:{column}: expected {expected}, found {}", file.display(), short(found))]
    Line {
        /// The path as it was given.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The place in the line in bytes, from 1.
        column: u64,
        /// What should stand there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A JSON text is malformed, or has another shape.
    #[error("{}:{line}:{column}: {}", file.display(), short(message))]
    Json {
        /// The path as it was given.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        message: String,
    },
    /// A table has no column that could be the one wanted.
    #[error(
        "{}: no column for the {wanted}; expected one named {expected}, found {}{hint}",
        file.display(),
        short(found)
    )]
    Column {
        /// The path as it was given.
        file: PathBuf,
        /// What the column would have held.
        wanted: &'static str,
        /// The names that it may have.
        expected: String,
        /// The names that there are.
        found: String,
        /// How it can be named, where that is to be said.
        hint: &'static str,
    },
    /// A Parquet file is damaged or uses what is not supported.
    #[error("{}: {message}", file.display())]
    Parquet {
        /// The path as it was given.
        file: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A file holds nothing but blank lines and comments.
    #[error("{}: contains no {expected}", file.display())]
    Nothing {
        /// The path as it was given.
        file: PathBuf,
        /// What was looked for.
        expected: &'static str,
    },
    /// A document stands twice under one query.
    #[error("{}: document `{document}` appears twice for query `{query}`", file.display())]
    Duplicate {
        /// The path as it was given.
        file: PathBuf,
        /// The query.
        query: String,
        /// The document.
        document: String,
    },
    /// The run and the qrels have no query in common.
    #[error(
        "no query of the run has judgements; the run starts with query `{run}`, the qrels with `{qrels}`"
    )]
    NothingInCommon {
        /// A query of the run.
        run: String,
        /// A query of the qrels.
        qrels: String,
    },
    /// No retrieved document was judged for any query.
    #[error(
        "no document of the run was judged; the run has `{}`, the judgements have `{}`{}",
        .0.run, .0.qrels, .0.difference
    )]
    NoDocumentInCommon(Box<Disjoint>),
    /// A measure gave NaN or infinity.
    #[error(transparent)]
    NotFinite(#[from] assize_score::NotFinite),
    /// A query that somebody asked about is not there.
    #[error("query `{query}` is not in the {place}")]
    NoSuchQuery {
        /// The query.
        query: String,
        /// Where it was looked for.
        place: &'static str,
    },
    /// A score that no arithmetic can be done with.
    #[error(
        "run `{run}` has an infinite score for document `{document}` in query `{query}` and \
         cannot be fused"
    )]
    Infinite {
        /// The run.
        run: String,
        /// The query.
        query: String,
        /// The document.
        document: String,
    },
    /// The fusion does not fit the runs.
    #[error(transparent)]
    Fusion(#[from] FusionError),
    /// An identifier that TREC's format has no way to write.
    #[error("{what} in TREC format must not be empty or contain whitespace, but is `{text}`")]
    Unwritable {
        /// What it names.
        what: &'static str,
        /// The identifier.
        text: String,
    },
    /// The output could not be written.
    #[error("the run could not be written")]
    Write(#[source] io::Error),
}

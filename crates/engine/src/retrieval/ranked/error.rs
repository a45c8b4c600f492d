//! Why qrels or a run could not be used.

use std::io;
use std::path::{Path, PathBuf};

use assize_methods::retrieval::fusion::FusionError;
use thiserror::Error;

use super::overlap::Disjoint;
use crate::input::{InputError, head, open_bytes, short};

fn shown(line: Option<u64>) -> String {
    line.map(|line| format!(":{line}")).unwrap_or_default()
}

impl RankedError {
    /// A document that stands twice under a query of a file.
    pub(in crate::retrieval) fn duplicate(file: &Path, query: &[u8], document: &[u8]) -> Self {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        Self::Duplicate {
            file: file.to_owned(),
            line: second_line(file, query, document),
            query: text(query),
            document: text(document),
        }
    }
}

/// The second line of a file that has both names among its fields. Looked for only where it is
/// known that there is one: readers that are quick keep no lines.
fn second_line(file: &Path, query: &[u8], document: &[u8]) -> Option<u64> {
    // What can be read only once has been read.
    head(file, 1).ok().flatten()?;
    let bytes = open_bytes(file).ok()?;
    let is_gap = |byte: &u8| byte.is_ascii_whitespace() || b",;\"{}[]:".contains(byte);
    let has = |line: &[u8], name: &[u8]| line.split(is_gap).any(|field| field == name);
    let lines = bytes.split(|byte| *byte == b'\n').zip(1..);
    let mut with_both = lines.filter(|(line, _)| has(line, query) && has(line, document));
    with_both.nth(1).map(|(_, number)| number)
}

/// A result with this error, unless another is named.
pub(crate) type Result<T, E = RankedError> = std::result::Result<T, E>;

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
    /// Two columns of a table have the name of the one wanted.
    #[error("{}:1: two columns are called `{name}`; rename one of them", file.display())]
    TwoColumns {
        /// The path as it was given.
        file: PathBuf,
        name: String,
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
    #[error("{}{}: document `{document}` appears twice for query `{query}`", file.display(), shown(*line))]
    Duplicate {
        /// The path as it was given.
        file: PathBuf,
        /// The line where it comes again, from 1, if the file has such lines.
        line: Option<u64>,
        query: String,
        document: String,
    },
    /// The run and the qrels have no query in common.
    #[error(
        "no query of the run has judgements; the run has query `{}`, the judgements have `{}`{}",
        .0.run, .0.qrels, .0.difference
    )]
    NothingInCommon(Box<Disjoint>),
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
        query: String,
        /// Where it was looked for.
        place: &'static str,
    },
    /// A score that no arithmetic can be done with.
    #[error(
        "run `{run}` has an infinite score for document `{document}` in query `{query}` and \
         cannot be fused"
    )]
    Infinite { run: String, query: String, document: String },
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

//! Ranked retrieval: qrels and runs from files, and the scoreboard of a run.
//!
//! Read in this order: what may be chosen ([`RankedOptions`], [`Reading`]), the judgements
//! ([`Qrels`]), the run ([`Run`]), and scoring ([`score_file`], [`score()`], [`explain`]).
//!
//! Scores are compared as doubles, as `trec_eval` 10 does; 9 and earlier rounded them to
//! single precision first and so had more ties.

mod bare;
mod blocks;
mod error;
mod fields;
mod format;
mod gathering;
mod hash;
mod json;
mod judge;
mod lists;
mod named;
mod names;
mod number;
mod options;
mod overlap;
mod parallel;
#[cfg(feature = "parquet")]
mod parquet;
mod qrels;
mod quick;
mod records;
mod run;
mod score;
mod shared;
mod stream;
mod table;
mod trec;

pub use error::RankedError;
pub(crate) use error::Result;
pub use gathering::Gathering;
pub use named::{Relevant, relevant};
pub(crate) use names::{keys, names_in_qrels, names_in_run};
pub use options::{Columns, Duplicates, Format, RankedOptions, Reading};
pub use overlap::Disjoint;
pub(in crate::retrieval) use overlap::QUERIES_FOR_ONE_MATCH;
pub use qrels::Qrels;
pub use run::Run;
pub use score::{METHOD, explain, levels, score, score_file};
pub(crate) use shared::{Table, choose_columns};
pub(crate) use table::{HeaderOf, header_of};

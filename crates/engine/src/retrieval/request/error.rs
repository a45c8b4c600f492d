//! Why a run could not be scored.

use std::path::PathBuf;

use assize_methods::retrieval::ranked::MeasureError;
use thiserror::Error;

use crate::input::InputError;
use crate::retrieval::groups::GroupError;
use crate::retrieval::passages::PassageError;
use crate::retrieval::ranked::RankedError;

/// Why a run could not be scored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The passages cannot.
    #[error(transparent)]
    Passages(#[from] PassageError),
    /// The ranked run cannot.
    #[error(transparent)]
    Ranked(#[from] RankedError),
    /// A measure is not one.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The queries cannot be grouped.
    #[error(transparent)]
    Groups(#[from] GroupError),
    /// The two seem to be exchanged.
    #[error(
        "{} holds gold tests and {} does not: the two seem to be exchanged",
        run.display(),
        gold.display()
    )]
    Exchanged {
        /// What was given as the run.
        run: PathBuf,
        /// What was given as gold.
        gold: PathBuf,
    },
    /// Judgements are missing.
    #[error(
        "{}: holds no passages with references, and a ranked run needs judgements: give them as \
         the second file",
        run.display()
    )]
    NoJudgements {
        /// The run.
        run: PathBuf,
    },
    /// A run where judgements were expected.
    #[error(
        "{} looks like a run, not judgements: the run is given first, then its judgements",
        gold.display()
    )]
    RunAsGold {
        /// What was given as gold.
        gold: PathBuf,
    },
    /// A folder without judgements.
    #[error(
        "{}: is a folder without qrels/test.tsv; give the file of judgements{hint}",
        folder.display()
    )]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// A file that could be meant.
        hint: String,
    },
    /// Nothing says which kind of content it is.
    #[error(
        "neither file can be looked at before it is read: say whether these are passages, spans \
         or a ranked run"
    )]
    Unknown,
    /// Documents by their identifiers are no passages.
    #[error("documents with scores and judgements are a ranked run: there are no passages")]
    NoPassages,
    /// Passages have no such measure.
    #[error(
        "passages have no measure `{measure}`; they have {}",
        known.join(", ")
    )]
    NoMeasure {
        /// What was asked for.
        measure: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A value is not what was expected.
    #[error(
        "{place}: {problem}; expected was {{query: {{document: number}}}}, or gold with `tests` for passages"
    )]
    Shape {
        /// Where.
        place: String,
        /// What is wrong.
        problem: String,
    },
    /// There is no run.
    #[error("there is no run to score")]
    NoRun,
    /// Two runs from one input.
    #[error("only one of the runs can be read from standard input")]
    InputTwice,
    /// Nothing has both a result and gold.
    #[error("there is nothing to score: no query has both a result and gold")]
    Nothing,
    /// Groups need passages.
    #[error("groups need a gold file with `tests`, whose field `{field}` makes them")]
    NoGroups {
        /// The field.
        field: String,
    },
}

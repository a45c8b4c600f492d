//! Why a run could not be scored.

use std::path::PathBuf;

use assize_methods::retrieval::ranked::MeasureError;
use thiserror::Error;

use crate::input::InputError;
use crate::request::FieldError;
use crate::retrieval::groups::GroupError;
use crate::retrieval::passages::PassageError;
use crate::retrieval::ranked::RankedError;

/// Why a run could not be scored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// A field of the request cannot be what it is.
    #[error("{0}")]
    Field(#[from] FieldError),
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
        "{} contains gold tests and {} does not: the two files seem to be swapped",
        run.display(),
        gold.display()
    )]
    Exchanged {
        /// What was given as the run.
        run: PathBuf,
        /// What was given as gold.
        gold: PathBuf,
    },
    /// The two are readable the other way round.
    #[error(
        "{} contains levels of relevance and {} contains scores: the two files seem to be swapped; \
         give the run first, then its judgements",
        run.display(),
        gold.display()
    )]
    RunAndJudgements {
        /// What was given as the run.
        run: PathBuf,
        /// What was given as gold.
        gold: PathBuf,
    },
    /// The same of two values.
    #[error(
        "predictions contain levels of relevance and gold contains scores: the two seem to be \
         swapped"
    )]
    LevelsAsScores,
    /// Judgements are missing.
    #[error(
        "{}: contains no passages with references; a ranked run needs judgements as the second \
         file",
        run.display()
    )]
    NoJudgements { run: PathBuf },
    /// A run where judgements were expected.
    #[error(
        "{} looks like a run, not judgements: give the run first, then its judgements",
        gold.display()
    )]
    RunAsGold {
        /// What was given as gold.
        gold: PathBuf,
    },
    /// Runs before what they are compared on.
    #[error(
        "{} is not the gold standard: give {} first, then the runs",
        first.display(),
        gold.as_ref().map_or("the gold standard".to_owned(), |gold| gold.display().to_string())
    )]
    GoldNotFirst {
        /// What was given in the place of gold.
        first: PathBuf,
        /// What was given as a run and is gold, if it is known.
        gold: Option<PathBuf>,
    },
    /// A ranked run and passages.
    #[error(
        "{} is a ranked run, but {} contains gold passages: a ranked run needs relevance \
         judgements, gold passages need a run with retrieved passages",
        run.display(),
        gold.display()
    )]
    RankedRun { run: PathBuf, gold: PathBuf },
    /// Passages and judgements of a ranked run.
    #[error(
        "{} contains retrieved passages, but {} contains judgements of a ranked run: passages \
         need gold passages",
        run.display(),
        gold.display()
    )]
    RankedGold { run: PathBuf, gold: PathBuf },
    /// A folder without judgements.
    #[error(
        "{}: is a folder without qrels/test.tsv; give the judgements file{hint}",
        folder.display()
    )]
    Folder {
        folder: PathBuf,
        /// A file that could be meant.
        hint: String,
    },
    /// No file has a column that was named.
    #[error("no column `{column}` for the {field}: {found}")]
    NoColumn {
        /// What it would hold.
        field: String,
        /// What it was said to be called.
        column: String,
        /// What each file has.
        found: String,
    },
    /// Nothing says which kind of content it is.
    #[error(
        "the kind of scoring cannot be detected because neither file can be read twice: choose \
         passages, spans or ranked"
    )]
    Unknown,
    /// Documents by their identifiers are no passages.
    #[error("these files are a ranked run with judgements; there are no passages")]
    NoPassages,
    /// Passages have no such measure.
    #[error(
        "unknown measure `{measure}` for passages; the measures are {}",
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
        "{place}: {problem}; expected {{query: {{document: number}}}}, or gold with `tests` for \
         passages"
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
    #[error("grouping by `{field}` needs a gold file with `tests` that have that field")]
    NoGroups { field: String },
}

impl ScoreError {
    /// Whether the two are readable and share no query, document or file.
    pub(crate) fn is_disjoint(&self) -> bool {
        matches!(
            self,
            Self::Ranked(RankedError::NothingInCommon(_) | RankedError::NoDocumentInCommon(_))
                | Self::Passages(PassageError::NoFileInCommon(_))
        )
    }
}

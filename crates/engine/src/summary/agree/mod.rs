//! Scores and people's ratings of the same pairs, from files to figures.

mod points;
mod scored;

use std::path::PathBuf;

use thiserror::Error;

pub use points::Points;

use self::scored::ScoredFile;
use super::agreement::{Agreement, Number, Options, UnknownNumber, measure};
use super::batches::Progress;
use super::input::{Fields, PairsError, Reading, RecordError};
use super::{Framework, Judge, Settings};

/// What is to be compared.
#[derive(Debug, Clone)]
pub struct AgreeRequest {
    /// A file of pairs with ratings.
    pub input: PathBuf,
    /// Scorecards that were made of these pairs before; without them the rules judge now.
    pub scores: Option<PathBuf>,
    /// Which number of a scorecard.
    pub number: Number,
    /// The field with the ratings.
    pub human: String,
    /// The field whose equal values belong together.
    pub group: Option<String>,
    /// The field that names systems.
    pub by: Option<String>,
    /// The fields of a pair.
    pub fields: Fields,
    /// How the file is read.
    pub reading: Reading,
    /// Who counts and judges.
    pub settings: Settings,
    /// How agreement is measured.
    pub options: Options,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreeReport {
    /// The pairs, and what is missing.
    pub points: Points,
    /// The figures.
    pub agreement: Agreement,
}

/// Why there are no figures.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AgreeError {
    /// A file cannot be read.
    #[error(transparent)]
    Pairs(#[from] PairsError),
    /// A record cannot.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// There is no such number.
    #[error("metric: {0}")]
    Unknown(#[from] UnknownNumber),
    /// Two scorecards have one name.
    #[error("{}: two scorecards for `{name}`", file.display())]
    Twice { file: PathBuf, name: String },
    /// A model would have to be asked.
    #[error(
        "only the rule judge is supported here; score with the model first and pass its \
         scorecards as scores"
    )]
    RulesOnly,
    /// Too few pairs have both.
    #[error(
        "{}: only {found} pairs have both a score and a rating; at least 2 are needed ({unscored} \
         without a score, {unrated} without a rating in `{human}`)",
        file.display()
    )]
    TooFew {
        file: PathBuf,
        /// Pairs with both.
        found: usize,
        /// Pairs without a score.
        unscored: usize,
        /// Pairs without a rating.
        unrated: usize,
        /// The field with the ratings.
        human: String,
    },
}

/// Scores every pair of the file, or takes the scores that were made before, and compares.
pub fn agree(
    request: &AgreeRequest,
    progress: &mut dyn FnMut(Progress),
) -> Result<AgreeReport, AgreeError> {
    let Settings { judge, framework, .. } = request.settings;
    let points = match &request.scores {
        Some(scores) => points::join(request, &ScoredFile::read(scores)?)?,
        None if judge != Judge::Rules || framework == Framework::JudgeLockUltra => {
            return Err(AgreeError::RulesOnly);
        }
        None => points::collect(request, progress)?,
    };
    if points.all.len() < 2 {
        return Err(AgreeError::TooFew {
            file: request.input.clone(),
            found: points.all.len(),
            unscored: points.unscored,
            unrated: points.unrated,
            human: request.human.clone(),
        });
    }
    let agreement = measure(&points.all, &request.options);
    Ok(AgreeReport { points, agreement })
}

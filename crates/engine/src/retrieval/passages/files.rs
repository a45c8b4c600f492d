//! Two open files, read and paired.

use std::path::{Path, PathBuf};

use assize_methods::retrieval::passages::{Pair, Pairing, Prediction, Test, pair};

use super::error::PassageError;
use super::kinds::{Kinds, kinds};
use super::options::{Measures, ScoreOptions};
use super::parse;
use crate::input::{STANDARD_INPUT, Source};

/// Opens predictions and gold.
pub(super) fn open(predictions: &Path, gold: &Path) -> Result<(Source, Source), PassageError> {
    if predictions == gold && predictions.as_os_str() == STANDARD_INPUT {
        return Err(PassageError::BothFromStandardInput);
    }
    Ok((Source::open(predictions)?, Source::open(gold)?))
}

/// Predictions and gold as they stand in their files, whose texts they borrow.
pub(super) struct Files<'a> {
    pub(super) predictions: Vec<Prediction<'a>>,
    pub(super) gold: Vec<Test<'a>>,
    pub(super) predictions_name: PathBuf,
    pub(super) gold_name: PathBuf,
}

/// Every query that may be scored, and what can be measured.
pub(super) struct Queries<'a> {
    pub(super) pairing: Pairing<'a>,
    pub(super) kinds: Kinds,
}

impl<'a> Files<'a> {
    /// Reads both inputs at the same time.
    pub(super) fn read(predictions: &'a Source, gold: &'a Source) -> Result<Self, PassageError> {
        let (predicted, tests) =
            rayon::join(|| parse::predictions(predictions), || parse::gold(gold));
        Ok(Self {
            predictions: predicted?,
            gold: tests?,
            predictions_name: predictions.name.clone(),
            gold_name: gold.name.clone(),
        })
    }

    /// Pairs predictions with gold and settles what to measure.
    pub(super) fn queries(&self, measures: Measures) -> Result<Queries<'_>, PassageError> {
        let pairing = pair(&self.predictions, &self.gold).map_err(|source| {
            let (predictions, gold) = (self.predictions_name.clone(), self.gold_name.clone());
            PassageError::Pairing { predictions, gold, source }
        })?;
        Ok(Queries { pairing, kinds: kinds(self, measures)? })
    }

    /// The error that says why no query is left.
    pub(super) fn nothing_to_score(&self) -> PassageError {
        PassageError::NothingToScore {
            predictions: self.predictions_name.clone(),
            gold: self.gold_name.clone(),
            because: if self.predictions.is_empty() {
                "there are no predictions"
            } else {
                "none of the tests has gold snippets"
            },
        }
    }
}

impl<'a> Queries<'a> {
    /// The queries in the order of their numbers: predictions as they come, then gold
    /// that nobody predicted if that is to be scored too.
    pub(super) fn in_order(&self, options: &ScoreOptions) -> Vec<&Pair<'a>> {
        let unpredicted: &[Pair<'a>] =
            if options.require_all { &self.pairing.unpredicted } else { &[] };
        self.pairing.pairs.iter().chain(unpredicted).collect()
    }
}

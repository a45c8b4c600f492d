//! What each instrument measures for a check, in the one form that requirements look at.

mod council;
mod evaluate;
mod gate;
mod retrieve;
mod score;
mod summary;

use std::error::Error;
use std::path::{Path, PathBuf};

pub(super) use self::score::Scored;
use super::asking::Asking;
use super::spec::Spec;
use crate::error::EngineError;
use crate::input::head;
use crate::thresholds::Figures;

/// What was measured.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// The numbers.
    pub(super) figures: Figures,
    /// What the user should know besides.
    pub(super) notices: Vec<String>,
    /// What a retrieval was scored on, so that what it lost can be shown.
    pub(super) scored: Option<Scored>,
}

/// A check on its way.
pub(super) struct Measuring<'a> {
    pub(super) spec: &'a Spec,
    /// Where its files lie.
    pub(super) folder: &'a Path,
    pub(super) asking: &'a Asking,
    /// Which of several samples of its judge this is, from 0.
    pub(super) sample: u32,
}

impl Measuring<'_> {
    /// Measures what the check is about.
    pub(super) async fn measure(&self) -> Result<Measured, EngineError> {
        let Spec { score, retrieve, summary, evaluate, gate, council, .. } = self.spec;
        if let Some(score) = score {
            return self.score(self.files_of(score), &score.request);
        }
        if let Some(retrieve) = retrieve {
            return self.score(self.retrieved(&retrieve.content)?, &retrieve.request);
        }
        if let Some(summary) = summary {
            return self.summary(summary).await;
        }
        if let Some(evaluate) = evaluate {
            return Box::pin(self.evaluate(evaluate)).await;
        }
        if let Some(gate) = gate {
            return self.gate(gate);
        }
        match council {
            Some(council) => self.council(council),
            None => Err(EngineError::bad_input("the check does not say what to check")),
        }
    }

    /// A file of the check that holds nothing at all.
    pub(super) fn empty_file(&self) -> Option<PathBuf> {
        let is_empty = |path: &PathBuf| head(path, 1).is_ok_and(|start| start == Some(Vec::new()));
        self.files().into_iter().find(is_empty)
    }

    /// The files of the check.
    fn files(&self) -> Vec<PathBuf> {
        let Spec { score, retrieve, summary, evaluate, gate, council, .. } = self.spec;
        let mut files: Vec<&PathBuf> = Vec::new();
        if let Some(one) = retrieve {
            files.push(&one.content.queries);
            files.extend(&one.content.qrels);
        }
        if let Some(one) = score {
            files.push(&one.content.run);
            files.extend(&one.content.gold);
        }
        files.extend(summary.iter().map(|one| &one.content.input));
        if let Some(one) = evaluate {
            files.push(&one.criteria);
            files.extend(&one.documents);
        }
        files.extend(gate.iter().map(|one| &one.input));
        files.extend(council.iter().map(|one| &one.run));
        files.extend(&self.spec.labels);
        files.into_iter().map(|file| self.path(file)).collect()
    }

    pub(super) fn path(&self, file: &Path) -> PathBuf {
        self.folder.join(file)
    }
}

/// An error of a module as every caller tells it.
pub(super) fn told(error: impl Error + 'static) -> EngineError {
    EngineError::of(&error)
}

/// What a check says that cannot be.
pub(super) fn refused(problem: impl Into<String>) -> EngineError {
    EngineError::bad_input(problem)
}

/// The mean of each measure over the items that have it.
fn with_means(names: &[&str], items: Vec<(String, Vec<Option<f64>>)>) -> Figures {
    let mean = |place: usize| {
        let values: Vec<f64> = items.iter().filter_map(|(_, values)| *values.get(place)?).collect();
        assize_stats::summary::mean(&values).ok()
    };
    Figures {
        means: names
            .iter()
            .enumerate()
            .map(|(place, name)| ((*name).to_owned(), mean(place)))
            .collect(),
        count: items.len(),
        unscored: items.iter().filter(|(_, values)| values.iter().all(Option::is_none)).count(),
        items,
    }
}

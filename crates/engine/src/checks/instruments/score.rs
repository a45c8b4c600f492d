//! A retrieval run.

use std::path::PathBuf;
use std::sync::Arc;

use assize_search::Collection;
use serde_json::Value;

use super::{Measured, Measuring, told};
use crate::checks::spec::{Files, Score};
use crate::error::EngineError;
use crate::retrieval::passages::PassageError;
use crate::retrieval::ranked::{Qrels, RankedError, Run};
use crate::retrieval::request::{Inputs, Missed, ScoreError, ScoreReport, ScoreRequest};
use crate::thresholds::{Figure, Figures};

/// So much of what an item lost is shown.
const LOST_SHOWN: usize = 3;
/// So many characters of each.
const LOST_CHARACTERS: usize = 300;

impl Measuring<'_> {
    /// The files of a run.
    pub(super) fn files_of(&self, score: &Score) -> Scored {
        let Files { run, gold } = &score.content;
        let run = self.path(run);
        let gold = gold.as_ref().map_or_else(|| run.clone(), |gold| self.path(gold));
        Scored::Files(run, gold)
    }

    pub(super) fn score(
        &self,
        of: Scored,
        request: &ScoreRequest,
    ) -> Result<Measured, EngineError> {
        let wanted = self.measures();
        let score =
            |measures: Vec<String>| ScoreRequest { measures, ..request.clone() }.score(of.inputs());
        let report = match score(wanted.clone()) {
            Ok(report) => report,
            // A run without a single answer: the caller says so, and it is no error of form.
            Err(
                ScoreError::Nothing
                | ScoreError::Passages(PassageError::NothingToScore { .. })
                | ScoreError::Ranked(RankedError::Nothing { .. }),
            ) => return Ok(Measured::default()),
            Err(error) => return Err(told(error)),
        };
        let mut figures = Figures::from(&report);
        for measure in wanted.iter().filter(|measure| !measure.is_empty()) {
            if figures.mean(measure).is_none() {
                let report = score(vec![measure.clone()]).map_err(told)?;
                add_alias(measure, &report, &mut figures);
            }
        }
        let mut notices = report.board.notices;
        notices.extend(report.board.judged.map(|judged| judged.to_string()));
        Ok(Measured { figures, notices, scored: Some(of) })
    }

    /// The measures that requirements name, each once.
    fn measures(&self) -> Vec<String> {
        let mut measures: Vec<String> = Vec::new();
        for requirement in self.spec.requirements().unwrap_or_default() {
            let (Figure::Mean(measure) | Figure::Share { measure, .. }) = requirement.figure else {
                continue;
            };
            if !measures.contains(&measure) {
                measures.push(measure);
            }
        }
        measures
    }
}

/// A measure under the name that the requirement gives it.
fn add_alias(measure: &str, report: &ScoreReport, figures: &mut Figures) {
    let found = Figures::from(report);
    // Several measures behind one name: which of them is meant, nobody said.
    let [(_, mean)] = found.means.as_slice() else { return };
    figures.means.push((measure.to_owned(), *mean));
    for ((_, values), (_, own)) in figures.items.iter_mut().zip(&found.items) {
        values.push(own.first().copied().flatten());
    }
}

/// What a retrieval is scored on.
#[derive(Debug)]
pub(in crate::checks) enum Scored {
    /// Two files.
    Files(PathBuf, PathBuf),
    /// A run of documents that was just made, its judgements, and where it was searched.
    Ranked(Box<(Run, Qrels)>, Option<Arc<Collection>>),
    /// Passages that were just found, and the tests they are for.
    Passages(Box<(Value, Value)>),
}

impl Scored {
    fn inputs(&self) -> Inputs<'_> {
        match self {
            Self::Files(run, gold) => Inputs::Files(run, gold),
            Self::Ranked(both, _) => Inputs::Ranked(&both.0, &both.1),
            Self::Passages(both) => Inputs::Values(&both.0, &both.1),
        }
    }

    /// What an item should have found by a measure and did not, in words.
    pub(in crate::checks) fn lost(
        &self,
        request: &ScoreRequest,
        measure: &str,
        item: &str,
    ) -> Vec<String> {
        let request = ScoreRequest { measures: vec![measure.to_owned()], ..request.clone() };
        let missed = request.explain_named(self.inputs(), item);
        // An item that cannot be explained has its values all the same.
        let missed = missed.map(|explained| explained.missed).unwrap_or_default();
        missed.into_iter().take(LOST_SHOWN).map(|one| self.with_text(one)).collect()
    }

    /// A document with the beginning of its text, where that is at hand.
    fn with_text(&self, Missed { name, words }: Missed) -> String {
        let Self::Ranked(_, Some(collection)) = self else { return shortened(&words) };
        let documents = collection.corpus().documents();
        match documents.iter().find(|document| document.path == name) {
            Some(document) => shortened(&format!("{words}: {}", document.text)),
            None => shortened(&words),
        }
    }
}

fn shortened(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(LOST_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

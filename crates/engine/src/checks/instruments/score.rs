//! A retrieval run.

use super::{Measured, Measuring, told};
use crate::checks::spec::{Files, Score};
use crate::error::EngineError;
use crate::retrieval::passages::PassageError;
use crate::retrieval::ranked::RankedError;
use crate::retrieval::request::{Inputs, ScoreError, ScoreReport, ScoreRequest};
use crate::thresholds::{Figure, Figures};

impl Measuring<'_> {
    pub(super) fn score(&self, score: &Score) -> Result<Measured, EngineError> {
        let wanted = self.measures();
        let report = match self.scored(score, wanted.clone()) {
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
                self.add_alias(score, measure, &mut figures)?;
            }
        }
        Ok(Measured { figures, notices: report.board.notices })
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

    fn scored(&self, score: &Score, measures: Vec<String>) -> Result<ScoreReport, ScoreError> {
        let Files { run, gold } = &score.content;
        let run = self.path(run);
        let gold = gold.as_ref().map_or_else(|| run.clone(), |gold| self.path(gold));
        let request = ScoreRequest { measures, ..score.request.clone() };
        request.score(Inputs::Files(&run, &gold))
    }

    /// A measure under the name that the requirement gives it.
    fn add_alias(
        &self,
        score: &Score,
        measure: &str,
        figures: &mut Figures,
    ) -> Result<(), EngineError> {
        let report = self.scored(score, vec![measure.to_owned()]).map_err(told)?;
        let found = Figures::from(&report);
        // Several measures behind one name: which of them is meant, nobody said.
        let [(_, mean)] = found.means.as_slice() else { return Ok(()) };
        figures.means.push((measure.to_owned(), *mean));
        for ((_, values), (_, own)) in figures.items.iter_mut().zip(&found.items) {
            values.push(own.first().copied().flatten());
        }
        Ok(())
    }
}

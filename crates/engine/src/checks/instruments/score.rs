//! A retrieval run.

use super::{Measured, Measuring, refused, told};
use crate::checks::spec::Score;
use crate::error::EngineError;
use crate::retrieval::passages::PassageError;
use crate::retrieval::ranked::RankedError;
use crate::retrieval::request::{FIELDS, Inputs, ScoreError, ScoreReport, ScoreRequest};
use crate::thresholds::{Figure, Figures};

impl Measuring<'_> {
    pub(super) fn score(&self, score: &Score) -> Result<Measured, EngineError> {
        if let Some(field) = score.map.keys().find(|field| !FIELDS.contains(&field.as_str())) {
            let fields = FIELDS.join(", ");
            return Err(refused(format!(
                "unknown field `{field}` in `map`; the fields are {fields}"
            )));
        }
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
        let run = self.path(&score.run);
        let gold = score.gold.as_ref().map_or_else(|| run.clone(), |gold| self.path(gold));
        let request = ScoreRequest { measures, map: score.map.clone(), ..ScoreRequest::default() };
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

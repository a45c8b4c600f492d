//! A council that was held: what its answers came to.

use super::{Measured, Measuring, told, with_means};
use crate::checks::spec::Council;
use crate::council::CouncilRun;
use crate::error::EngineError;

/// The final score of an answer.
const SCORE: &str = "score";
/// The final score of the answers of rank 1.
const WINNER: &str = "winner";
/// Whether an answer passes the safety gate (1) or not (0), where the gate was on.
const GATE_PASSED: &str = "gate_passed";

impl Measuring<'_> {
    pub(super) fn council(&self, council: &Council) -> Result<Measured, EngineError> {
        let run = CouncilRun::read(&self.path(&council.run), None).map_err(told)?;
        let verdict = run.verdict();
        let item = |answer: &assize_methods::council::verdict::AnswerVerdict| {
            let score = answer.score.as_ref().map(|score| score.value);
            let winner = score.filter(|_| answer.rank == Some(1));
            let gate = answer.gate_passed.map(|passed| f64::from(u8::from(passed)));
            (answer.model.clone(), vec![score, winner, gate])
        };
        let items = verdict.answers.iter().map(item).collect();
        let mut figures = with_means(&[SCORE, WINNER, GATE_PASSED], items);
        // An answer without a score has none, whatever the gate says of it.
        figures.unscored = verdict.answers.iter().filter(|answer| answer.score.is_none()).count();
        let notices = verdict.findings.iter().map(|finding| finding.message.clone());
        Ok(Measured { figures, notices: notices.collect(), ..Measured::default() })
    }
}

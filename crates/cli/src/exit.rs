//! How a command ends: the exit codes that scripts rely on.

use std::io;

use assize_engine::error::{ErrorKind, code_of};

use crate::hints;
use crate::output::terminal;
use crate::runtime::interrupted_code;

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// Everything the user asked for holds.
    Fine,
    /// The work was done and a threshold that the user set was not met.
    ThresholdMissed,
    /// The work was done, and a judge left something without a score.
    Unscored,
    /// A council was held, and every answer that could win fails the safety gate.
    NoWinner,
    /// What was to be verified does not hold, and the user was told why.
    Refused,
    /// The work ended early, and the user was told why; what was done is kept.
    Ended(ErrorKind),
}

const FINE: u8 = 0;
const THRESHOLD_MISSED: u8 = 1;
/// Wrong usage, or bad input.
pub(crate) const BAD_INPUT: u8 = 2;
const FAILED: u8 = 3;
/// A council without a winner: nothing went wrong, and there is no answer to use.
const NO_WINNER: u8 = 4;

/// The exit code of a command; a failure is told on stderr, without a backtrace.
pub(crate) fn code(done: anyhow::Result<Done>) -> u8 {
    match done {
        Ok(Done::Fine) => FINE,
        Ok(Done::ThresholdMissed) => THRESHOLD_MISSED,
        Ok(Done::Unscored) => FAILED,
        Ok(Done::NoWinner) => NO_WINNER,
        Ok(Done::Refused) => BAD_INPUT,
        Ok(Done::Ended(kind)) => number(kind),
        // Whoever reads our output has had enough (`| head`): not an error of anybody's.
        Err(error) if is_broken_pipe(&error) => FINE,
        Err(error) => number(tell(&error)),
    }
}

/// Tells an error with what to do about it, and gives its kind.
pub(crate) fn tell(error: &anyhow::Error) -> ErrorKind {
    let code = code_of(error.as_ref());
    terminal::complain(error, hints::of(error, code).as_deref());
    code.kind
}

/// The one place where a kind becomes an exit code.
pub(crate) fn number(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::Provider | ErrorKind::Store => FAILED,
        ErrorKind::Interrupted => interrupted_code(),
        ErrorKind::BadInput | ErrorKind::NotFound | ErrorKind::Conflict | ErrorKind::Refused => {
            BAD_INPUT
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

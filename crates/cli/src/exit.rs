//! How a command ends: the exit codes that scripts rely on.

use std::io;
use std::process::ExitCode;

use crate::output::terminal;

/// How a command that did its work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Done {
    /// Everything the user asked for holds.
    Fine,
    /// The work was done and a threshold that the user set was not met.
    ThresholdMissed,
    /// A judge, provider or database failed, and something has no score because of it.
    JudgeFailed,
    /// Somebody interrupted it; what was done is kept.
    Interrupted,
}

const THRESHOLD_MISSED: u8 = 1;
const BAD_INPUT: u8 = 2;
const JUDGE_FAILED: u8 = 3;
const INTERRUPTED: u8 = 130;

/// The exit code of a command; a failure is told on stderr, without a backtrace.
pub(crate) fn code(done: anyhow::Result<Done>) -> ExitCode {
    match done {
        Ok(Done::Fine) => ExitCode::SUCCESS,
        Ok(Done::ThresholdMissed) => ExitCode::from(THRESHOLD_MISSED),
        Ok(Done::JudgeFailed) => ExitCode::from(JUDGE_FAILED),
        Ok(Done::Interrupted) => ExitCode::from(INTERRUPTED),
        // Whoever reads our output has had enough (`| head`): not an error of anybody's.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::complain(&error);
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

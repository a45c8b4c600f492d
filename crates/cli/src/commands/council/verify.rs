//! `assize council verify`: whether a council file says what its replies say.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Result;
use assize_engine::council::{CouncilRun, OperatorPolicy};
use assize_wire::number::counted;
use clap::Args;

use crate::exit::Done;
use crate::model_args::variables;
use crate::output::files;
use crate::output::terminal::{one_line, strong};

const NOTES: &str = "\
Ballots are read again from the stored replies, orders are drawn again from the seed, the safety gate reads
the texts again, and the outcome is computed again. A file whose parts disagree is refused, and the part is
named (exit code 2). If ASSIZE_COUNCIL_KEY holds a secret, records are signed with it when they are written and
checked against it here.";

/// Check that saved council runs have not been altered.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// Council runs: files, or names in assize-councils
    #[arg(required = true, value_name = "RUNS")]
    runs: Vec<PathBuf>,
    /// Exit with 1 if a run is not signed with the operator's key
    #[arg(long)]
    require_signature: bool,
}

/// Reads every file and says what was found.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let operator = OperatorPolicy::load(&variables(), None)?;
    let mut is_signed = true;
    for path in &arguments.runs {
        let run = CouncilRun::read(path, operator.signing_key.as_ref())?;
        let signed = !run.notices.iter().any(|notice| notice.code == "unsigned");
        is_signed &= signed;
        files::print(&found(&path.display().to_string(), &run, signed))?;
    }
    let missed = arguments.require_signature && !is_signed;
    Ok(if missed { Done::ThresholdMissed } else { Done::Fine })
}

fn found(name: &str, run: &CouncilRun, signed: bool) -> String {
    let verdict = run.verdict();
    let winners = verdict.winners();
    let winners: Vec<String> =
        winners.iter().map(|answer| one_line(&verdict.answers[*answer].model, 60)).collect();
    let outcome = match winners.len() {
        0 => "no winner".to_owned(),
        1 => format!("{} wins", winners[0]),
        _ => format!("{} are level at the top", winners.join(" and ")),
    };
    let replies: usize = run.record.reviewers.iter().map(|one| one.replies.len()).sum();
    let mut text = format!("{}\n", strong(name));
    let mut line = |what: &str, said: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {what:<10} {said}");
    };
    line("ballots", format!("as the {} say", counted(replies, "reply", "replies")));
    line("orders", format!("as the seed {} gives them", run.record.seed));
    line(
        "gate",
        match &verdict.safety_gate {
            None => "off".to_owned(),
            Some(gate) => {
                let failed = counted(gate.failed_models.len(), "answer fails", "answers fail");
                format!("as the texts are: {failed}, cap {}", gate.cap)
            }
        },
    );
    line("outcome", outcome);
    line("signature", if signed { "valid" } else { "unsigned" }.to_owned());
    for notice in &run.notices {
        line("note", one_line(&notice.message, 300));
    }
    text
}

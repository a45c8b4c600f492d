//! How a council's verdict is shown, and which of a request's flags a command has no use for.

use assize_engine::council::request::SEATS;
use clap::{Arg, Args};

use crate::output::shown::OutputArguments;

/// Leaves the flags that a council that was held cannot change out of the help; given all the
/// same, the engine refuses them.
pub(crate) fn hide_seats(flag: Arg) -> Arg {
    match flag.get_id().as_str() {
        // `runs rescore` has another flag of that name, for summaries.
        "council_evidence" => flag.long("council-evidence").hide(true),
        "evidence" => flag,
        seat if SEATS.contains(&seat) => flag.hide(true),
        _ => flag,
    }
}

/// How a verdict is shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct VerdictArguments {
    #[command(flatten)]
    pub(crate) to: OutputArguments,
    /// Show how every score was computed
    #[arg(long)]
    pub(crate) explain: bool,
    /// Exit with 1 if there is no winner
    #[arg(long)]
    pub(crate) require_winner: bool,
}

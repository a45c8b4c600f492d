//! Checks: what must hold of a project's results, stated once in `assize.toml` and run by one
//! command.
//!
//! Read in this order: what a check says ([`spec`]), what each instrument measures for it
//! (`instruments`), several samples of one judge (`samples`), what was measured before
//! ([`baseline`]), and the run of all of them ([`suite`]). PASS and FAIL are decided by
//! [`crate::thresholds`], as for every other threshold.

mod asking;
pub mod baseline;
mod corrected;
mod instruments;
mod samples;
pub mod spec;
pub mod suite;

pub use asking::Asking;
pub use spec::{Allowed, Spec, SpecError, read_specs};
pub use suite::{Ended, Outcome, Update, run_suite};

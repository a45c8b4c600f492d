//! Summaries: pairs from files, judged in parallel, each with its scorecard or the reason
//! why it has none.
//!
//! Read in this order: where pairs come from ([`input`]), who judges and which framework
//! counts ([`judging`], [`scorecard`]), how a whole file is worked through ([`batches`]), by
//! models too ([`model`]),
//! how near the scores are to people's ([`agree`], [`agreement`], [`calibration`]), and what
//! that is worth beside plain baselines ([`bench`]). What programs outside see is made in
//! [`wire`].

pub mod agree;
pub mod agreement;
pub mod batches;
pub mod bench;
pub mod calibration;
pub mod input;
pub mod judging;
pub mod model;
pub mod request;
pub mod scorecard;
pub mod tally;
pub mod wire;

pub use batches::{Judged, Pair, run};
pub use judging::{ByRules, Judge, Settings};
pub use request::SummaryRequest;
pub use scorecard::{Framework, Report};
pub use tally::Tally;

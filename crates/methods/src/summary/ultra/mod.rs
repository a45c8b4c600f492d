//! Judge-Lock Ultra: a panel labels the same lists, and Judge-Lock counts the vote.
//!
//! In this order: a judge that calls a planted falsehood true is left out ([`canary`]); a
//! label whose words cannot be found is lowered ([`lock`]); the median label counts
//! ([`vote`]); how far the judges agree ([`agreement`]) and how sure the scores are
//! ([`interval`]) is part of the verdict. The rules sit on the panel too ([`anchor`]).
//! [`panel`] puts it together; [`calibration`] stands beside it.

pub mod agreement;
pub mod anchor;
pub mod calibration;
pub mod canary;
pub mod interval;
pub mod lock;
pub mod panel;
pub mod vote;

use assize_score::MethodVersion;
use serde::{Deserialize, Serialize};

pub use calibration::Calibration;
pub use panel::{Panel, decide};

use super::asks::Labels;

/// This method; a change that can move a number is a new version.
pub const METHOD: MethodVersion = MethodVersion::new("judge-lock-ultra", 7);

/// What one judge of a panel said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ballot {
    /// Who.
    pub judge: String,
    /// What; the labels of the planted claims stand last.
    pub labels: Labels,
}

#[cfg(test)]
mod tests;

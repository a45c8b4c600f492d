//! What is kept beside the evidence: who judged, by which exchanges, and what went wrong.

pub use assize_wire::summary::Trail;

use crate::asking::Unscored;

/// The trail of a pair that a judge left without evidence, and why, in words.
#[must_use]
pub fn unscored(mut trail: Trail, unscored: Unscored) -> (Trail, String) {
    trail.exchanges.extend(unscored.exchanges.iter().map(ToString::to_string));
    trail.raw_reply = unscored.raw_reply;
    trail.is_unscored = true;
    (trail, format!("unscored: {}", unscored.because))
}

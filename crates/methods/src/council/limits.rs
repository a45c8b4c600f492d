//! How large a council may be. Sizes come from files too, so they are checked before anything
//! is allocated for them.

use serde::{Deserialize, Deserializer, de};
use thiserror::Error;

use super::record::{CouncilRecord, Exhibit};
use super::settings::Settings;

/// Answers to one question. Some ways of ranking look at every path between two answers, which
/// at a hundred of them is still done in a moment.
pub const ANSWERS_MAX: usize = 100;

/// Reviewers of one question.
pub(crate) const REVIEWERS_MAX: usize = 100;

/// Draws of the reviewers: beyond ten thousand an interval does not move in its second decimal.
pub(crate) const RESAMPLES_MAX: usize = 10_000;

/// Characters of all answers together, in bytes.
pub(crate) const TEXT_BYTES_MAX: usize = 16 << 20;

/// Pieces of evidence that a caller may give.
pub(crate) const EVIDENCE_MAX: usize = 20;

/// Characters of all evidence together, in bytes: more than most models read at once.
pub const EVIDENCE_BYTES_MAX: usize = 1 << 20;

/// A council that is too large.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{found} {what}; a council may have at most {most}")]
pub struct TooLarge {
    /// Of what there is too much.
    pub what: &'static str,
    /// How much.
    pub found: usize,
    /// How much there may be.
    pub most: usize,
}

/// How large a council is, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// How many answers.
    pub answers: usize,
    /// How many reviewers.
    pub reviewers: usize,
    /// How long the answers are together, in bytes.
    pub bytes: usize,
}

/// Refuses a council that is too large, before anybody is asked or anything allocated.
pub fn within(sizes: Sizes) -> Result<(), TooLarge> {
    at_most("answers", sizes.answers, ANSWERS_MAX)?;
    at_most("reviewers", sizes.reviewers, REVIEWERS_MAX)?;
    at_most("bytes of answers", sizes.bytes, TEXT_BYTES_MAX)
}

/// Refuses a record that is too large to be decided in reasonable time and memory.
pub fn check(record: &CouncilRecord, settings: &Settings) -> Result<(), TooLarge> {
    at_most("resamples", settings.resamples, RESAMPLES_MAX)?;
    evidence(&record.evidence)?;
    within(Sizes {
        answers: record.answers.len(),
        reviewers: record.reviewers.len(),
        bytes: record.answers.iter().filter_map(|answer| answer.text()).map(str::len).sum(),
    })
}

/// Refuses more evidence than a reviewer can be shown.
pub fn evidence(evidence: &[Exhibit]) -> Result<(), TooLarge> {
    at_most("pieces of evidence", evidence.len(), EVIDENCE_MAX)?;
    let bytes = evidence.iter().map(|exhibit| exhibit.text.len()).sum();
    at_most("bytes of evidence", bytes, EVIDENCE_BYTES_MAX)
}

fn at_most(what: &'static str, found: usize, most: usize) -> Result<(), TooLarge> {
    if found > most { Err(TooLarge { what, found, most }) } else { Ok(()) }
}

/// A number of seats, within the limit.
pub(super) fn seats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    limited(deserializer, "seats", ANSWERS_MAX)
}

/// A number of resamples, within the limit.
pub(super) fn resamples<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    limited(deserializer, "resamples", RESAMPLES_MAX)
}

fn limited<'de, D: Deserializer<'de>>(
    deserializer: D,
    what: &'static str,
    most: usize,
) -> Result<usize, D::Error> {
    let found = usize::deserialize(deserializer)?;
    at_most(what, found, most).map_err(de::Error::custom)?;
    Ok(found)
}

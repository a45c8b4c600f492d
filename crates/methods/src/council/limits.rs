//! How large a council may be. Sizes come from files too, so they are checked before anything
//! is allocated for them.

use serde::{Deserialize, Deserializer, de};
use thiserror::Error;

use super::record::CouncilRecord;
use super::settings::Settings;

/// Answers to one question. Some ways of ranking look at every path between two answers, which
/// at a hundred of them is still done in a moment.
pub const ANSWERS_MAX: usize = 100;

/// Reviewers of one question.
pub const REVIEWERS_MAX: usize = 100;

/// Draws of the reviewers: beyond ten thousand an interval does not move in its second decimal.
pub const RESAMPLES_MAX: usize = 10_000;

/// Characters of all answers together, in bytes.
pub const TEXT_BYTES_MAX: usize = 16 << 20;

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

/// Refuses a council that is too large to be decided in reasonable time and memory.
pub fn check(record: &CouncilRecord, settings: &Settings) -> Result<(), TooLarge> {
    let texts = record.answers.iter().filter_map(|answer| answer.text()).map(str::len).sum();
    for (what, found, most) in [
        ("answers", record.answers.len(), ANSWERS_MAX),
        ("reviewers", record.reviewers.len(), REVIEWERS_MAX),
        ("resamples", settings.resamples, RESAMPLES_MAX),
        ("bytes of answers", texts, TEXT_BYTES_MAX),
    ] {
        if found > most {
            return Err(TooLarge { what, found, most });
        }
    }
    Ok(())
}

/// A number of seats, within the limit.
pub(super) fn seats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, "seats", ANSWERS_MAX)
}

/// A number of resamples, within the limit.
pub(super) fn resamples<'de, D: Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
    within(deserializer, "resamples", RESAMPLES_MAX)
}

fn within<'de, D: Deserializer<'de>>(
    deserializer: D,
    what: &'static str,
    most: usize,
) -> Result<usize, D::Error> {
    let found = usize::deserialize(deserializer)?;
    if found > most {
        return Err(de::Error::custom(TooLarge { what, found, most }));
    }
    Ok(found)
}

//! How long the stages of a council may take.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::Duration;

use assize_wire::council::Stage;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What holds where nothing is said, in seconds. Slow local models take minutes for a review; a
/// hosted model that has not answered after half an hour will not.
const ANSWERS: u64 = 1_800;
const REVIEWS: u64 = 1_800;
const CHAIR: u64 = 900;
const TOTAL: u64 = 7_200;

/// Beyond a day nobody waits.
const SECONDS_MAX: u64 = 86_400;

/// How long each stage may take, in seconds; what is not said is as usual.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "BTreeMap<String, u64>", into = "BTreeMap<&'static str, u64>")]
#[schemars(with = "BTreeMap<String, u64>", inline)]
pub struct Timeouts {
    answers: Option<u64>,
    reviews: Option<u64>,
    chair: Option<u64>,
    total: Option<u64>,
}

impl Timeouts {
    /// How long a stage may take. The second round takes as long as the first.
    pub(super) fn stage(self, stage: Stage) -> Duration {
        Duration::from_secs(match stage {
            Stage::Answer => self.answers.unwrap_or(ANSWERS),
            Stage::Review | Stage::Revise => self.reviews.unwrap_or(REVIEWS),
            Stage::Chair => self.chair.unwrap_or(CHAIR),
        })
    }

    /// How long all of it may take.
    pub(super) fn total(self) -> Duration {
        Duration::from_secs(self.total.unwrap_or(TOTAL))
    }

    /// What the upper one says, and where it is silent the lower one.
    pub(super) fn over(upper: Option<Self>, lower: Option<Self>) -> Option<Self> {
        let (Some(one), Some(other)) = (upper, lower) else { return upper.or(lower) };
        Some(Self {
            answers: one.answers.or(other.answers),
            reviews: one.reviews.or(other.reviews),
            chair: one.chair.or(other.chair),
            total: one.total.or(other.total),
        })
    }
}

impl TryFrom<BTreeMap<String, u64>> for Timeouts {
    type Error = String;

    fn try_from(named: BTreeMap<String, u64>) -> Result<Self, String> {
        let mut timeouts = Self::default();
        for (name, seconds) in named {
            let place = match name.as_str() {
                "answers" => &mut timeouts.answers,
                "reviews" => &mut timeouts.reviews,
                "chair" => &mut timeouts.chair,
                "total" => &mut timeouts.total,
                _ => {
                    return Err(format!(
                        "unknown stage `{name}`; expected answers, reviews, chair or total"
                    ));
                }
            };
            if !(1..=SECONDS_MAX).contains(&seconds) {
                return Err(format!(
                    "{name} may take {seconds} seconds; expected 1 to {SECONDS_MAX}"
                ));
            }
            *place = Some(seconds);
        }
        Ok(timeouts)
    }
}

impl From<Timeouts> for BTreeMap<&'static str, u64> {
    fn from(timeouts: Timeouts) -> Self {
        let Timeouts { answers, reviews, chair, total } = timeouts;
        let all = [("answers", answers), ("reviews", reviews), ("chair", chair), ("total", total)];
        all.into_iter().filter_map(|(name, seconds)| Some((name, seconds?))).collect()
    }
}

impl FromStr for Timeouts {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let one = |one: &str| {
            let example =
                || format!("invalid timeout `{one}`: expected something like reviews=60,total=300");
            let (name, seconds) = one.split_once('=').ok_or_else(example)?;
            Ok((name.trim().to_owned(), seconds.trim().parse().map_err(|_| example())?))
        };
        Self::try_from(text.split(',').map(one).collect::<Result<BTreeMap<_, _>, String>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_that_is_not_named_keeps_its_usual_time() {
        let upper: Timeouts = "reviews=60".parse().unwrap();
        let lower: Timeouts = "reviews=5,total=300".parse().unwrap();
        let both = Timeouts::over(Some(upper), Some(lower)).unwrap();
        assert_eq!(both.stage(Stage::Review), Duration::from_mins(1));
        assert_eq!(both.stage(Stage::Chair), Duration::from_secs(CHAIR));
        assert_eq!(both.total(), Duration::from_mins(5));
        let json = serde_json::to_value(both).unwrap();
        assert_eq!(json, serde_json::json!({"reviews": 60, "total": 300}));
        assert_eq!(serde_json::from_value::<Timeouts>(json).unwrap(), both);
    }

    #[test]
    fn what_is_no_stage_or_no_time_is_refused_with_what_there_is() {
        let refused = |text: &str| text.parse::<Timeouts>().unwrap_err();
        assert!(refused("review=60").contains("expected answers, reviews, chair or total"));
        assert!(refused("chair=0").contains("expected 1 to 86400"));
        assert!(refused("chair").contains("reviews=60,total=300"));
    }
}

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

/// Times under one name, from the fastest models to those that think: each stage, and all of them.
const TIERS: [(&str, u64, u64); 4] =
    [("quick", 20, 60), ("balanced", 45, 180), ("high", 90, 360), ("reasoning", 300, 1_200)];

/// How long each stage may take, in seconds; what is not said is as usual.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "TimeoutsForm", into = "BTreeMap<&'static str, u64>")]
#[schemars(with = "TimeoutsForm", inline)]
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

/// Times as JSON and TOML spell them: by stage, or as they are typed.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected seconds by stage, or the name of a tier")]
#[schemars(inline)]
enum TimeoutsForm {
    Stages(BTreeMap<String, u64>),
    Typed(String),
}

impl TryFrom<TimeoutsForm> for Timeouts {
    type Error = String;

    fn try_from(form: TimeoutsForm) -> Result<Self, String> {
        match form {
            TimeoutsForm::Stages(stages) => Self::try_from(stages),
            TimeoutsForm::Typed(text) => text.parse(),
        }
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
        let (tier, rest) = text.split_once(',').unwrap_or((text, ""));
        let Some(tier) = tier_named(tier.trim()) else { return stages(text) };
        let own = if rest.is_empty() { None } else { Some(stages(rest)?) };
        Ok(Self::over(own, Some(tier)).unwrap_or(tier))
    }
}

/// `reviews=60,total=300`.
fn stages(text: &str) -> Result<Timeouts, String> {
    let one = |one: &str| {
        let example = || {
            let tiers = TIERS.map(|(name, ..)| name).join(", ");
            format!(
                "invalid timeout `{one}`: expected something like reviews=60,total=300, or a tier: \
                 {tiers}"
            )
        };
        let (name, seconds) = one.split_once('=').ok_or_else(example)?;
        Ok((name.trim().to_owned(), seconds.trim().parse().map_err(|_| example())?))
    };
    Timeouts::try_from(text.split(',').map(one).collect::<Result<BTreeMap<_, _>, String>>()?)
}

fn tier_named(name: &str) -> Option<Timeouts> {
    let (_, stage, total) = TIERS.into_iter().find(|(known, ..)| *known == name)?;
    let (stage, total) = (Some(stage), Some(total));
    Some(Timeouts { answers: stage, reviews: stage, chair: stage, total })
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
    fn a_tier_is_a_name_for_four_times_and_a_stage_can_differ() {
        let quick: Timeouts = "quick".parse().unwrap();
        let all = serde_json::json!({"answers": 20, "chair": 20, "reviews": 20, "total": 60});
        assert_eq!(serde_json::to_value(quick).unwrap(), all);
        let own: Timeouts = serde_json::from_str("\"reasoning, chair=10\"").unwrap();
        assert_eq!(own.stage(Stage::Chair), Duration::from_secs(10));
        assert_eq!(own.stage(Stage::Answer), Duration::from_mins(5));
        assert_eq!(own.total(), Duration::from_mins(20));
        let unknown = "slow".parse::<Timeouts>().unwrap_err();
        assert!(unknown.contains("quick, balanced, high, reasoning"), "{unknown}");
        assert!(serde_json::from_str::<Timeouts>("3").is_err());
    }

    #[test]
    fn what_is_no_stage_or_no_time_is_refused_with_what_there_is() {
        let refused = |text: &str| text.parse::<Timeouts>().unwrap_err();
        assert!(refused("review=60").contains("expected answers, reviews, chair or total"));
        assert!(refused("chair=0").contains("expected 1 to 86400"));
        assert!(refused("chair").contains("reviews=60,total=300"));
    }
}

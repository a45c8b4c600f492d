//! What a verdict depends on besides the record.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::authorship::Recusal;
use super::jury::Jury;
use super::profile::Profile;
use super::question_type::ProfileChoice;
use super::trust::Trust;

/// What a verdict depends on besides the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The rubric.
    pub profile: Profile,
    /// Why it is this one, if nobody named it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile_choice: Option<ProfileChoice>,
    /// How reviews become one ranking.
    #[serde(default)]
    pub aggregation: Aggregation,
    /// Whether a reviewer's review of its own answer counts.
    #[serde(default)]
    pub count_own: bool,
    /// Whether equal scores are told apart by the score before ceilings, then by accuracy.
    #[serde(default)]
    pub break_ties: bool,
    /// How many answers must have come for the council to go on.
    #[serde(default = "quorum")]
    pub quorum: usize,
    /// How often the reviewers are drawn anew to see how sure the ranking is.
    #[serde(default = "resamples", deserialize_with = "super::limits::resamples")]
    pub resamples: usize,
    /// Whose answers a reviewer may not count for.
    #[serde(default, skip_serializing_if = "Recusal::is_by_model")]
    pub recuse: Recusal,
    /// What reviewers are asked for.
    #[serde(default, skip_serializing_if = "Scoring::is_rubric")]
    pub scoring: Scoring,
    /// In how many rounds they are asked: one, or two of which the second counts.
    #[serde(default = "rounds", skip_serializing_if = "is_one_round")]
    pub rounds: u8,
    /// What reviewers also vote on; `None` if on nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jury: Option<Jury>,
    /// Rules added to the safety gate's own, as they are written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gate_patterns: Vec<String>,
    /// The target false-positive rate of the gate with its learned stage; `None` leaves it to the
    /// rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate_learned: Option<f64>,
    /// How far each reviewer is believed; `None` believes all alike.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
}

fn quorum() -> usize {
    2
}

fn rounds() -> u8 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_one_round(rounds: &u8) -> bool {
    *rounds == 1
}

fn resamples() -> usize {
    1_000
}

impl Default for Settings {
    fn default() -> Self {
        Self::with(Profile::default())
    }
}

impl Settings {
    /// A rubric, and everything else as usual.
    pub fn with(profile: Profile) -> Self {
        Self {
            profile,
            profile_choice: None,
            aggregation: Aggregation::default(),
            count_own: false,
            break_ties: false,
            quorum: quorum(),
            resamples: resamples(),
            recuse: Recusal::default(),
            scoring: Scoring::default(),
            rounds: rounds(),
            jury: None,
            gate_patterns: Vec::new(),
            gate_learned: None,
            trust: None,
        }
    }
}

/// What reviewers are asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scoring {
    /// Marks on each dimension.
    #[default]
    Rubric,
    /// One score for the whole.
    Holistic,
    /// Marks, and in a question of its own one score, which counts for nothing.
    Both,
}

impl Scoring {
    /// Whether it is the usual one.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn is_rubric(&self) -> bool {
        *self == Self::Rubric
    }
}

impl fmt::Display for Scoring {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Rubric => "rubric",
            Self::Holistic => "holistic",
            Self::Both => "both",
        })
    }
}

impl FromStr for Scoring {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "rubric" => Ok(Self::Rubric),
            "holistic" => Ok(Self::Holistic),
            "both" => Ok(Self::Both),
            _ => Err(format!("unknown scoring `{name}`; expected rubric, holistic or both")),
        }
    }
}

/// How reviews become one ranking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Aggregation {
    /// What an answer earned, with how lenient its reviewers are taken out.
    #[default]
    Additive,
    /// The mean.
    Mean,
    /// The mean without the lowest and the highest fifth.
    Trimmed,
    /// The mean of each reviewer's marks in that reviewer's own deviations.
    ZScore,
    /// How many others an answer was put above.
    Borda,
    /// How many duels it won, less those it lost.
    Copeland,
    /// The strongest chain of duels.
    Schulze,
    /// The ranking that turns round the fewest preferences.
    Kemeny,
    /// Strengths that make the duels most likely.
    BradleyTerry,
    /// Strengths that make the rankings most likely.
    PlackettLuce,
}

impl Aggregation {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Additive,
        Self::Mean,
        Self::Trimmed,
        Self::ZScore,
        Self::Borda,
        Self::Copeland,
        Self::Schulze,
        Self::Kemeny,
        Self::BradleyTerry,
        Self::PlackettLuce,
    ];

    /// The name as it stands in settings and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Additive => "additive",
            Self::Mean => "mean",
            Self::Trimmed => "trimmed",
            Self::ZScore => "z-score",
            Self::Borda => "borda",
            Self::Copeland => "copeland",
            Self::Schulze => "schulze",
            Self::Kemeny => "kemeny",
            Self::BradleyTerry => "bradley-terry",
            Self::PlackettLuce => "plackett-luce",
        }
    }

    /// Whether reviewers can count for more or less in it.
    pub const fn takes_trust(self) -> bool {
        matches!(self, Self::Additive | Self::Mean)
    }

    /// Whether it ranks by the score itself, on the scale of the marks.
    pub(crate) const fn is_on_scale(self) -> bool {
        matches!(self, Self::Additive | Self::Mean | Self::Trimmed)
    }
}

impl fmt::Display for Aggregation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for Aggregation {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|method| method.name() == name);
        known.ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.into_iter().map(Self::name).collect();
            format!("unknown aggregation `{name}`; expected {}", names.join(", "))
        })
    }
}

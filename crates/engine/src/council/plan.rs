//! Choices made whole and checked: what a council counts by, before anyone is asked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assize_methods::council::record::CapError;
use assize_methods::council::{
    Aggregation, Dimension, Gating, Profile, ProfileError, Settings, gate,
};
use assize_methods::gate::{Gate, GateError};
use assize_score::Finding;
use thiserror::Error;

use super::choices::Choices;
use super::trust_file::{self, TrustFileError};

/// What a council counts by.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// Rubric, aggregation and quorum.
    pub settings: Settings,
    /// The highest score of an answer that fails the safety gate; `None` leaves the gate off.
    pub gate_cap: Option<f64>,
    /// Where chance begins.
    pub seed: u64,
    /// What a reader should know about how choices were understood.
    pub notes: Vec<Finding>,
}

/// Why choices cannot be carried out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A file could not be read.
    #[error("{} could not be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// The profile cannot be used.
    #[error(transparent)]
    Profile(#[from] ProfileError),
    /// Weights were replaced, and the whole is wrong.
    #[error("{source}; {places}")]
    Weights {
        /// What all of them are, and how to change it.
        places: String,
        /// What is wrong with the whole.
        #[source]
        source: ProfileError,
    },
    /// There is no such way to put reviews together.
    #[error("{0}")]
    Aggregation(String),
    /// There is no such thing to ask reviewers for.
    #[error("{0}")]
    Scoring(String),
    /// There is no such rule about who may count for whom.
    #[error("{0}")]
    Recusal(String),
    /// Rules of the gate cannot be used.
    #[error("{}: {source}", .path.display())]
    Patterns {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: GateError,
    },
    /// There is no such stage of the gate.
    #[error("unknown stage `{0}` of the safety gate; expected rules or learned")]
    Stage(String),
    /// The rules have no rate to aim at.
    #[error("a target false-positive rate needs the learned stage of the safety gate")]
    RateOfRules,
    /// No threshold is known for the rate.
    #[error(
        "no threshold is known for a false-positive rate of {0}; it must be from 0.002 to 0.05"
    )]
    Rate(f64),
    /// The trust in reviewers cannot be read.
    #[error(transparent)]
    TrustFile(#[from] TrustFileError),
    /// Reviewers cannot count for more or less in this aggregation.
    #[error("trust in reviewers needs the aggregation additive or mean, not {0}")]
    Trust(Aggregation),
    /// The cap is off the scale.
    #[error(transparent)]
    Cap(#[from] CapError),
}

impl Plan {
    /// Carries out choices, or says what is wrong with them. Nothing is asked of anybody.
    pub fn of(choices: &Choices) -> Result<Self, PlanError> {
        Self::default().changed(choices)
    }

    /// The same plan where choices are silent.
    pub fn changed(self, choices: &Choices) -> Result<Self, PlanError> {
        let Self { mut settings, mut gate_cap, mut seed, mut notes } = self;
        if let Some(name) = &choices.profile {
            settings.profile = profile(name)?;
        } else if are_classic(&settings.profile, choices) {
            settings.profile = Profile::built_in(CLASSIC)?;
            let message = "the four weights given are those of the profile `classic`, which has \
                           no relevance: it is used";
            notes.push(Finding::new("classic_profile", message));
        }
        if !choices.weights.is_empty() {
            settings.profile = with_weights(settings.profile, choices)?;
        }
        if let Some(name) = &choices.aggregate {
            settings.aggregation = name.parse().map_err(PlanError::Aggregation)?;
        }
        settings.count_own = choices.include_self.unwrap_or(settings.count_own);
        settings.break_ties = choices.break_ties.unwrap_or(settings.break_ties);
        settings.quorum = choices.quorum.unwrap_or(settings.quorum);
        if let Some(name) = &choices.scoring {
            settings.scoring = name.parse().map_err(PlanError::Scoring)?;
        }
        if let Some(name) = &choices.recuse {
            settings.recuse = name.parse().map_err(PlanError::Recusal)?;
        }
        let cap = choices.safety_score_cap.or(gate_cap).unwrap_or(Gating::CAP);
        let cap = Gating::new(cap, Vec::new())?.cap();
        let is_gated = choices.safety_gate.unwrap_or(gate_cap.is_some());
        gate_cap = is_gated.then_some(cap);
        seed = choices.seed.unwrap_or(seed);
        look_further(&mut settings, choices)?;
        if let Some(path) = &choices.trust {
            settings.trust = Some(trust_file::read(path)?);
        }
        if settings.trust.is_some() && !settings.aggregation.takes_trust() {
            return Err(PlanError::Trust(settings.aggregation));
        }
        Ok(Self { settings, gate_cap, seed, notes })
    }
}

/// How far the gate looks: rules that are added to it, and its learned stage.
fn look_further(settings: &mut Settings, choices: &Choices) -> Result<(), PlanError> {
    for path in &choices.gate_patterns {
        let text = text(path)?;
        if !settings.gate_patterns.contains(&text) {
            settings.gate_patterns.push(text);
        }
        gate(settings).map_err(|source| PlanError::Patterns { path: path.clone(), source })?;
    }
    settings.gate_learned = stage(settings.gate_learned, choices)?;
    Ok(())
}

/// What is aimed at where no rate is given: one harmless answer in a hundred.
const GATE_RATE: f64 = 0.01;

/// The target rate of the learned stage; `None` where the rules decide alone.
fn stage(kept: Option<f64>, choices: &Choices) -> Result<Option<f64>, PlanError> {
    let rate = choices.gate_rate;
    let learned = match choices.gate_stage.as_deref() {
        None => kept.map(|kept| rate.unwrap_or(kept)),
        Some("rules") => None,
        Some("learned") => Some(rate.or(kept).unwrap_or(GATE_RATE)),
        Some(other) => return Err(PlanError::Stage(other.to_owned())),
    };
    if rate.is_some() && learned.is_none() {
        return Err(PlanError::RateOfRules);
    }
    match learned {
        Some(rate) => Gate::knows_rate(rate).then_some(Some(rate)).ok_or(PlanError::Rate(rate)),
        None => Ok(None),
    }
}

/// The profile with four dimensions.
const CLASSIC: &str = "classic";

/// How far the sum of weights may be from one.
const SUM_TOLERANCE: f64 = 0.001;

/// Whether four weights without relevance were given that are a whole by themselves: with the
/// default profile's relevance they could never sum to one.
fn are_classic(profile: &Profile, choices: &Choices) -> bool {
    let given: Vec<Dimension> = choices.weights.keys().copied().collect();
    let four: Vec<Dimension> =
        Dimension::ALL.into_iter().filter(|one| *one != Dimension::Relevance).collect();
    let sum: f64 = choices.weights.values().sum();
    *profile == Profile::default() && given == four && (sum - 1.0).abs() <= SUM_TOLERANCE
}

/// A profile that comes with the program, or a file of one.
fn profile(name: &str) -> Result<Profile, PlanError> {
    let path = Path::new(name);
    let is_file = path.extension().is_some_and(|end| end == "toml") || name.contains('/');
    if !is_file {
        return Ok(Profile::built_in(name)?);
    }
    Ok(Profile::from_toml(&text(path)?)?)
}

fn text(path: &Path) -> Result<String, PlanError> {
    fs::read_to_string(path).map_err(|error| PlanError::Unreadable(path.to_owned(), error))
}

fn with_weights(profile: Profile, choices: &Choices) -> Result<Profile, PlanError> {
    let mut all = profile.weights.as_map().clone();
    all.extend(&choices.weights);
    let shown: Vec<String> = all.iter().map(|(name, weight)| format!("{name} {weight}")).collect();
    let name = profile.name.clone();
    profile.with_weights(&choices.weights).map_err(|source| PlanError::Weights {
        places: format!(
            "they are {}; weights not given come from the profile `{name}`",
            shown.join(", ")
        ),
        source,
    })
}

#[cfg(test)]
mod tests {
    use assize_methods::council::ByDimension;

    use super::*;

    fn weights(pairs: &[(Dimension, f64)]) -> Choices {
        Choices {
            weights: pairs.iter().copied().collect::<ByDimension<f64>>(),
            ..Choices::default()
        }
    }

    #[test]
    fn weights_that_do_not_sum_to_one_are_refused_with_their_sum() {
        let error = Plan::of(&weights(&[(Dimension::Accuracy, 0.5)])).unwrap_err().to_string();
        assert!(error.contains("1.15") && error.contains("relevance 0.1"), "{error}");
        for bad in [f64::NAN, -0.1, f64::INFINITY] {
            assert!(Plan::of(&weights(&[(Dimension::Accuracy, bad)])).is_err(), "{bad}");
        }
        let moved = weights(&[(Dimension::Accuracy, 0.4), (Dimension::Clarity, 0.15)]);
        assert!(Plan::of(&moved).is_ok());
    }

    /// The seed's own configuration: 0.35, 0.25, 0.20, 0.20, and no relevance.
    #[test]
    fn the_four_original_weights_alone_mean_the_classic_profile() {
        let four = |clarity| {
            weights(&[
                (Dimension::Accuracy, 0.35),
                (Dimension::Completeness, 0.25),
                (Dimension::Conciseness, 0.20),
                (Dimension::Clarity, clarity),
            ])
        };
        let plan = Plan::of(&four(0.20)).unwrap();
        assert_eq!(plan.settings.profile, Profile::built_in("classic").unwrap());
        assert_eq!(plan.notes[0].code.as_ref(), "classic_profile");
        assert!(Plan::of(&four(0.25)).is_err());
        let named = Choices { profile: Some("default".to_owned()), ..four(0.20) };
        assert!(Plan::of(&named).is_err());
    }

    #[test]
    fn a_cap_is_on_the_scale_of_scores_and_does_not_turn_the_gate_on() {
        let cap = |score| Choices { safety_score_cap: Some(score), ..Choices::default() };
        assert_eq!(Plan::of(&cap(4.0)).unwrap().gate_cap, None);
        assert!(Plan::of(&cap(11.0)).is_err());
        let gated = Choices { safety_gate: Some(true), ..cap(4.0) };
        let plan = Plan::of(&gated).unwrap();
        assert_eq!(plan.gate_cap, Some(4.0));
        assert_eq!(plan.changed(&Choices::default()).unwrap().gate_cap, Some(4.0));
    }

    #[test]
    fn what_is_unknown_is_named_with_what_is_known() {
        let choices = Choices { aggregate: Some("votes".to_owned()), ..Choices::default() };
        assert!(Plan::of(&choices).unwrap_err().to_string().contains("borda"));
        let choices = Choices { profile: Some("poetry".to_owned()), ..Choices::default() };
        assert!(Plan::of(&choices).unwrap_err().to_string().contains("classic"));
        let choices = Choices { aggregate: Some("kemeny".to_owned()), ..Choices::default() };
        assert_eq!(Plan::of(&choices).unwrap().settings.aggregation, Aggregation::Kemeny);
    }
}

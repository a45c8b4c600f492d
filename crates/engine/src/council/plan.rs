//! A request made whole and checked: what a council counts by, before anyone is asked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use assize_methods::council::record::CapError;
use assize_methods::council::{
    Aggregation, Answer, Dimension, Exhibit, Gating, Jury, JuryError, Profile, ProfileChoice,
    ProfileError, Scoring, Settings, gate, gating, profile_for,
};
use assize_methods::gate::{Gate, GateError};
use assize_score::Finding;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::evidence::{self, EvidenceError};
use super::request::{CouncilRequest, WeightChoices};
use super::safety_gate::SafetyGate;
use super::timeouts::Timeouts;
use super::trust_file::TrustFileError;
use crate::request::FieldError;

/// What a council counts by.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Plan {
    /// What is asked: it may choose the rubric.
    pub question: String,
    /// Rubric, aggregation and quorum.
    pub settings: Settings,
    /// The highest score of an answer that fails the safety gate; `None` leaves the gate off.
    pub gate_cap: Option<f64>,
    /// Where chance begins.
    pub seed: u64,
    /// What the caller gave to judge by.
    pub evidence: Vec<Exhibit>,
    /// How long the stages may take.
    pub timeouts: Timeouts,
    /// What a reader should know about how the request was understood.
    pub notes: Vec<Finding>,
}

/// Why a request cannot be carried out.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A field cannot be given here.
    #[error("{0}")]
    Field(#[from] FieldError),
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
    /// There is no such number of rounds.
    #[error("{0} rounds; reviewers can be asked in 1 or 2")]
    Rounds(u8),
    /// Without marks there is nothing to show.
    #[error(
        "a second round shows reviewers each other's marks, so it needs the scoring rubric or both"
    )]
    RoundsWithoutMarks,
    /// The jury cannot decide.
    #[error(transparent)]
    Jury(#[from] JuryError),
    /// Nobody votes.
    #[error("a majority needs a jury: give it a question to vote on")]
    MajorityOfNobody,
    /// Votes stand beside marks.
    #[error("a jury votes beside its marks, so it needs the scoring rubric or both")]
    JuryWithoutMarks,
    /// The evidence cannot be used.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
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
    /// The second stage of the gate cannot be used so.
    #[error(transparent)]
    Gate(#[from] GateError),
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
    /// Carries out a request, or says what is wrong with it. Nothing is asked of anybody.
    pub fn new(question: &str, request: &CouncilRequest) -> Result<Self, PlanError> {
        Self { question: question.to_owned(), ..Self::default() }.changed(request)
    }

    /// The same plan where the request is silent.
    pub fn changed(self, request: &CouncilRequest) -> Result<Self, PlanError> {
        let Self {
            question,
            mut settings,
            mut gate_cap,
            mut seed,
            mut evidence,
            mut timeouts,
            mut notes,
        } = self;
        if let Some(name) = &request.profile {
            (settings.profile, settings.profile_choice) = profile(name, &question)?;
        } else if are_classic(&settings.profile, request) {
            settings.profile = Profile::built_in(CLASSIC)?;
            let message = "the four weights given are those of the profile `classic`, which has \
                           no relevance: it is used";
            notes.push(Finding::new("classic_profile", message));
        }
        if let Some(weights) = &request.weights {
            settings.profile = with_weights(settings.profile, weights)?;
        }
        if let Some(name) = &request.aggregate {
            settings.aggregation = name.parse().map_err(PlanError::Aggregation)?;
        }
        settings.count_own = request.include_self.unwrap_or(settings.count_own);
        settings.break_ties = request.break_ties.unwrap_or(settings.break_ties);
        settings.quorum = request.quorum.unwrap_or(settings.quorum);
        if let Some(name) = &request.scoring {
            settings.scoring = name.parse().map_err(PlanError::Scoring)?;
        }
        settings.rounds = rounds(&settings, request)?;
        settings.jury = jury(&settings, request)?;
        if !request.evidence.is_empty() {
            evidence = evidence::read(&request.evidence)?;
        }
        timeouts = request.timeouts.unwrap_or(timeouts);
        if let Some(name) = &request.recuse {
            settings.recuse = name.parse().map_err(PlanError::Recusal)?;
        }
        let cap = request.safety_score_cap.or(gate_cap).unwrap_or(Gating::CAP);
        let cap = Gating::new(cap, Vec::new())?.cap();
        let is_gated = request.safety_gate.map_or(gate_cap.is_some(), SafetyGate::is_on);
        gate_cap = is_gated.then_some(cap);
        seed = request.seed.unwrap_or(seed);
        look_further(&mut settings, request)?;
        if let Some(given) = &request.trust {
            settings.trust = Some(given.read()?);
        }
        if settings.trust.is_some() && !settings.aggregation.takes_trust() {
            return Err(PlanError::Trust(settings.aggregation));
        }
        Ok(Self { question, settings, gate_cap, seed, evidence, timeouts, notes })
    }

    /// Checks every answer, if the gate is on. Cap and patterns were checked with the plan.
    pub(super) fn gating(&self, answers: &[Answer]) -> Option<Gating> {
        let cap = self.gate_cap?;
        let outcomes = gating(&self.settings, answers).expect("a plan's patterns can be read");
        Some(Gating::new(cap, outcomes).expect("a plan's cap is on the scale"))
    }
}

/// So often reviewers are asked at most.
pub(super) const ROUNDS_MAX: u8 = 2;

/// In how many rounds reviewers are asked.
fn rounds(settings: &Settings, request: &CouncilRequest) -> Result<u8, PlanError> {
    let rounds = request.rounds.unwrap_or(settings.rounds);
    match rounds {
        1 => Ok(rounds),
        ROUNDS_MAX if settings.scoring == Scoring::Holistic => Err(PlanError::RoundsWithoutMarks),
        ROUNDS_MAX => Ok(rounds),
        _ => Err(PlanError::Rounds(rounds)),
    }
}

/// What reviewers vote on, and which majority decides.
fn jury(settings: &Settings, request: &CouncilRequest) -> Result<Option<Jury>, PlanError> {
    let kept = settings.jury.as_ref();
    let question = request.jury.as_ref().or(kept.map(|jury| &jury.question));
    let Some(question) = question else {
        return if request.majority.is_none() {
            Ok(None)
        } else {
            Err(PlanError::MajorityOfNobody)
        };
    };
    if settings.scoring == Scoring::Holistic {
        return Err(PlanError::JuryWithoutMarks);
    }
    let majority = request.majority.or(kept.map(Jury::majority)).unwrap_or(Jury::MAJORITY);
    Ok(Some(Jury::new(question.clone(), majority)?))
}

/// How far the gate looks: rules that are added to it, and its learned stage.
fn look_further(settings: &mut Settings, request: &CouncilRequest) -> Result<(), PlanError> {
    for path in &request.gate_patterns {
        let text = text(path)?;
        if !settings.gate_patterns.contains(&text) {
            settings.gate_patterns.push(text);
        }
        gate(settings).map_err(|source| PlanError::Patterns { path: path.clone(), source })?;
    }
    settings.gate_learned = stage(settings.gate_learned, request)?;
    Ok(())
}

/// The target rate of the learned stage; `None` where the rules decide alone.
fn stage(kept: Option<f64>, request: &CouncilRequest) -> Result<Option<f64>, PlanError> {
    let rate = request.gate_rate;
    let learned = match request.safety_gate {
        None | Some(SafetyGate::On | SafetyGate::Off) => kept.map(|kept| rate.unwrap_or(kept)),
        Some(SafetyGate::Rules) => None,
        Some(SafetyGate::Learned) => Some(rate.or(kept).unwrap_or(Gate::RATE)),
    };
    Gate::built_in().with_learned(learned.is_some(), learned.or(rate))?;
    Ok(learned)
}

/// The profile with four dimensions.
const CLASSIC: &str = "classic";

/// How far the sum of weights may be from one.
const SUM_TOLERANCE: f64 = 0.001;

/// Whether four weights without relevance were given that are a whole by themselves: with the
/// default profile's relevance they could never sum to one.
fn are_classic(profile: &Profile, request: &CouncilRequest) -> bool {
    let Some(WeightChoices(weights)) = &request.weights else { return false };
    let given: Vec<Dimension> = weights.keys().copied().collect();
    let four: Vec<Dimension> =
        Dimension::ALL.into_iter().filter(|one| *one != Dimension::Relevance).collect();
    let sum: f64 = weights.values().sum();
    *profile == Profile::default() && given == four && (sum - 1.0).abs() <= SUM_TOLERANCE
}

/// The name that leaves the choice to the question.
pub(super) const AUTO: &str = "auto";

/// A profile that comes with the program, a file of one, or the one that suits the question.
fn profile(name: &str, question: &str) -> Result<(Profile, Option<ProfileChoice>), PlanError> {
    if name == AUTO {
        let (name, choice) = profile_for(question);
        return Ok((Profile::built_in(&name)?, Some(choice)));
    }
    let path = Path::new(name);
    let is_file = path.extension().is_some_and(|end| end == "toml") || name.contains('/');
    if !is_file {
        return Ok((Profile::built_in(name)?, None));
    }
    Ok((Profile::from_toml(&text(path)?)?, None))
}

fn text(path: &Path) -> Result<String, PlanError> {
    fs::read_to_string(path).map_err(|error| PlanError::Unreadable(path.to_owned(), error))
}

fn with_weights(profile: Profile, weights: &WeightChoices) -> Result<Profile, PlanError> {
    let mut all = profile.weights.as_map().clone();
    all.extend(&weights.0);
    let shown: Vec<String> = all.iter().map(|(name, weight)| format!("{name} {weight}")).collect();
    let name = profile.name.clone();
    profile.with_weights(&weights.0).map_err(|source| PlanError::Weights {
        places: format!(
            "they are {}; weights not given come from the profile `{name}`",
            shown.join(", ")
        ),
        source,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(pairs: &[(Dimension, f64)]) -> CouncilRequest {
        CouncilRequest {
            weights: Some(WeightChoices(pairs.iter().copied().collect())),
            ..CouncilRequest::default()
        }
    }

    #[test]
    fn weights_that_do_not_sum_to_one_are_refused_with_their_sum() {
        let error =
            Plan::new("Why?", &weights(&[(Dimension::Accuracy, 0.5)])).unwrap_err().to_string();
        assert!(error.contains("1.15") && error.contains("relevance 0.1"), "{error}");
        for bad in [f64::NAN, -0.1, f64::INFINITY] {
            assert!(Plan::new("Why?", &weights(&[(Dimension::Accuracy, bad)])).is_err(), "{bad}");
        }
        let moved = weights(&[(Dimension::Accuracy, 0.4), (Dimension::Clarity, 0.15)]);
        assert!(Plan::new("Why?", &moved).is_ok());
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
        let plan = Plan::new("Why?", &four(0.20)).unwrap();
        assert_eq!(plan.settings.profile, Profile::built_in("classic").unwrap());
        assert_eq!(plan.notes[0].code.as_ref(), "classic_profile");
        assert!(Plan::new("Why?", &four(0.25)).is_err());
        let named = CouncilRequest { profile: Some("default".to_owned()), ..four(0.20) };
        assert!(Plan::new("Why?", &named).is_err());
    }

    #[test]
    fn a_cap_is_on_the_scale_of_scores_and_does_not_turn_the_gate_on() {
        let cap =
            |score| CouncilRequest { safety_score_cap: Some(score), ..CouncilRequest::default() };
        assert_eq!(Plan::new("Why?", &cap(4.0)).unwrap().gate_cap, None);
        assert!(Plan::new("Why?", &cap(11.0)).is_err());
        let gated = CouncilRequest { safety_gate: Some(SafetyGate::On), ..cap(4.0) };
        let plan = Plan::new("Why?", &gated).unwrap();
        assert_eq!(plan.gate_cap, Some(4.0));
        assert_eq!(plan.changed(&CouncilRequest::default()).unwrap().gate_cap, Some(4.0));
    }

    #[test]
    fn what_is_unknown_is_named_with_what_is_known() {
        let request =
            CouncilRequest { aggregate: Some("votes".to_owned()), ..CouncilRequest::default() };
        assert!(Plan::new("Why?", &request).unwrap_err().to_string().contains("borda"));
        let request =
            CouncilRequest { profile: Some("poetry".to_owned()), ..CouncilRequest::default() };
        assert!(Plan::new("Why?", &request).unwrap_err().to_string().contains("classic"));
        let request =
            CouncilRequest { aggregate: Some("kemeny".to_owned()), ..CouncilRequest::default() };
        assert_eq!(Plan::new("Why?", &request).unwrap().settings.aggregation, Aggregation::Kemeny);
    }
}

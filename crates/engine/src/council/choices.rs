//! What a council is told to do, from four places: profile < `assize.toml` < variables < caller.

use std::path::{Path, PathBuf};

use assize_methods::council::{ByDimension, Dimension, Gating};
use assize_methods::retrieval::ranked::nearest;
use assize_models::Variables;
use thiserror::Error;

use super::participant::{Participant, ParticipantError};
use super::signing::{KEY_VARIABLE, SigningKey};
use crate::configuration::{ConfigError, Written};

/// The variable of a weight is this and the dimension's name in capitals.
const WEIGHT_VARIABLE: &str = "LLM_COUNCIL_WEIGHT_";
/// Turns the safety gate on or off.
const GATE_VARIABLE: &str = "LLM_COUNCIL_SAFETY_GATE";
/// Whether reviewers mark dimensions, or give one score.
const RUBRIC_VARIABLE: &str = "LLM_COUNCIL_RUBRIC_SCORING";
/// The highest score of an answer that fails the gate.
const CAP_VARIABLE: &str = "LLM_COUNCIL_SAFETY_SCORE_CAP";

/// The stages of the gate, and the stricter of them.
const STAGES: [&str; 2] = ["rules", LEARNED];
const LEARNED: &str = "learned";

/// What was chosen in one place; what was not is left to the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Choices {
    /// A profile by name, or its file.
    pub profile: Option<String>,
    /// Weights that replace the profile's.
    pub weights: ByDimension<f64>,
    /// Whether answers go through the safety gate.
    pub safety_gate: Option<bool>,
    /// The highest score of an answer that fails it.
    pub safety_score_cap: Option<f64>,
    /// Files with rules to add to the gate's own.
    pub gate_patterns: Vec<PathBuf>,
    /// How far the gate looks: `rules` or `learned`.
    pub gate_stage: Option<String>,
    /// The false-positive rate that the learned stage aims at.
    pub gate_rate: Option<f64>,
    /// A file that says how far reviewers are believed.
    pub trust: Option<PathBuf>,
    /// How reviews are put together.
    pub aggregate: Option<String>,
    /// Where chance begins.
    pub seed: Option<u64>,
    /// How many answers and reviews there must be.
    pub quorum: Option<usize>,
    /// Whether a reviewer's view of its own answer counts.
    pub include_self: Option<bool>,
    /// Whether ties are broken by what stands behind the scores.
    pub break_ties: Option<bool>,
    /// Whose answers a reviewer may not count for: `model` or `family`.
    pub recuse: Option<String>,
    /// What reviewers are asked for: `rubric`, `holistic` or `both`.
    pub scoring: Option<String>,
    /// Who answers.
    pub members: Vec<Participant>,
    /// Who reviews.
    pub reviewers: Vec<Participant>,
    /// Who writes the final answer.
    pub chair: Option<Participant>,
    /// What records are signed with and checked against.
    pub signing_key: Option<SigningKey>,
}

/// Why choices were refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ChoicesError {
    /// The file cannot be used.
    #[error(transparent)]
    File(#[from] ConfigError),
    /// A participant in it is not one.
    #[error("{}: {source}", .path.display())]
    Participant {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: ParticipantError,
    },
    /// A variable of the environment names a weight that there is not.
    #[error("{name} is no weight; did you mean {nearest}?")]
    UnknownWeight {
        /// The name as it is set in the environment.
        name: String,
        /// The known one that is nearest.
        nearest: String,
    },
    /// A variable of the environment is not what it should be.
    #[error("{name}=`{value}`: expected {expected}")]
    Variable {
        /// The name as it is set in the environment.
        name: String,
        /// What it holds.
        value: String,
        /// What it should hold.
        expected: &'static str,
    },
}

impl Choices {
    /// These choices, and where they are silent those of a lower place.
    #[must_use]
    pub fn over(self, lower: Self) -> Self {
        let mut weights = lower.weights;
        weights.extend(self.weights);
        let list = |ours: Vec<Participant>, theirs| if ours.is_empty() { theirs } else { ours };
        Self {
            profile: self.profile.or(lower.profile),
            weights,
            safety_gate: self.safety_gate.or(lower.safety_gate),
            safety_score_cap: self.safety_score_cap.or(lower.safety_score_cap),
            gate_patterns: [lower.gate_patterns, self.gate_patterns].concat(),
            gate_stage: self.gate_stage.or(lower.gate_stage),
            gate_rate: self.gate_rate.or(lower.gate_rate),
            trust: self.trust.or(lower.trust),
            aggregate: self.aggregate.or(lower.aggregate),
            seed: self.seed.or(lower.seed),
            quorum: self.quorum.or(lower.quorum),
            include_self: self.include_self.or(lower.include_self),
            break_ties: self.break_ties.or(lower.break_ties),
            recuse: self.recuse.or(lower.recuse),
            scoring: self.scoring.or(lower.scoring),
            members: list(self.members, lower.members),
            reviewers: list(self.reviewers, lower.reviewers),
            chair: self.chair.or(lower.chair),
            signing_key: self.signing_key.or(lower.signing_key),
        }
    }

    /// What a caller chose under an operator's policy: in everything else the caller's choice
    /// comes first, but the safety gate can only be made stricter.
    #[must_use]
    pub fn under(self, operator: Self) -> Self {
        let is_gated = operator.safety_gate == Some(true);
        let cap = operator.safety_score_cap.or(is_gated.then_some(Gating::CAP));
        let asked = self.safety_score_cap;
        let stage = operator.gate_stage.clone().filter(|stage| stage == LEARNED);
        let rates = (self.gate_rate, operator.gate_rate);
        let mut all = self.over(operator);
        if is_gated {
            // A higher rate fails more answers, so the higher one is the stricter.
            all.gate_stage = stage.or(all.gate_stage);
            all.gate_rate = rates.0.map(|asked| asked.max(rates.1.unwrap_or(asked))).or(rates.1);
            all.safety_gate = Some(true);
            let lower = |cap: f64| asked.map_or(cap, |asked| asked.min(cap));
            all.safety_score_cap = cap.map(lower);
        }
        all
    }

    /// The policy of whoever runs this: the environment over `assize.toml`.
    pub fn of_operator(variables: &Variables, config: Option<&Path>) -> Result<Self, ChoicesError> {
        Ok(Self::from_variables(variables)?.over(Self::from_file(config, variables)?))
    }

    /// The part of a policy that holds for records that are there already.
    #[must_use]
    pub fn gate_only(self) -> Self {
        Self {
            safety_gate: self.safety_gate,
            safety_score_cap: self.safety_score_cap,
            gate_patterns: self.gate_patterns,
            gate_stage: self.gate_stage,
            gate_rate: self.gate_rate,
            ..Self::default()
        }
    }

    /// The `[council]` of the file that is named or found.
    pub fn from_file(path: Option<&Path>, variables: &Variables) -> Result<Self, ChoicesError> {
        Self::from_written(&Written::load(path, variables)?)
    }

    /// The `[council]` of a file that was read already.
    pub fn from_written(written: &Written) -> Result<Self, ChoicesError> {
        let council = written.council.clone();
        let path = written.path.clone().unwrap_or_default();
        let participant = |text: &String| {
            let refused = |source| ChoicesError::Participant { path: path.clone(), source };
            text.parse::<Participant>().map_err(refused)
        };
        Ok(Self {
            profile: council.profile,
            weights: council.weights,
            safety_gate: council.safety_gate,
            safety_score_cap: council.safety_score_cap,
            gate_patterns: council.gate_patterns,
            gate_stage: council.gate_stage,
            gate_rate: council.gate_rate,
            trust: council.trust,
            aggregate: council.aggregate,
            seed: council.seed,
            quorum: council.quorum,
            include_self: council.include_self,
            break_ties: council.break_ties,
            recuse: council.recuse,
            scoring: council.scoring,
            members: council.members.iter().map(participant).collect::<Result<_, _>>()?,
            reviewers: council.reviewers.iter().map(participant).collect::<Result<_, _>>()?,
            chair: council.chair.as_ref().map(participant).transpose()?,
            signing_key: None,
        })
    }

    /// What variables say. An empty one is one that is not set.
    pub fn from_variables(variables: &Variables) -> Result<Self, ChoicesError> {
        let set = |name: &str| variables.get(name);
        let number = |name: &str| {
            let read = |value: String| value.trim().parse::<f64>().map_err(|_| value);
            set(name).map(read).transpose().map_err(|value| ChoicesError::Variable {
                name: name.to_owned(),
                value,
                expected: "a number",
            })
        };
        let mut weights = ByDimension::new();
        let known = Dimension::ALL.map(weight_variable);
        let unknown = |name: &&String| name.starts_with(WEIGHT_VARIABLE) && !known.contains(name);
        if let Some(name) = variables.names().iter().find(unknown) {
            let nearest = nearest(name, known.iter().map(String::as_str)).first().copied();
            let nearest = nearest.unwrap_or(&known[0]).to_owned();
            return Err(ChoicesError::UnknownWeight { name: name.clone(), nearest });
        }
        for (dimension, name) in Dimension::ALL.into_iter().zip(&known) {
            if let Some(weight) = number(name)? {
                weights.insert(dimension, weight);
            }
        }
        let yes_or_no = |name: &str| match set(name) {
            None => Ok(None),
            Some(value) => switch(&value).map(Some).ok_or_else(|| ChoicesError::Variable {
                name: name.to_owned(),
                value,
                expected: "true or false",
            }),
        };
        let gate_stage = set(GATE_VARIABLE).map(|stage| stage.trim().to_ascii_lowercase());
        let gate_stage = gate_stage.filter(|stage| STAGES.contains(&stage.as_str()));
        let safety_gate = match gate_stage {
            Some(_) => Some(true),
            None => yes_or_no(GATE_VARIABLE)?,
        };
        let scoring = yes_or_no(RUBRIC_VARIABLE)?;
        let scoring = scoring.map(|rubric| if rubric { "rubric" } else { "holistic" }.to_owned());
        let safety_score_cap = number(CAP_VARIABLE)?;
        let signing_key =
            SigningKey::from_variables(variables).map_err(|_| ChoicesError::Variable {
                name: KEY_VARIABLE.to_owned(),
                value: "…".to_owned(),
                expected: "a secret of at least 16 characters",
            })?;
        Ok(Self {
            weights,
            safety_gate,
            safety_score_cap,
            gate_stage,
            scoring,
            signing_key,
            ..Self::default()
        })
    }
}

/// The variable of a weight.
fn weight_variable(dimension: Dimension) -> String {
    format!("{WEIGHT_VARIABLE}{}", dimension.name().to_ascii_uppercase())
}

fn switch(value: &str) -> Option<bool> {
    match value.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" | "on" => Some(true),
        "false" | "0" | "no" | "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn variables(set: &[(&str, &str)]) -> Result<Choices, ChoicesError> {
        let set: Vec<(String, String)> =
            set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let get = move |name: &str| {
            set.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        Choices::from_variables(&Variables::new(get))
    }

    #[test]
    fn every_documented_variable_is_read() {
        let choices = variables(&[
            ("LLM_COUNCIL_WEIGHT_ACCURACY", "0.5"),
            ("LLM_COUNCIL_WEIGHT_RELEVANCE", "0.05"),
            ("LLM_COUNCIL_WEIGHT_COMPLETENESS", "0.15"),
            ("LLM_COUNCIL_WEIGHT_CONCISENESS", "0.1"),
            ("LLM_COUNCIL_WEIGHT_CLARITY", "0.2"),
            ("LLM_COUNCIL_SAFETY_GATE", "True"),
            ("LLM_COUNCIL_SAFETY_SCORE_CAP", "4.0"),
        ])
        .unwrap();
        let weights: Vec<f64> = choices.weights.values().copied().collect();
        assert_eq!(weights, [0.5, 0.05, 0.15, 0.1, 0.2]);
        assert_eq!((choices.safety_gate, choices.safety_score_cap), (Some(true), Some(4.0)));
        assert_eq!(variables(&[("LLM_COUNCIL_SAFETY_GATE", " ")]).unwrap(), Choices::default());
    }

    #[test]
    fn a_variable_that_cannot_be_read_is_named() {
        let error = variables(&[("LLM_COUNCIL_WEIGHT_CLARITY", "much")]).unwrap_err().to_string();
        assert!(error.contains("LLM_COUNCIL_WEIGHT_CLARITY") && error.contains("much"), "{error}");
        assert!(variables(&[("LLM_COUNCIL_SAFETY_GATE", "perhaps")]).is_err());
    }

    #[test]
    fn a_weight_that_nobody_knows_names_the_nearest() {
        let names = ["PATH", "LLM_COUNCIL_WEIGHT_ACURACY"].map(str::to_owned);
        let error = Choices::from_variables(&Variables::default().listing(names)).unwrap_err();
        let error = error.to_string();
        assert!(error.contains("WEIGHT_ACURACY is no weight"), "{error}");
        assert!(error.contains("did you mean LLM_COUNCIL_WEIGHT_ACCURACY?"), "{error}");
    }

    #[test]
    fn the_higher_place_wins_weight_by_weight() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        let text = "[council]\nprofile = 'code'\nquorum = 3\nmembers = ['local/a', 'b=local/a']\n\
                    [council.weights]\naccuracy = 0.4\nclarity = 0.1\n";
        fs::write(&path, text).unwrap();
        let file = Choices::from_file(Some(&path), &Variables::default()).unwrap();
        assert_eq!(file.members.len(), 2);
        let variables = variables(&[("LLM_COUNCIL_WEIGHT_ACCURACY", "0.5")]).unwrap();
        let caller = Choices { profile: Some("classic".to_owned()), ..Choices::default() };
        let all = caller.over(variables.over(file));
        assert_eq!(all.profile.as_deref(), Some("classic"));
        assert_eq!(all.weights[&Dimension::Accuracy], 0.5);
        assert_eq!(all.weights[&Dimension::Clarity], 0.1);
        assert_eq!(all.quorum, Some(3));
    }

    #[test]
    fn a_caller_makes_an_operators_gate_stricter_and_never_weaker() {
        let gate = |on: Option<bool>, cap: Option<f64>| Choices {
            safety_gate: on,
            safety_score_cap: cap,
            ..Choices::default()
        };
        let both = |caller: Choices, operator: Choices| {
            let all = caller.under(operator);
            (all.safety_gate, all.safety_score_cap)
        };
        let on = Some(true);
        assert_eq!(both(gate(Some(false), Some(9.0)), gate(on, None)), (on, Some(0.0)));
        assert_eq!(both(gate(None, Some(9.0)), gate(on, Some(4.0))), (on, Some(4.0)));
        assert_eq!(both(gate(None, Some(2.0)), gate(on, Some(4.0))), (on, Some(2.0)));
        // Where the operator has no policy, the caller has.
        assert_eq!(both(gate(on, Some(4.0)), gate(None, None)), (on, Some(4.0)));
        assert_eq!(both(gate(Some(false), None), gate(Some(false), None)), (Some(false), None));
    }

    #[test]
    fn a_misspelt_choice_is_named_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        fs::write(&path, "[council]\nqorum = 3\n").unwrap();
        let error = Choices::from_file(Some(&path), &Variables::default()).unwrap_err().to_string();
        assert!(error.contains("qorum") && error.contains("assize.toml"), "{error}");
    }
}

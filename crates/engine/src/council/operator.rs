//! What whoever runs this says about councils: the environment over `assize.toml`.

use std::path::{Path, PathBuf};

use assize_methods::council::{ByDimension, Dimension};
use assize_methods::retrieval::ranked::nearest;
use assize_models::Variables;
use thiserror::Error;

use super::participant::{Participant, ParticipantError};
use super::request::{CouncilRequest, WeightChoices};
use super::safety_gate::SafetyGate;
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

/// What whoever runs this says about councils.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OperatorPolicy {
    /// What holds where a caller is silent; the gate holds in any case.
    pub request: CouncilRequest,
    /// What records are signed with and checked against.
    pub signing_key: Option<SigningKey>,
}

/// Why a policy was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OperatorError {
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

impl OperatorPolicy {
    /// The environment over the `[council]` of the file that is named or found.
    pub fn load(variables: &Variables, config: Option<&Path>) -> Result<Self, OperatorError> {
        Self::from_written(&Written::load(config, variables)?, variables)
    }

    /// The same with a file that was read already.
    pub fn from_written(written: &Written, variables: &Variables) -> Result<Self, OperatorError> {
        let CouncilRequest { members, reviewers, chair, .. } = &written.council;
        for typed in members.iter().chain(reviewers).chain(chair) {
            let path = written.path.clone().unwrap_or_default();
            typed
                .parse::<Participant>()
                .map_err(|source| OperatorError::Participant { path, source })?;
        }
        let signing_key =
            SigningKey::from_variables(variables).map_err(|_| OperatorError::Variable {
                name: KEY_VARIABLE.to_owned(),
                value: "…".to_owned(),
                expected: "a secret of at least 16 characters",
            })?;
        let request = from_variables(variables)?.over(written.council.clone());
        Ok(Self { request, signing_key })
    }
}

/// What variables say. An empty one is one that is not set.
pub(crate) fn from_variables(variables: &Variables) -> Result<CouncilRequest, OperatorError> {
    let set = |name: &str| variables.get(name);
    let number = |name: &str| {
        let read = |value: String| value.trim().parse::<f64>().map_err(|_| value);
        set(name).map(read).transpose().map_err(|value| OperatorError::Variable {
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
        return Err(OperatorError::UnknownWeight { name: name.clone(), nearest });
    }
    for (dimension, name) in Dimension::ALL.into_iter().zip(&known) {
        if let Some(weight) = number(name)? {
            weights.insert(dimension, weight);
        }
    }
    let yes_or_no = |name: &str| match set(name) {
        None => Ok(None),
        Some(value) => switch(&value).map(Some).ok_or_else(|| OperatorError::Variable {
            name: name.to_owned(),
            value,
            expected: "true or false",
        }),
    };
    let stage = set(GATE_VARIABLE).map(|stage| stage.trim().to_ascii_lowercase());
    let safety_gate = match stage.as_deref() {
        Some("rules") => Some(SafetyGate::Rules),
        Some("learned") => Some(SafetyGate::Learned),
        _ => yes_or_no(GATE_VARIABLE)?.map(|on| if on { SafetyGate::On } else { SafetyGate::Off }),
    };
    let scoring = yes_or_no(RUBRIC_VARIABLE)?;
    let scoring = scoring.map(|rubric| if rubric { "rubric" } else { "holistic" }.to_owned());
    Ok(CouncilRequest {
        weights: (!weights.is_empty()).then_some(WeightChoices(weights)),
        safety_gate,
        safety_score_cap: number(CAP_VARIABLE)?,
        scoring,
        ..CouncilRequest::default()
    })
}

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

    fn variables(set: &[(&str, &str)]) -> Result<CouncilRequest, OperatorError> {
        let set: Vec<(String, String)> =
            set.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let get = move |name: &str| {
            set.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
        };
        from_variables(&Variables::new(get))
    }

    #[test]
    fn every_documented_variable_is_read() {
        let request = variables(&[
            ("LLM_COUNCIL_WEIGHT_ACCURACY", "0.5"),
            ("LLM_COUNCIL_WEIGHT_RELEVANCE", "0.05"),
            ("LLM_COUNCIL_WEIGHT_COMPLETENESS", "0.15"),
            ("LLM_COUNCIL_WEIGHT_CONCISENESS", "0.1"),
            ("LLM_COUNCIL_WEIGHT_CLARITY", "0.2"),
            ("LLM_COUNCIL_SAFETY_GATE", "True"),
            ("LLM_COUNCIL_SAFETY_SCORE_CAP", "4.0"),
        ])
        .unwrap();
        let weights: Vec<f64> = request.weights.as_ref().unwrap().0.values().copied().collect();
        assert_eq!(weights, [0.5, 0.05, 0.15, 0.1, 0.2]);
        assert_eq!(
            (request.safety_gate, request.safety_score_cap),
            (Some(SafetyGate::On), Some(4.0))
        );
        assert_eq!(
            variables(&[("LLM_COUNCIL_SAFETY_GATE", " ")]).unwrap(),
            CouncilRequest::default()
        );
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
        let error = from_variables(&Variables::default().listing(names)).unwrap_err();
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
        let file = OperatorPolicy::load(&Variables::default(), Some(&path)).unwrap().request;
        assert_eq!(file.members.len(), 2);
        let variables = variables(&[("LLM_COUNCIL_WEIGHT_ACCURACY", "0.5")]).unwrap();
        let caller =
            CouncilRequest { profile: Some("classic".to_owned()), ..CouncilRequest::default() };
        let all = caller.over(variables.over(file));
        assert_eq!(all.profile.as_deref(), Some("classic"));
        let weights = all.weights.unwrap().0;
        assert_eq!(weights[&Dimension::Accuracy], 0.5);
        assert_eq!(weights[&Dimension::Clarity], 0.1);
        assert_eq!(all.quorum, Some(3));
    }

    #[test]
    fn a_misspelt_choice_is_named_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        fs::write(&path, "[council]\nqorum = 3\n").unwrap();
        let error =
            OperatorPolicy::load(&Variables::default(), Some(&path)).unwrap_err().to_string();
        assert!(error.contains("qorum") && error.contains("assize.toml"), "{error}");
    }
}

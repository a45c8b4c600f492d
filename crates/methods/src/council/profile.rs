//! A rubric as a whole: weights, ceiling and anchors, with a name, a version and a hash.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::anchors::Anchors;
use super::ceiling::Ceiling;
use super::dimension::{ByDimension, Dimension};
use super::weights::{Weights, WeightsError};

/// The profiles that come with the program, the one used unless told otherwise first.
const BUILT_IN: [(&str, &str); 6] = [
    ("default", include_str!("../../defaults/council/default.toml")),
    ("classic", include_str!("../../defaults/council/classic.toml")),
    ("factual", include_str!("../../defaults/council/factual.toml")),
    ("code", include_str!("../../defaults/council/code.toml")),
    ("creative", include_str!("../../defaults/council/creative.toml")),
    ("refusal-expected", include_str!("../../defaults/council/refusal-expected.toml")),
];

/// A rubric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Profile {
    /// What it is called.
    pub name: String,
    /// Counts up with every change that can move a number.
    pub version: u32,
    /// What it is for.
    pub summary: String,
    /// How much each dimension counts.
    pub weights: Weights,
    /// What low accuracy allows.
    pub ceiling: Ceiling,
    /// What the marks mean.
    pub anchors: ByDimension<Anchors>,
}

/// Why a profile cannot be used.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// No such profile.
    #[error("unknown profile `{0}`; the profiles are {known}", known = Profile::names().join(", "))]
    Unknown(String),
    /// The file cannot be read.
    #[error("the profile cannot be read: {0}")]
    Form(String),
    /// The weights are wrong.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The steps of the ceiling fall, or leave the scale.
    #[error("the steps of the ceiling must increase and stay within 0 to 10")]
    Ceiling,
    /// A dimension counts and nothing says what its marks mean.
    #[error("{0} has a weight but no anchors")]
    NoAnchors(Dimension),
}

/// The same as it is written: what is left out is taken from another profile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfileForm {
    name: String,
    version: u32,
    summary: String,
    extends: Option<String>,
    weights: ByDimension<f64>,
    ceiling: Option<Ceiling>,
    #[serde(default)]
    anchors: ByDimension<Anchors>,
}

impl Default for Profile {
    /// The first of those that come with the program.
    fn default() -> Self {
        match Self::from_toml(BUILT_IN[0].1) {
            Ok(profile) => profile,
            Err(error) => unreachable!("a test reads every built-in profile: {error}"),
        }
    }
}

impl Profile {
    /// The names of the profiles that come with the program.
    pub fn names() -> [&'static str; 6] {
        BUILT_IN.map(|(name, _)| name)
    }

    /// A profile that comes with the program.
    pub fn built_in(name: &str) -> Result<Self, ProfileError> {
        let found = BUILT_IN.iter().find(|(known, _)| *known == name);
        let (_, text) = found.ok_or_else(|| ProfileError::Unknown(name.to_owned()))?;
        Self::from_toml(text)
    }

    /// A profile from its file.
    pub fn from_toml(text: &str) -> Result<Self, ProfileError> {
        let written: ProfileForm =
            toml::from_str(text).map_err(|error| ProfileError::Form(error.message().to_owned()))?;
        let base = written.extends.as_deref().map(Self::built_in).transpose()?;
        let (ceiling, mut anchors) = match base {
            Some(base) => (Some(base.ceiling), base.anchors),
            None => (None, ByDimension::new()),
        };
        anchors.extend(written.anchors);
        let missing = || ProfileError::Form("missing field `ceiling`".to_owned());
        let profile = Self {
            name: written.name,
            version: written.version,
            summary: written.summary,
            weights: Weights::new(written.weights)?,
            ceiling: written.ceiling.or(ceiling).ok_or_else(missing)?,
            anchors,
        };
        profile.checked()
    }

    /// The same rubric with other weights.
    pub fn with_weights(mut self, replaced: &ByDimension<f64>) -> Result<Self, ProfileError> {
        self.weights = self.weights.with(replaced)?;
        self.checked()
    }

    /// What tells this rubric from any other: weights, ceiling, anchors, name and version.
    pub fn hash(&self) -> String {
        // Maps are ordered and numbers are printed in their shortest form: one text each.
        let text = serde_json::to_string(self).unwrap_or_default();
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }

    fn checked(self) -> Result<Self, ProfileError> {
        if !self.ceiling.is_sound() {
            return Err(ProfileError::Ceiling);
        }
        let unexplained = |dimension: &Dimension| !self.anchors.contains_key(dimension);
        if let Some(dimension) =
            self.weights.counting().map(|(dimension, _)| dimension).find(unexplained)
        {
            return Err(ProfileError::NoAnchors(dimension));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_can_be_read_and_differs_from_the_others() {
        let profiles = Profile::names().map(|name| Profile::built_in(name).unwrap());
        let hashes: std::collections::BTreeSet<String> =
            profiles.iter().map(Profile::hash).collect();
        assert_eq!(hashes.len(), Profile::names().len());
        for (profile, name) in profiles.iter().zip(Profile::names()) {
            assert_eq!(profile.name, name);
        }
    }

    #[test]
    fn an_unknown_profile_names_those_there_are() {
        let error = Profile::built_in("poetry").unwrap_err().to_string();
        assert!(error.contains("default, classic, factual, code"), "{error}");
    }

    #[test]
    fn other_weights_give_another_hash_and_survive_being_written() {
        let profile = Profile::default();
        let moved = [(Dimension::Accuracy, 0.30), (Dimension::Clarity, 0.25)].into();
        let other = profile.clone().with_weights(&moved).unwrap();
        assert_ne!(profile.hash(), other.hash());
        let json = serde_json::to_string(&other).unwrap();
        assert_eq!(serde_json::from_str::<Profile>(&json).unwrap(), other);
    }

    #[test]
    fn a_profile_whose_ceiling_falls_is_refused() {
        let text = "name = \"x\"\nversion = 1\nsummary = \"\"\nextends = \"default\"\n\
                    [weights]\naccuracy = 1.0\n[ceiling]\n\
                    steps = [{ below = 5.0, at_most = 7.0 }, { below = 7.0, at_most = 4.0 }]\n";
        assert_eq!(Profile::from_toml(text), Err(ProfileError::Ceiling));
    }
}

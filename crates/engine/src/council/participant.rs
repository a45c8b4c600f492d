//! Who takes part in a council: a model under a name, and which of its replies it stands for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use assize_models::{ModelName, ModelNameError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::asking::{AskSession, Halt, Judge};

/// A request that fails is sent so often at most; one that may have been paid for counts twice.
/// A council goes on without a member that is away, so it waits for nobody very long.
const TRIES_MAX: u32 = 3;

/// A member, reviewer or chair as it is typed: `provider/model`, `provider/model#2`, `name=provider/model`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    /// What it is called in the verdict; no two of one kind share a name.
    pub name: String,
    /// The model that is asked.
    pub model: ModelName,
    /// Which of several replies of the model it stands for, from 1; 0 when it is the only one.
    pub sample: u32,
}

/// Why a participant was refused.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParticipantError {
    /// The model's name is not one.
    #[error(transparent)]
    Model(#[from] ModelNameError),
    /// What follows `#` is not a number.
    #[error("`{0}`: expected a sample number from 1 after #, as in local/qwen#2")]
    Sample(String),
    /// Nothing stands before `=`.
    #[error("`{0}`: expected a name before =, as in first=local/qwen")]
    Name(String),
    /// Two have the same name.
    #[error("two participants are named `{0}`: give each a unique name, as in first=local/qwen")]
    Twice(String),
}

impl FromStr for Participant {
    type Err = ParticipantError;

    fn from_str(text: &str) -> Result<Self, ParticipantError> {
        let text = text.trim();
        // A name has no slash, so that `hub/model=1` stays a model.
        let (name, rest) = match text.split_once('=') {
            Some((name, rest)) if !name.contains('/') => (Some(name.trim()), rest.trim()),
            _ => (None, text),
        };
        if name.is_some_and(str::is_empty) {
            return Err(ParticipantError::Name(text.to_owned()));
        }
        let (model, sample) = match rest.rsplit_once('#') {
            None => (rest, 0),
            Some((model, number)) => {
                let number = number.parse().ok().filter(|number| *number > 0);
                (model, number.ok_or_else(|| ParticipantError::Sample(text.to_owned()))?)
            }
        };
        let model: ModelName = model.parse()?;
        Ok(Self { name: name.map_or_else(|| rest.to_owned(), str::to_owned), model, sample })
    }
}

impl Participant {
    /// How it is typed: read again, it is the same.
    pub(super) fn typed(&self) -> String {
        let Self { name, model, sample } = self;
        let model = if *sample == 0 { model.to_string() } else { format!("{model}#{sample}") };
        if *name == model { model } else { format!("{name}={model}") }
    }

    /// The model, and which of its replies is meant.
    pub(super) fn judge(&self, session: &AskSession) -> Result<(Judge, u32), Halt> {
        let mut judge = session.judge(&self.model)?;
        judge.retry.tries_max = TRIES_MAX;
        if self.sample > 0 {
            judge = judge.sampling();
        }
        Ok((judge, session.attempt + self.sample))
    }
}

impl fmt::Display for Participant {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// Participants of one kind. A model that is named several times takes part several times, each
/// time with another of its replies: `local/qwen,local/qwen` is `local/qwen#1,local/qwen#2`.
pub fn participants(typed: &[String]) -> Result<Vec<Participant>, ParticipantError> {
    let typed: Vec<Participant> = typed.iter().map(|one| one.parse()).collect::<Result<_, _>>()?;
    let mut times: BTreeMap<&ModelName, u32> = BTreeMap::new();
    for one in typed.iter().filter(|one| one.sample == 0) {
        *times.entry(&one.model).or_default() += 1;
    }
    let mut given: BTreeMap<&ModelName, u32> = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let mut listed = Vec::with_capacity(typed.len());
    for one in &typed {
        let mut named = one.clone();
        if one.sample == 0 && times.get(&one.model).is_some_and(|times| *times > 1) {
            let number = given.entry(&one.model).or_default();
            *number += 1;
            named.sample = *number;
            if one.name == one.model.to_string() {
                named.name = format!("{}#{number}", one.model);
            }
        }
        if !taken.insert(named.name.clone()) {
            return Err(ParticipantError::Twice(named.name));
        }
        listed.push(named);
    }
    Ok(listed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(typed: &str) -> Result<Vec<(String, u32)>, ParticipantError> {
        let typed: Vec<String> = typed.split(',').map(str::to_owned).collect();
        Ok(participants(&typed)?.into_iter().map(|one| (one.name, one.sample)).collect())
    }

    fn named(name: &str, sample: u32) -> (String, u32) {
        (name.to_owned(), sample)
    }

    #[test]
    fn a_participant_is_a_model_a_sample_or_a_name_for_one() {
        let one: Participant = "first = hub/meta/llama=3#2".parse().unwrap();
        assert_eq!((one.name.as_str(), one.sample), ("first", 2));
        assert_eq!(one.model.to_string(), "hub/meta/llama=3");
        assert_eq!("hub/model=1".parse::<Participant>().unwrap().name, "hub/model=1");
        for bad in ["qwen", "=local/q", "local/q#0", "local/q#two"] {
            assert!(bad.parse::<Participant>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_model_named_twice_takes_part_twice_with_different_replies() {
        let both = listed("local/q,other/m,local/q").unwrap();
        assert_eq!(both, [named("local/q#1", 1), named("other/m", 0), named("local/q#2", 2)]);
        let aliases = listed("a=local/q,b=local/q").unwrap();
        assert_eq!(aliases, [named("a", 1), named("b", 2)]);
    }

    #[test]
    fn one_name_for_two_is_refused() {
        assert_eq!(listed("a=local/q,a=other/m"), Err(ParticipantError::Twice("a".to_owned())));
    }
}

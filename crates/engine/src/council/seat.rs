//! Who sits in a council: a model under a name, and which of its replies it stands for.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use assize_models::{ModelName, ModelNameError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A seat as it is typed: `provider/model`, `provider/model#2`, `name=provider/model`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seat {
    /// What the seat is called in the verdict; no two seats of one kind share a name.
    pub name: String,
    /// The model that sits there.
    pub model: ModelName,
    /// Which of several replies of the model it stands for, from 1; 0 when it is the only one.
    pub sample: u32,
}

/// Why a seat was refused.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeatError {
    /// The model's name is not one.
    #[error(transparent)]
    Model(#[from] ModelNameError),
    /// What follows `#` is not a number.
    #[error("`{0}`: after # stands the number of a sample, from 1: local/qwen#2")]
    Sample(String),
    /// Nothing stands before `=`.
    #[error("`{0}`: before = stands a name: first=local/qwen")]
    Name(String),
    /// Two seats have the same name.
    #[error("two seats are called `{0}`: give each its own name, as in first=local/qwen")]
    Twice(String),
}

impl FromStr for Seat {
    type Err = SeatError;

    fn from_str(text: &str) -> Result<Self, SeatError> {
        let text = text.trim();
        // A name has no slash, so that `hub/model=1` stays a model.
        let (name, rest) = match text.split_once('=') {
            Some((name, rest)) if !name.contains('/') => (Some(name.trim()), rest.trim()),
            _ => (None, text),
        };
        if name.is_some_and(str::is_empty) {
            return Err(SeatError::Name(text.to_owned()));
        }
        let (model, sample) = match rest.rsplit_once('#') {
            None => (rest, 0),
            Some((model, number)) => {
                let number = number.parse().ok().filter(|number| *number > 0);
                (model, number.ok_or_else(|| SeatError::Sample(text.to_owned()))?)
            }
        };
        let model: ModelName = model.parse()?;
        Ok(Self { name: name.map_or_else(|| rest.to_owned(), str::to_owned), model, sample })
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

/// Seats of one kind. A model that is named several times sits several times, each time for
/// another of its replies: `local/qwen,local/qwen` is `local/qwen#1,local/qwen#2`.
pub fn seats(typed: &[Seat]) -> Result<Vec<Seat>, SeatError> {
    let mut times: BTreeMap<&ModelName, u32> = BTreeMap::new();
    for seat in typed.iter().filter(|seat| seat.sample == 0) {
        *times.entry(&seat.model).or_default() += 1;
    }
    let mut given: BTreeMap<&ModelName, u32> = BTreeMap::new();
    let mut names = BTreeSet::new();
    let mut seated = Vec::with_capacity(typed.len());
    for seat in typed {
        let mut seat_now = seat.clone();
        if seat.sample == 0 && times.get(&seat.model).is_some_and(|times| *times > 1) {
            let number = given.entry(&seat.model).or_default();
            *number += 1;
            seat_now.sample = *number;
            if seat.name == seat.model.to_string() {
                seat_now.name = format!("{}#{number}", seat.model);
            }
        }
        if !names.insert(seat_now.name.clone()) {
            return Err(SeatError::Twice(seat_now.name));
        }
        seated.push(seat_now);
    }
    Ok(seated)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seated(typed: &str) -> Result<Vec<(String, u32)>, SeatError> {
        let typed: Vec<Seat> = typed.split(',').map(str::parse).collect::<Result<_, _>>()?;
        Ok(seats(&typed)?.into_iter().map(|seat| (seat.name, seat.sample)).collect())
    }

    fn named(name: &str, sample: u32) -> (String, u32) {
        (name.to_owned(), sample)
    }

    #[test]
    fn a_seat_is_a_model_a_sample_or_a_name_for_one() {
        let seat: Seat = "first = hub/meta/llama=3#2".parse().unwrap();
        assert_eq!((seat.name.as_str(), seat.sample), ("first", 2));
        assert_eq!(seat.model.to_string(), "hub/meta/llama=3");
        assert_eq!("hub/model=1".parse::<Seat>().unwrap().name, "hub/model=1");
        for bad in ["qwen", "=local/q", "local/q#0", "local/q#two"] {
            assert!(bad.parse::<Seat>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_model_named_twice_sits_twice_with_different_replies() {
        let both = seated("local/q,other/m,local/q").unwrap();
        assert_eq!(both, [named("local/q#1", 1), named("other/m", 0), named("local/q#2", 2)]);
        let aliases = seated("a=local/q,b=local/q").unwrap();
        assert_eq!(aliases, [named("a", 1), named("b", 2)]);
    }

    #[test]
    fn one_name_for_two_seats_is_refused() {
        assert_eq!(seated("a=local/q,a=other/m"), Err(SeatError::Twice("a".to_owned())));
    }
}

//! Truth keys divided into those that may be tuned on and those that decide.

use std::collections::{BTreeMap, BTreeSet};

use assize_stats::resample::Generator;
use serde::{Deserialize, Serialize};

use crate::compliance::truth::TruthKey;

/// From so many documents on, whole documents are held out.
const DOCUMENTS_MIN: usize = 4;

/// What was dealt out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SplitBy {
    /// Whole documents: nothing about a document that decides was seen while tuning.
    Document,
    /// Single keys, because there are too few documents.
    Key,
}

/// Which keys are tuned on, and which decide; indices into the keys, rising.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Split {
    /// What was dealt out.
    pub by: SplitBy,
    /// Keys to look at as often as one likes.
    pub tune: Vec<usize>,
    /// Keys that decide, once.
    pub hold_out: Vec<usize>,
}

/// Divides keys; about `hold_out_share` of them, 0 to 1, are held out. The order of the keys
/// does not decide anything, the seed does.
pub fn split(keys: &[TruthKey], hold_out_share: f64, seed: u64) -> Split {
    let documents: BTreeSet<&str> = keys.iter().map(|key| key.document.as_str()).collect();
    let by = if documents.len() >= DOCUMENTS_MIN { SplitBy::Document } else { SplitBy::Key };
    let mut units: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (index, key) in keys.iter().enumerate() {
        let criterion = if by == SplitBy::Key { key.criterion.as_str() } else { "" };
        units.entry((&key.document, criterion)).or_default().push(index);
    }
    let mut units: Vec<Vec<usize>> = units.into_values().collect();
    Generator::new(seed).shuffle(&mut units);
    let wanted = hold_out_share.clamp(0.0, 1.0) * keys.len() as f64;
    let mut split = Split { by, tune: Vec::new(), hold_out: Vec::new() };
    let last = units.len().saturating_sub(1);
    for (number, unit) in units.into_iter().enumerate() {
        // Something must be left to tune on.
        let is_held_out = (split.hold_out.len() as f64) < wanted && number < last;
        if is_held_out { &mut split.hold_out } else { &mut split.tune }.extend(unit);
    }
    split.tune.sort_unstable();
    split.hold_out.sort_unstable();
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(documents: usize, criteria: usize) -> Vec<TruthKey> {
        let key = |document: usize, criterion: usize| TruthKey {
            document: format!("d{document}"),
            criterion: format!("c{criterion}"),
            expected_score: 50.0,
            response_sections: BTreeMap::new(),
            analyst: None,
            is_adjudicated: false,
        };
        (0..documents).flat_map(|at| (0..criteria).map(move |other| key(at, other))).collect()
    }

    #[test]
    fn whole_documents_are_held_out_where_there_are_enough() {
        let keys = keys(10, 3);
        let found = split(&keys, 0.3, 7);
        assert_eq!((found.by, found.hold_out.len()), (SplitBy::Document, 9));
        let of = |indices: &[usize]| -> BTreeSet<&str> {
            indices.iter().map(|index| keys[*index].document.as_str()).collect()
        };
        assert!(of(&found.tune).is_disjoint(&of(&found.hold_out)));
        assert_eq!(found, split(&keys, 0.3, 7));
        assert_ne!(found, split(&keys, 0.3, 8));
    }

    #[test]
    fn with_few_documents_single_keys_are_dealt_out() {
        let found = split(&keys(2, 10), 0.5, 1);
        assert_eq!((found.by, found.tune.len(), found.hold_out.len()), (SplitBy::Key, 10, 10));
    }

    #[test]
    fn the_order_of_the_keys_does_not_matter() {
        let forwards = keys(6, 2);
        let mut backwards = forwards.clone();
        backwards.reverse();
        let of = |keys: &[TruthKey]| -> BTreeSet<String> {
            split(keys, 0.4, 3).hold_out.iter().map(|index| keys[*index].document.clone()).collect()
        };
        assert_eq!(of(&forwards), of(&backwards));
    }

    #[test]
    fn something_is_always_left_to_tune_on() {
        assert_eq!(split(&keys(1, 1), 1.0, 1).tune, [0]);
        assert!(split(&[], 0.5, 1).tune.is_empty());
    }
}

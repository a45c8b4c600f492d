//! Accuracy by criterion and by document, and where judge and analyst differ most.

use std::collections::BTreeMap;

use assize_score::float::descending;
use assize_stats::summary;
use serde::{Deserialize, Serialize};

use super::Checked;

/// The results of one criterion or one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// The criterion or document.
    pub name: String,
    /// How many keys have a result with a score.
    pub scored: usize,
    /// How many have none.
    pub unscored: usize,
    /// The mean of `1 - |score - expected| / 100`; none without a score.
    pub overall: Option<f64>,
    /// The mean of `score - expected`.
    pub bias: Option<f64>,
}

/// A result that differs from its key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    /// The document.
    pub document: String,
    /// The criterion.
    #[serde(rename = "criteria_id")]
    pub criterion: String,
    /// What the judge said.
    pub score: f64,
    /// What the analyst says.
    pub expected_score: f64,
}

/// The results grouped by a name, in the order of the names.
pub(super) fn slices<'a, 'b>(
    checked: &'a [Checked<'b>],
    name: impl Fn(&'a Checked<'b>) -> &'a String,
) -> Vec<Slice> {
    let mut groups: BTreeMap<&String, Vec<&Checked<'_>>> = BTreeMap::new();
    for one in checked {
        groups.entry(name(one)).or_default().push(one);
    }
    groups.into_iter().map(|(name, group)| slice(name, &group)).collect()
}

fn slice(name: &str, group: &[&Checked<'_>]) -> Slice {
    let off = |one: &&Checked<'_>| Some(one.score? - one.key.expected_score);
    let off: Vec<f64> = group.iter().filter_map(off).collect();
    let close: Vec<f64> = off.iter().map(|off| 1.0 - off.abs() / 100.0).collect();
    Slice {
        name: name.to_owned(),
        scored: off.len(),
        unscored: group.len() - off.len(),
        overall: summary::mean(&close).ok(),
        bias: summary::mean(&off).ok(),
    }
}

/// The results furthest from their keys.
pub(super) fn worst(checked: &[Checked<'_>], most: usize) -> Vec<Disagreement> {
    let differs = |one: &Checked<'_>| {
        Some(Disagreement {
            document: one.key.document.clone(),
            criterion: one.key.criterion.clone(),
            score: one.score?,
            expected_score: one.key.expected_score,
        })
    };
    let distance = |found: &Disagreement| (found.score - found.expected_score).abs();
    let mut found: Vec<Disagreement> = checked.iter().filter_map(differs).collect();
    found.retain(|found| distance(found) > 0.0);
    found.sort_by(|left, right| {
        descending(distance(left), distance(right))
            .then_with(|| left.document.cmp(&right.document))
            .then_with(|| left.criterion.cmp(&right.criterion))
    });
    found.truncate(most);
    found
}

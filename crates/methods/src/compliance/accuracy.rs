//! How close a judge comes to the truth keys, over a whole run.

mod calibration;
mod granularity;
mod slices;

use std::collections::BTreeMap;

use assize_stats::agreement::{Weights, cohen_kappa};
use assize_stats::interval::{Drawing, bootstrap_mean, drawn, prediction_powered_mean};
use assize_stats::summary;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use self::calibration::{Calibration, CalibrationBin, calibration};
pub use self::granularity::{Granularity, granularity};
pub use self::slices::{Disagreement, Slice};
use super::analysts::{AnalystAgreement, Basis};
use super::tiers::Rubric;
use super::truth::{ResultAccuracy, Similarity, TruthKey, accuracy_of};

/// How often is drawn for an interval, how much of the draws it holds, and from which seed.
const DRAWING: Drawing = Drawing { resamples: 2_000, level: 0.95, seed: 20_260_207 };

/// From so many documents on, whole documents are drawn: results of one are no independent
/// evidence.
const DOCUMENTS_MIN: usize = 5;

/// The largest disagreements that are listed.
const WORST: usize = 10;

/// A result beside its key.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked<'a> {
    /// What was expected.
    pub key: &'a TruthKey,
    /// The score; none if the result has none, for whatever reason.
    pub score: Option<f64>,
    /// The confidence, 0 to 100.
    pub confidence: Option<u8>,
    /// The sections.
    pub sections: &'a Map<String, Value>,
}

/// A mean and where it lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The lower end of its 95 % interval; none for a single value.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// How many values it is the mean of.
    pub count: usize,
}

/// How close a judge comes to the truth keys.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AccuracyReport {
    /// How many keys have a result with a score.
    pub scored: usize,
    /// How many have none; no figure counts them as zero.
    pub unscored: usize,
    /// `1 - |score - expected| / 100`.
    pub overall: Option<Estimate>,
    /// `|score - expected|`.
    pub score_diff: Option<Estimate>,
    /// `score - expected`: above zero the judge is too kind.
    pub bias: Option<Estimate>,
    /// The share of scores in the tier of their key.
    pub tier_match: Option<Estimate>,
    /// Agreement on tiers beyond chance, distant ones weighing more (quadratic weights); none
    /// if tiers do not vary.
    pub kappa: Option<f64>,
    /// The labels of the tiers.
    pub tiers: Vec<String>,
    /// `confusion[expected][given]`, by tiers from the lowest.
    pub confusion: Vec<Vec<usize>>,
    /// How alike each section is.
    pub sections: BTreeMap<String, Estimate>,
    /// Whether confidence is deserved; none if none was stated.
    pub calibration: Option<Calibration>,
    /// How fine the scores are.
    pub granularity: Granularity,
    /// The same by criterion.
    pub by_criterion: Vec<Slice>,
    /// The same by document.
    pub by_document: Vec<Slice>,
    /// The largest disagreements, largest first.
    pub worst: Vec<Disagreement>,
    /// How many keys are about the sample documents, with which the rule judge was made: where there
    /// are any, no kappa is given.
    #[serde(default, skip_serializing_if = "is_none")]
    pub about_samples: usize,
    /// What the keys rest on: one analyst, the mean of several, or what was settled.
    #[serde(default)]
    pub basis: Basis,
    /// How far analysts agree with each other: no judge can be asked for more. None unless
    /// several judged the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceiling: Option<AnalystAgreement>,
    /// The mean score that analysts would give every pair of the run, by their keys and the judge
    /// together; none with fewer than ten keys, or if every pair has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corrected: Option<Estimate>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

impl AccuracyReport {
    /// Says that so many keys are about the sample documents. The rule judge was made with them in
    /// view, so that its agreement with them says nothing.
    #[must_use]
    pub fn with_keys_about_samples(mut self, keys: usize) -> Self {
        self.about_samples = keys;
        if keys > 0 {
            self.kappa = None;
        }
        self
    }

    /// What readers must know before they believe the figures; nothing for keys of their own.
    pub fn caution(&self) -> Option<String> {
        let count = self.about_samples;
        (count > 0).then(|| {
            let keys = if count == 1 { "1 key is" } else { &*format!("{count} keys are") };
            format!(
                "{keys} about the sample documents that come with the program. The rule judge was made with \
                 them, so these figures show what the page looks like and not how good a judge is: there \
                 is no kappa. Keys for documents of your own show that."
            )
        })
    }
}

/// A result with a score, held against its key.
struct KeyedResult<'a> {
    key: &'a TruthKey,
    score: f64,
    confidence: Option<u8>,
    accuracy: ResultAccuracy,
}

/// Compares the results of a run with their keys.
pub fn accuracy(
    checked: &[Checked<'_>],
    rubric: &Rubric,
    similarity: Similarity<'_>,
) -> AccuracyReport {
    let against_its_key = |one: &Checked<'_>| {
        let score = one.score?;
        Some((score, accuracy_of(score, one.sections, one.key, rubric, similarity)))
    };
    let held: Vec<KeyedResult<'_>> = checked
        .iter()
        .filter_map(|one| {
            let (score, accuracy) = against_its_key(one)?;
            Some(KeyedResult { key: one.key, score, confidence: one.confidence, accuracy })
        })
        .collect();
    let groups = by_document(&held);
    let estimate = |value: &dyn Fn(&KeyedResult<'_>) -> f64| {
        let values: Vec<f64> = held.iter().map(value).collect();
        estimate(&values, &groups)
    };
    let tier = |held: &KeyedResult<'_>| rubric.tier(held.score) - 1;
    let expected: Vec<usize> = held.iter().map(|held| held.key.score_range(rubric) - 1).collect();
    let given: Vec<usize> = held.iter().map(tier).collect();
    let scores: Vec<f64> = held.iter().map(|held| held.score).collect();
    AccuracyReport {
        scored: held.len(),
        unscored: checked.len() - held.len(),
        overall: estimate(&|held| held.accuracy.overall_accuracy),
        score_diff: estimate(&|held| held.accuracy.score_diff),
        bias: estimate(&|held| held.score - held.key.expected_score),
        tier_match: estimate(&|held| f64::from(u8::from(held.accuracy.tier_match))),
        kappa: cohen_kappa(&expected, &given, Weights::Quadratic).ok(),
        tiers: rubric.tiers().iter().map(|tier| tier.label.clone()).collect(),
        confusion: confusion(&expected, &given, rubric.tiers().len()),
        sections: sections(&held),
        calibration: calibration(held.iter().filter_map(|held| {
            Some((f64::from(held.confidence?) / 100.0, held.accuracy.tier_match))
        })),
        granularity: granularity(&scores),
        by_criterion: slices::slices(checked, |checked| &checked.key.criterion),
        by_document: slices::slices(checked, |checked| &checked.key.document),
        worst: slices::worst(checked, WORST),
        about_samples: 0,
        basis: Basis::default(),
        ceiling: None,
        corrected: None,
    }
}

/// Fewer keys than this do not show how a judge errs.
const KEYS_MIN: usize = 10;

/// The mean score that analysts would give all pairs: expected and given scores of those with a
/// key, given scores of the others.
pub fn corrected(keyed: &[(f64, f64)], others: &[f64]) -> Option<Estimate> {
    let (expected, given): (Vec<f64>, Vec<f64>) = keyed.iter().copied().unzip();
    if keyed.len() < KEYS_MIN {
        return None;
    }
    let found = prediction_powered_mean(&expected, &given, others, DRAWING.level).ok()?;
    let (low, high) = (Some(found.interval.low), Some(found.interval.high));
    Some(Estimate { mean: found.estimate, low, high, count: keyed.len() })
}

/// The indices of the results of each document.
fn by_document(held: &[KeyedResult<'_>]) -> Vec<Vec<usize>> {
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, held) in held.iter().enumerate() {
        groups.entry(&held.key.document).or_default().push(index);
    }
    groups.into_values().collect()
}

/// The mean of values with its interval; whole documents are drawn if there are enough.
fn estimate(values: &[f64], documents: &[Vec<usize>]) -> Option<Estimate> {
    let mean = summary::mean(values).ok()?;
    let mean_of = |drawn: &[usize]| {
        Some(drawn.iter().map(|index| values[*index]).sum::<f64>() / drawn.len() as f64)
    };
    let Drawing { resamples, level, seed } = DRAWING;
    let interval = if documents.len() >= DOCUMENTS_MIN {
        drawn(values.len(), Some(documents), DRAWING, mean_of).map(|found| found.interval)
    } else {
        // Of single values the order is no input: exports of earlier versions keep their bytes.
        bootstrap_mean(values, resamples, level, seed).ok()
    };
    Some(Estimate {
        mean,
        low: interval.map(|interval| interval.low),
        high: interval.map(|interval| interval.high),
        count: values.len(),
    })
}

fn confusion(expected: &[usize], given: &[usize], tiers: usize) -> Vec<Vec<usize>> {
    let mut counts = vec![vec![0; tiers]; tiers];
    for (expected, given) in expected.iter().zip(given) {
        counts[*expected][*given] += 1;
    }
    counts
}

fn sections(held: &[KeyedResult<'_>]) -> BTreeMap<String, Estimate> {
    let mut values: BTreeMap<&String, Vec<f64>> = BTreeMap::new();
    for (id, alike) in held.iter().flat_map(|held| &held.accuracy.section_accuracy) {
        values.entry(id).or_default().push(*alike);
    }
    let estimated = |(id, values): (&String, Vec<f64>)| Some((id.clone(), estimate(&values, &[])?));
    values.into_iter().filter_map(estimated).collect()
}

#[cfg(test)]
mod tests;

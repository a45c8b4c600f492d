//! What one judge said: every sample of every item, what it took, and why scores are missing.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use assize_stats::summary::mean;

use super::items::ItemsError;

/// How many names an error lists of either side.
const NAMES_MAX: usize = 10;

/// What one judge said, by the names of items.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Told {
    /// The samples of each item, none where it could not be scored.
    samples: BTreeMap<String, Vec<f64>>,
    /// Why items have no score, and how many.
    because: BTreeMap<String, usize>,
    /// What one score took, on average.
    pub(super) seconds: Option<f64>,
    /// What one score cost in billionths of a dollar, on average.
    pub(super) nanodollars: Option<f64>,
}

/// What one judge said, in the order of the items.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Scores {
    /// The mean of the samples of each item.
    pub values: Vec<Option<f64>>,
    /// The samples themselves.
    pub samples: Vec<Vec<f64>>,
    /// Why items have no score, and how many.
    pub because: BTreeMap<String, usize>,
    /// What one score took, on average.
    pub seconds: Option<f64>,
    /// What one score cost in billionths of a dollar, on average.
    pub nanodollars: Option<f64>,
}

impl Told {
    /// One more sample of an item, or why there is none.
    pub(super) fn add(&mut self, item: &str, said: Result<Option<f64>, String>) {
        let samples = self.samples.entry(item.to_owned()).or_default();
        let because = match said {
            Ok(Some(score)) => return samples.push(score),
            Ok(None) => "no score".to_owned(),
            Err(because) => because,
        };
        *self.because.entry(because).or_default() += 1;
    }

    /// Whether something was said of an item.
    pub(super) fn knows(&self, item: &str) -> bool {
        self.samples.contains_key(item)
    }

    /// So long, and perhaps so much, for so many scores.
    pub(super) fn took(&mut self, scores: usize, time: Duration, nanodollars: Option<u64>) {
        let each = |whole: f64| (scores > 0).then(|| whole / scores as f64);
        self.seconds = each(time.as_secs_f64());
        self.nanodollars = nanodollars.and_then(|price| each(price as f64));
    }

    /// What was said of the items that something was said of; other names are an error.
    pub(crate) fn labels(mut self, ids: &[String]) -> Result<Vec<Option<f64>>, ItemsError> {
        for id in ids {
            self.samples.entry(id.clone()).or_default();
        }
        Ok(self.aligned(ids, "labels")?.values)
    }

    /// In the order of the items; names that do not match are an error with both sides.
    pub(super) fn aligned(mut self, ids: &[String], judge: &str) -> Result<Scores, ItemsError> {
        let missing: Vec<&str> =
            ids.iter().map(String::as_str).filter(|id| !self.knows(id)).collect();
        let names: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
        let strange: Vec<&str> =
            self.samples.keys().map(String::as_str).filter(|id| !names.contains(id)).collect();
        if !missing.is_empty() || !strange.is_empty() {
            return Err(ItemsError::Ids {
                judge: judge.to_owned(),
                missing_count: missing.len(),
                missing: first(&missing),
                strange_count: strange.len(),
                strange: first(&strange),
            });
        }
        let samples: Vec<Vec<f64>> =
            ids.iter().map(|id| self.samples.remove(id).unwrap_or_default()).collect();
        Ok(Scores {
            values: samples.iter().map(|samples| mean(samples).ok()).collect(),
            samples,
            because: self.because,
            seconds: self.seconds,
            nanodollars: self.nanodollars,
        })
    }
}

fn first(names: &[&str]) -> String {
    let shown = names.iter().take(NAMES_MAX).copied().collect::<Vec<_>>().join(", ");
    if shown.is_empty() { "none".to_owned() } else { shown }
}

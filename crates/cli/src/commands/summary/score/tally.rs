//! Means over many pairs: how many count, and how many do not.

use assize_methods::summary::{FiveMetrics, Metric};

/// A running mean.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Mean {
    sum: f64,
    pub(super) scored: usize,
    pub(super) unscored: usize,
}

impl Mean {
    pub(super) fn value(self) -> Option<f64> {
        (self.scored > 0).then(|| self.sum / self.scored as f64)
    }
}

/// The means of the five metrics.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Tally {
    means: [Mean; 5],
    /// All records.
    pub(super) records: usize,
    /// Records without a scorecard.
    pub(super) errors: usize,
    /// Those of them for which a judge is to blame.
    pub(super) unscored: usize,
}

impl Tally {
    /// One more record.
    pub(super) fn add(&mut self, scores: &Result<FiveMetrics<Option<f64>>, String>) {
        self.records += 1;
        self.errors += usize::from(scores.is_err());
        for (mean, metric) in self.means.iter_mut().zip(Metric::ALL) {
            match scores.as_ref().ok().and_then(|scores| *scores.get(metric)) {
                Some(score) => {
                    mean.sum += score;
                    mean.scored += 1;
                }
                None => mean.unscored += 1,
            }
        }
    }

    /// The means in the order of the metrics.
    pub(super) fn means(&self) -> [(Metric, Mean); 5] {
        std::array::from_fn(|index| (Metric::ALL[index], self.means[index]))
    }

    /// The mean of a metric by its name.
    pub(super) fn mean(&self, name: &str) -> Option<f64> {
        let mut means = self.means().into_iter();
        means.find(|(metric, _)| metric.name() == name).and_then(|(_, mean)| mean.value())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_score_is_counted_apart_from_zero() {
        let mut tally = Tally::default();
        let scores = |coverage| FiveMetrics {
            coverage,
            alignment: Some(10.0),
            hallucination: Some(0.0),
            relevance: Some(4.0),
            bias_toxicity: Some(10.0),
        };
        tally.add(&Ok(scores(Some(6.0))));
        tally.add(&Ok(scores(None)));
        tally.add(&Err("empty_summary".to_owned()));
        let (_, coverage) = tally.means()[0];
        assert_eq!((coverage.value(), coverage.scored, coverage.unscored), (Some(6.0), 1, 2));
        assert_eq!(tally.mean("hallucination"), Some(0.0));
        assert_eq!((tally.records, tally.errors), (3, 1));
    }
}

//! Means over many pairs: how many count, and how many do not.

use assize_methods::summary::{FiveMetrics, Metric};

use crate::thresholds::Figures;

/// A running mean.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Mean {
    sum: f64,
    /// Records with a score.
    pub scored: usize,
    /// Records without one.
    pub unscored: usize,
}

impl Mean {
    /// The mean of the scores there are.
    pub fn value(self) -> Option<f64> {
        (self.scored > 0).then(|| self.sum / self.scored as f64)
    }
}

/// The means of the five metrics.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    means: [Mean; 5],
    /// All records.
    pub records: usize,
    /// Records without a scorecard.
    pub errors: usize,
    /// Those of them for which a judge is to blame.
    pub unscored: usize,
}

impl Tally {
    /// One more record.
    pub fn add(&mut self, scores: &Result<FiveMetrics<Option<f64>>, String>) {
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
    pub fn means(&self) -> [(Metric, Mean); 5] {
        std::array::from_fn(|index| (Metric::ALL[index], self.means[index]))
    }

    /// What thresholds are checked against. Single records are not kept here, so a share of
    /// records cannot be asked for.
    pub fn figures(&self) -> Figures {
        let means = self.means().map(|(metric, mean)| (metric.name().to_owned(), mean.value()));
        Figures {
            means: means.into(),
            items: Vec::new(),
            count: self.records,
            unscored: self.errors,
        }
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
        assert_eq!(tally.figures().mean("hallucination"), Some(Some(0.0)));
        assert_eq!((tally.records, tally.errors), (3, 1));
    }
}

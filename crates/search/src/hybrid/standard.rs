//! Scores of different kinds on one scale: distance from the mean in deviations.

use assize_score::Working;

/// The mean and deviation of one query's scores.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Standard {
    mean: f64,
    deviation: f64,
}

impl Standard {
    /// The mean and deviation of these scores.
    pub(crate) fn of(scores: &[f64]) -> Self {
        let count = scores.len().max(1) as f64;
        let mean = scores.iter().sum::<f64>() / count;
        let squares = scores.iter().map(|score| (score - mean) * (score - mean)).sum::<f64>();
        Self { mean, deviation: (squares / count).sqrt() }
    }

    /// A score as its distance from the mean; 0 where all scores are alike.
    pub(crate) fn score<N: Working>(&self, name: &'static str, score: N) -> N {
        let Self { mean, deviation } = *self;
        let value = if deviation > 0.0 { (score.value() - mean) / deviation } else { 0.0 };
        let inputs = [score, N::given("mean", mean), N::given("deviation", deviation)];
        N::computed(name, "(score - mean) / deviation", value, inputs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_measured_in_deviations_from_the_mean() {
        let standard = Standard::of(&[1.0, 1.0, 3.0, 3.0]);
        assert_eq!(standard.score::<f64>("s", 3.0), 1.0);
        assert_eq!(standard.score::<f64>("s", 0.0), -2.0);
    }

    #[test]
    fn equal_scores_say_nothing() {
        assert_eq!(Standard::of(&[2.0, 2.0]).score::<f64>("s", 2.0), 0.0);
        assert_eq!(Standard::of(&[]).score::<f64>("s", 2.0), 0.0);
    }
}

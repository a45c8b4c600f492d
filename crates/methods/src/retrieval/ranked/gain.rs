//! What a level of relevance is worth to the measures that grade.

use assize_score::float;

/// Higher levels are worth no more exponentially: nobody judges so finely, and the sum of
/// their gains would leave the range of numbers.
const LEVEL_MAX: i32 = 60;

/// What a level of relevance is worth.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Gain {
    /// The level itself: `trec_eval`'s choice and Järvelin & Kekäläinen's.
    #[default]
    Linear,
    /// 2^level - 1, as Burges et al. (2005) and most of the learning-to-rank literature.
    Exponential,
    /// Levels with a worth of their own; every other level is worth itself.
    Levels(Vec<(i32, f64)>),
}

impl Gain {
    /// What `level` is worth; a document that was never judged is worth nothing.
    pub fn of(&self, level: i32) -> f64 {
        match self {
            _ if level < 0 => 0.0,
            Self::Linear => f64::from(level),
            Self::Exponential => float::pow(2.0, f64::from(level.min(LEVEL_MAX))) - 1.0,
            Self::Levels(levels) => levels
                .iter()
                .find(|(known, _)| *known == level)
                .map_or(f64::from(level), |(_, gain)| *gain),
        }
    }

    /// Whether a higher level is never worth less.
    pub(crate) fn rises(&self) -> bool {
        !matches!(self, Self::Levels(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_gain_values_a_level_its_own_way() {
        assert_eq!(Gain::Linear.of(3), 3.0);
        assert_eq!(Gain::Exponential.of(3), 7.0);
        let levels = Gain::Levels(vec![(1, 3.5)]);
        assert_eq!((levels.of(1), levels.of(2), levels.of(-1)), (3.5, 2.0, 0.0));
    }
}

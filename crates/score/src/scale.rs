//! The ranges that scores live in, and the only conversions between them.

use serde::{Deserialize, Serialize};

/// The range of a score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// 0 to 1: shares, retrieval measures.
    #[serde(rename = "0-1")]
    Unit,
    /// 0 to 10: summary metrics.
    #[serde(rename = "0-10")]
    Ten,
    /// 1 to 10: a reviewer's marks.
    #[serde(rename = "1-10")]
    Marks,
    /// 0 to 100: compliance scores.
    #[serde(rename = "0-100")]
    Hundred,
}

impl Scale {
    /// The lowest value.
    pub fn min(self) -> f64 {
        match self {
            Self::Unit | Self::Ten | Self::Hundred => 0.0,
            Self::Marks => 1.0,
        }
    }

    /// The highest value.
    pub fn max(self) -> f64 {
        match self {
            Self::Unit => 1.0,
            Self::Ten | Self::Marks => 10.0,
            Self::Hundred => 100.0,
        }
    }

    /// Whether a value lies on the scale; NaN lies on none.
    pub fn contains(self, value: f64) -> bool {
        (self.min()..=self.max()).contains(&value)
    }

    /// A value of this scale as a share of its range, 0 to 1.
    pub fn to_unit(self, value: f64) -> f64 {
        (value - self.min()) / (self.max() - self.min())
    }

    /// A share of the range as a value of this scale.
    pub fn from_unit(self, share: f64) -> f64 {
        self.min() + share * (self.max() - self.min())
    }

    /// A value of this scale on another one, keeping its share of the range.
    pub fn convert(self, value: f64, to: Self) -> f64 {
        to.from_unit(self.to_unit(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_map_to_ends() {
        assert_eq!(Scale::Marks.convert(1.0, Scale::Hundred), 0.0);
        assert_eq!(Scale::Marks.convert(10.0, Scale::Hundred), 100.0);
        assert_eq!(Scale::Ten.convert(5.0, Scale::Unit), 0.5);
    }

    #[test]
    fn what_is_off_the_scale_is_not_on_it() {
        assert!(!Scale::Marks.contains(0.5));
        assert!(!Scale::Unit.contains(f64::NAN));
    }
}

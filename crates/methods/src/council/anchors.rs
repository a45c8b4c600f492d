//! What a mark means, in words: five bands for each dimension.

use serde::{Deserialize, Serialize};

/// The words of the five bands of a dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Anchors {
    /// Nothing to wish for.
    #[serde(rename = "9-10")]
    pub nine_ten: String,
    /// Good, with small faults.
    #[serde(rename = "7-8")]
    pub seven_eight: String,
    /// Mixed.
    #[serde(rename = "5-6")]
    pub five_six: String,
    /// Weak.
    #[serde(rename = "3-4")]
    pub three_four: String,
    /// Useless.
    #[serde(rename = "1-2")]
    pub one_two: String,
}

impl Anchors {
    /// The bands from the best down, as they are printed.
    pub fn bands(&self) -> [(&'static str, &str); 5] {
        [
            ("9-10", &self.nine_ten),
            ("7-8", &self.seven_eight),
            ("5-6", &self.five_six),
            ("3-4", &self.three_four),
            ("1-2", &self.one_two),
        ]
    }

    /// The band of a mark and its words. Between two bands the lower one holds: 4.5 is in 3-4.
    pub fn of(&self, mark: f64) -> (&'static str, &str) {
        let floors = [9.0, 7.0, 5.0, 3.0];
        let reached = floors.iter().position(|floor| mark >= *floor).unwrap_or(floors.len());
        self.bands()[reached]
    }
}

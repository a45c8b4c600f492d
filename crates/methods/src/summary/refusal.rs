//! Why there is no scorecard at all.

use serde::ser::{Serialize, SerializeMap, Serializer};
use thiserror::Error;

use super::metrics::Metric;

/// Why a pair or its evidence cannot be scored; takes the place of the whole scorecard.
///
/// In JSON it is the one-field object of the frameworks: `{"error":"empty_summary"}`.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no word in the summary.
    #[error("the summary is empty")]
    EmptySummary,
    /// The summary has too few words to say anything.
    #[error("the summary has fewer than {words_min} words")]
    SummaryTooShort {
        /// How many it must have.
        words_min: usize,
    },
    /// There is nothing in the article that could be covered.
    #[error("the article is too short to have a key point")]
    ArticleTooShort,
    /// A text is longer than we take.
    #[error("the {which} has {bytes} bytes, and at most {bytes_max} are taken")]
    TextTooLong {
        /// Article or summary.
        which: &'static str,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        bytes_max: usize,
    },
    /// The judge gave nothing for a metric.
    #[error("the evidence for {} is missing", .0.name())]
    MissingMetric(Metric),
    /// What the judge gave for a metric cannot be.
    #[error("the evidence for {} cannot be: {because}", .metric.name())]
    MalformedMetric {
        /// Which metric.
        metric: Metric,
        /// What is wrong with it.
        because: String,
    },
}

impl Refusal {
    /// The stable code, as it stands in the JSON.
    pub fn code(&self) -> &'static str {
        match self {
            Self::EmptySummary => "empty_summary",
            Self::SummaryTooShort { .. } => "summary_too_short",
            Self::ArticleTooShort => "article_too_short",
            Self::TextTooLong { .. } => "text_too_long",
            Self::MissingMetric(_) => "missing_metric",
            Self::MalformedMetric { .. } => "malformed_metric",
        }
    }
}

impl Serialize for Refusal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(Some(1))?;
        object.serialize_entry("error", self.code())?;
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_an_object_with_one_field() {
        let json = serde_json::to_string(&Refusal::MissingMetric(Metric::Relevance)).unwrap();
        assert_eq!(json, r#"{"error":"missing_metric"}"#);
    }
}

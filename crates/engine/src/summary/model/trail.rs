//! What is kept beside the evidence: who judged, by which exchanges, and what went wrong.

use assize_methods::summary::ultra::Panel;
use serde::Serialize;

use crate::asking::Unscored;

/// Where the evidence of one pair came from.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Trail {
    /// Who judged, in order.
    pub judges: Vec<String>,
    /// The keys of the exchanges, in order.
    pub exchanges: Vec<String>,
    /// The reply that could not be read, if that is why there is no score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_reply: Option<String>,
    /// What a panel adds to the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
    /// Whether the judge is why there is no score.
    #[serde(skip)]
    pub is_unscored: bool,
}

impl Trail {
    /// A pair that a judge left without evidence.
    #[must_use]
    pub fn unscored(mut self, unscored: Unscored) -> (Self, String) {
        self.exchanges.extend(unscored.exchanges.iter().map(ToString::to_string));
        self.raw_reply = unscored.raw_reply;
        self.is_unscored = true;
        (self, format!("unscored: {}", unscored.because))
    }
}

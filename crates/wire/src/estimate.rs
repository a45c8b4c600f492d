//! What asking models would take: a dry run's result.

use serde::Serialize;

/// Estimated calls, tokens and price.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// Who would judge a summary.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<String>,
    /// Pairs of texts that were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<u64>,
    /// Who would answer and review in a council.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<String>,
    /// Requests that would be sent, if every reply can be read.
    pub calls: u64,
    /// Requests whose replies are already stored.
    pub kept: u64,
    /// Estimated tokens of the requests.
    pub request_tokens: u64,
    /// Maximum tokens of the replies.
    pub reply_tokens_max: u64,
    /// The maximum cost, as far as prices are known.
    pub price_nanodollars: u64,
    /// Requests to models without a known price.
    pub unpriced: u64,
}

//! What asking models would take: a dry run's result.

use serde::Serialize;

/// Calls, tokens and price of what would be sent.
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
    /// Requests whose replies are kept already.
    pub kept: u64,
    /// Tokens of the requests, by a rule of thumb.
    pub request_tokens: u64,
    /// Tokens of the replies, at their longest.
    pub reply_tokens_max: u64,
    /// What it would cost at most, as far as prices are known.
    pub price_nanodollars: u64,
    /// Requests to models without a known price.
    pub unpriced: u64,
}

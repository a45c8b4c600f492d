//! Models that can be asked, and what they cost. No key is part of it, nor any piece of one.

use schemars::JsonSchema;
use serde::Serialize;

/// Who can be asked, and what is known about prices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Models {
    /// Who can be asked.
    pub providers: Vec<Provider>,
    /// Prices in US dollars for a million tokens.
    pub prices: Vec<Price>,
}

/// Who can be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Provider {
    /// What stands before the slash in a model's name.
    pub name: String,
    /// Where it is.
    pub address: String,
    /// Whether a key is needed.
    pub needs_key: bool,
}

/// What a model costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Price {
    /// The model, or a pattern of names.
    pub model: String,
    /// A million tokens in.
    pub input: String,
    /// A million tokens in that the provider kept.
    pub cached: String,
    /// A million tokens out.
    pub output: String,
    /// The day it was looked up.
    pub as_of: Option<String>,
}

/// What came of one harmless question.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelTested {
    /// Which model, as `provider/model`.
    pub model: String,
    /// How long it took.
    pub seconds: f64,
    /// What it answered; none if it did not.
    pub answer: Option<String>,
    /// Tokens of question and answer.
    pub tokens: Option<u64>,
    /// Why there is no answer.
    pub failure: Option<String>,
}

//! Models that can be asked, and what they cost. No key is part of it, nor any piece of one.

use schemars::JsonSchema;
use serde::Serialize;

/// The available providers and known prices.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Models {
    /// The available providers.
    pub providers: Vec<Provider>,
    /// Prices in US dollars per million tokens.
    pub prices: Vec<Price>,
    /// Local models that read for judges.
    pub readers: Vec<LocalModel>,
}

/// A local model that reads for judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LocalModel {
    /// What it is called.
    pub name: String,
    /// `encoder` or `entailment`; null if it cannot be read.
    pub kind: Option<String>,
    /// The size of its weights.
    pub megabytes: u64,
    /// The licence, if known.
    pub licence: Option<String>,
    /// The installed revision, if known.
    pub revision: Option<String>,
    /// The sha256 of its weights, as recorded when it was installed.
    pub sha256: Option<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// A model provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Provider {
    /// The part of a model's name before the slash.
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
    /// Price of a million input tokens.
    pub input: String,
    /// Price of a million cached input tokens.
    pub cached: String,
    /// Price of a million output tokens.
    pub output: String,
    /// The day it was looked up.
    pub as_of: Option<String>,
}

/// The result of a test request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ModelTested {
    /// Which model, as `provider/model`.
    pub model: String,
    /// How long it took.
    pub seconds: f64,
    /// The answer; null if there was none.
    pub answer: Option<String>,
    /// Tokens of question and answer.
    pub tokens: Option<u64>,
    /// Why there is no answer.
    pub failure: Option<String>,
}

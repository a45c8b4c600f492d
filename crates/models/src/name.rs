//! What a model is called: `provider/model`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A model as users name it: `openai/gpt-4o`, `local/qwen2.5`, `hub/meta/llama-3`.
///
/// The provider is a known one or an endpoint from the configuration. Only the first slash
/// divides; the rest is the provider's own business.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ModelName {
    provider: String,
    model: String,
}

/// Why a name was refused.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a model: expected provider/model, such as openai/gpt-4o")]
pub struct ModelNameError(String);

impl ModelName {
    /// The part before the first slash.
    pub fn provider(&self) -> &str {
        &self.provider
    }

    /// The part after it.
    pub fn model(&self) -> &str {
        &self.model
    }
}

impl FromStr for ModelName {
    type Err = ModelNameError;

    fn from_str(text: &str) -> Result<Self, ModelNameError> {
        let refused = || ModelNameError(text.to_owned());
        let (provider, model) = text.split_once('/').ok_or_else(refused)?;
        let plain = |part: &str| !part.is_empty() && !part.contains(char::is_whitespace);
        let known = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if !plain(model) || !plain(provider) || !provider.chars().all(known) {
            return Err(refused());
        }
        Ok(Self { provider: provider.to_owned(), model: model.to_owned() })
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.provider, self.model)
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> Self {
        name.to_string()
    }
}

impl TryFrom<String> for ModelName {
    type Error = ModelNameError;

    fn try_from(text: String) -> Result<Self, ModelNameError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_slash_divides() {
        let name: ModelName = "hub/meta/llama-3:free".parse().unwrap();
        assert_eq!((name.provider(), name.model()), ("hub", "meta/llama-3:free"));
        assert_eq!(name.to_string(), "hub/meta/llama-3:free");
    }

    #[test]
    fn half_a_name_is_refused_with_an_example() {
        for half in ["gpt-4o", "/gpt-4o", "openai/", "open ai/x", "openai/gpt 4o", "http://x/y"] {
            let refusal = half.parse::<ModelName>().unwrap_err().to_string();
            assert!(refusal.contains("openai/gpt-4o"), "{half}");
        }
    }
}

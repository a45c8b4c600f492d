//! What is said to a model and what comes back, in our own words.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::name::ModelName;

/// How long a reply may be unless the asker says otherwise.
pub(crate) const REPLY_TOKENS_MAX: u32 = 2_048;

/// A rule of thumb for English and for JSON; only ever used where nobody has counted.
const BYTES_A_TOKEN: u64 = 4;
/// What a chat format adds to every turn, at most.
const TOKENS_A_TURN_MAX: u64 = 16;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The standing instruction.
    System,
    /// The asker.
    User,
    /// The model, earlier in the same conversation.
    Assistant,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl Message {
    /// The standing instruction.
    pub fn system(content: impl Into<String>) -> Self {
        Self { role: Role::System, content: content.into() }
    }

    /// A turn of the asker.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A turn of the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

/// How the model is to answer. All of it is part of the exchange's key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// 0 for the likeliest reply; `None` leaves it to the provider.
    pub temperature: Option<f64>,
    /// For providers that can repeat themselves.
    pub seed: Option<u64>,
    /// The longest reply, in tokens. Always sent, so that a price has an upper bound.
    pub max_tokens: u32,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { temperature: Some(0.0), seed: None, max_tokens: REPLY_TOKENS_MAX }
    }
}

/// The shape the reply should have. A provider that knows JSON Schema is held to it; the
/// reader never relies on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Schema {
    /// A name of letters, digits, `_` and `-`: some providers insist on one.
    pub name: String,
    /// JSON Schema, strict: objects require all of their properties and allow no others.
    pub schema: Value,
}

/// Everything that decides what a model may answer; its hash is the exchange's key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatRequest {
    /// Who is asked.
    pub model: ModelName,
    /// The conversation so far; the last turn is the asker's.
    pub messages: Vec<Message>,
    /// How to answer.
    pub parameters: Parameters,
    /// The shape of the answer.
    pub schema: Option<Schema>,
    /// Which of several replies to the same words this is, from 0: a second sample or a
    /// fresh run counts it up.
    pub attempt: u32,
}

impl ChatRequest {
    /// A first attempt at a conversation, with the usual parameters and no schema.
    pub fn new(model: ModelName, messages: Vec<Message>) -> Self {
        Self { model, messages, parameters: Parameters::default(), schema: None, attempt: 0 }
    }

    /// What the request will probably use, before anyone has counted: the words by a rule
    /// of thumb, and the longest reply allowed.
    pub fn estimate(&self) -> Usage {
        self.uncounted(self.bytes().div_ceil(BYTES_A_TOKEN))
    }

    /// What the request can use at most: no token is shorter than a byte.
    pub fn ceiling(&self) -> Usage {
        self.uncounted(self.bytes() + self.messages.len() as u64 * TOKENS_A_TURN_MAX)
    }

    fn bytes(&self) -> u64 {
        let words: usize = self.messages.iter().map(|message| message.content.len()).sum();
        let schema = self.schema.as_ref().map_or(0, |shape| shape.schema.to_string().len());
        (words + schema) as u64
    }

    fn uncounted(&self, input_tokens: u64) -> Usage {
        let output_tokens = u64::from(self.parameters.max_tokens);
        Usage { input_tokens, cached_input_tokens: 0, output_tokens, counted: false }
    }
}

/// Why a model stopped speaking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// It had said what it had to say.
    Finished,
    /// It ran into the limit of tokens; the reply is cut off.
    Length,
    /// A filter of the provider stopped it.
    Filtered,
    /// Something else, or the provider did not say.
    Unknown,
}

/// Tokens used by one exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the request, cached ones included.
    pub input_tokens: u64,
    /// Those of them the provider had in its cache.
    pub cached_input_tokens: u64,
    /// Tokens of the reply, reasoning included.
    pub output_tokens: u64,
    /// Whether the provider counted; otherwise it is our estimate.
    pub counted: bool,
}

impl Usage {
    /// Request and reply together.
    pub fn total(&self) -> u64 {
        self.input_tokens + self.output_tokens
    }
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatReply {
    /// The words, as they came.
    pub text: String,
    /// Why it ended.
    pub stop: StopReason,
    /// What it used.
    pub usage: Usage,
    /// The exact model as the provider names it, if it does: `gpt-4o-2024-08-06`.
    pub served_by: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_counts_four_bytes_a_token_and_the_longest_reply() {
        let model = "openai/any".parse().unwrap();
        let request = ChatRequest::new(model, vec![Message::user("12345678"), Message::user("9")]);
        let usage = request.estimate();
        assert_eq!((usage.input_tokens, usage.output_tokens), (3, 2_048));
        assert!(!usage.counted);
        assert_eq!(usage.total(), 2_051);
        assert_eq!(request.ceiling().input_tokens, 9 + 32);
    }
}

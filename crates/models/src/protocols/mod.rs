//! What providers speak: one file a protocol, and one way to read what they answer.
//!
//! Client crates read a body to its end, however long it is, and take no transport of ours. So
//! requests go out from here, through [`server`], which stops reading at a bound. Schemas are sent
//! as they are: whoever makes one makes it strict (every property required, no others). Only
//! Anthropic gets them without bounds, which it refuses. What is not sent to a provider is still
//! part of the exchange's key.

mod anthropic;
mod gemini;
mod ollama;
mod openai;
mod said;
mod server;

pub(crate) use said::ModelAnswer;
pub(crate) use server::Server;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::{ChatReply, ChatRequest, Message, Role};
use crate::error::{ProviderError, Result};

/// What a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Chat completions, which most servers understand.
    #[default]
    OpenAi,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama's own.
    Ollama,
}

impl Protocol {
    /// Asks once.
    pub(crate) async fn complete(
        self,
        server: &Server<'_>,
        request: &ChatRequest,
    ) -> Result<ChatReply> {
        match self {
            Self::OpenAi => openai::complete(server, request).await,
            Self::Anthropic => anthropic::complete(server, request).await,
            Self::Gemini => gemini::complete(server, request).await,
            Self::Ollama => ollama::complete(server, request).await,
        }
    }

    /// The vectors of texts, in a reply of so many bytes at most.
    pub(crate) async fn embed(
        self,
        server: &Server<'_>,
        model: &str,
        texts: &[&str],
        bytes_max: usize,
    ) -> Result<Vec<Vec<f32>>> {
        match self {
            Self::OpenAi => openai::embed(server, model, texts, bytes_max).await,
            Self::Gemini => gemini::embed(server, model, texts, bytes_max).await,
            Self::Ollama => ollama::embed(server, model, texts, bytes_max).await,
            Self::Anthropic => {
                let message = "its API does not support embeddings".to_owned();
                Err(ProviderError::Refused { status: None, message })
            }
        }
    }
}

/// The fields of a request that have a value; the others are the provider's to choose.
fn fields<const N: usize>(fields: [(&str, Value); N]) -> Value {
    fields.into_iter().filter(|(_, value)| !value.is_null()).collect()
}

/// A text of an answer, if it is one.
fn text(value: &Value) -> Option<String> {
    value.as_str().map(ToOwned::to_owned)
}

/// The standing instruction apart from what is said in turn, for protocols that want it so.
fn apart(request: &ChatRequest) -> (Option<String>, impl Iterator<Item = &Message>) {
    let is_standing = |message: &&Message| message.role == Role::System;
    let standing: Vec<&str> =
        request.messages.iter().filter(is_standing).map(|message| &*message.content).collect();
    let turns = request.messages.iter().filter(move |message| !is_standing(message));
    ((!standing.is_empty()).then(|| standing.join("\n\n")), turns)
}

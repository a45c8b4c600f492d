//! Anthropic's messages.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::server::parsed;
use super::{Said, Server, apart};
use crate::chat::{ChatReply, ChatRequest, Message};
use crate::error::ProviderError;
use crate::remote::REPLY_BYTES_MAX;

/// The version of the protocol that these shapes are of.
const VERSION: &str = "2023-06-01";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    messages: Vec<&'a Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Output<'a>>,
}

#[derive(Serialize)]
struct Output<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: &'a Value,
}

/// As much of a message as we look at.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Answer {
    model: Option<String>,
    content: Vec<Piece>,
    stop_reason: Option<String>,
    usage: Option<Counted>,
}

/// Words, or a thought, which has other fields.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Piece {
    text: Option<String>,
}

/// What was read from a cache, and what was written to one, is counted apart.
#[derive(Deserialize, Default)]
#[serde(default)]
#[expect(clippy::struct_field_names, reason = "the protocol's names")]
struct Counted {
    input_tokens: Option<i64>,
    cache_creation_input_tokens: Option<i64>,
    cache_read_input_tokens: Option<i64>,
    output_tokens: Option<i64>,
}

/// One request, one reply.
pub(crate) async fn complete(
    server: &Server<'_>,
    request: &ChatRequest,
) -> Result<ChatReply, ProviderError> {
    let sending = server.post("messages").header("x-api-key", server.key());
    let sending = sending.header("anthropic-version", VERSION);
    let schema = request.schema.as_ref().filter(|_| server.sends_schemas);
    let (system, turns) = apart(request);
    let body = Body {
        model: request.model.model(),
        stream: false,
        max_tokens: request.parameters.max_tokens,
        system,
        messages: turns.collect(),
        temperature: request.parameters.temperature,
        output_config: schema
            .map(|shape| Output { format: Format { kind: "json_schema", schema: &shape.schema } }),
    };
    read(&server.answer(sending, &body, REPLY_BYTES_MAX).await?, request)
}

fn read(body: &[u8], request: &ChatRequest) -> Result<ChatReply, ProviderError> {
    let Answer { model, content, stop_reason, usage } = parsed(body)?;
    let usage = usage.unwrap_or_default();
    let cached = usage.cache_read_input_tokens;
    let besides = [cached, usage.cache_creation_input_tokens].into_iter().flatten();
    let input = usage.input_tokens.map(|own| besides.fold(own, i64::saturating_add));
    let said = Said {
        text: content.into_iter().filter_map(|piece| piece.text).collect(),
        stopped: stop_reason,
        refusal: None,
        tokens: [input, cached, usage.output_tokens],
        model,
    };
    said.reply(request, body)
}

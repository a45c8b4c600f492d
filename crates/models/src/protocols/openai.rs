//! Chat completions and embeddings, as most servers speak them.

use serde::Deserialize;
use serde_json::{Value, json};

use super::said::nothing;
use super::server::parsed;
use super::{ModelAnswer, Server, fields, text};
use crate::chat::{ChatReply, ChatRequest, Schema};
use crate::classify::malformed;
use crate::error::Result;
use crate::remote::REPLY_BYTES_MAX;

/// Models that count the tokens of their thoughts too, want the limit under another name, and
/// refuse any temperature but their own.
const THINKING: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];
/// The model among them that does not think, and takes a temperature.
const NOT_THINKING: &str = "gpt-5-chat";

#[derive(Deserialize)]
struct Vectors {
    data: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    index: usize,
    embedding: Vec<f32>,
}

/// One request, one reply.
pub(crate) async fn complete(server: &Server<'_>, request: &ChatRequest) -> Result<ChatReply> {
    let sending = server.post("chat/completions").bearer_auth(server.key());
    let body = body(request, server.sends_schemas);
    let answer = server.answer(sending, &body, REPLY_BYTES_MAX).await?;
    read(&answer, request)
}

/// The vectors of texts, in their order.
pub(crate) async fn embed(
    server: &Server<'_>,
    model: &str,
    texts: &[&str],
    bytes_max: usize,
) -> Result<Vec<Vec<f32>>> {
    let sending = server.post("embeddings").bearer_auth(server.key());
    let body = json!({"model": model, "input": texts});
    let mut found: Vectors = parsed(&server.answer(sending, &body, bytes_max).await?)?;
    found.data.sort_by_key(|vector| vector.index);
    if !found.data.iter().enumerate().all(|(place, vector)| vector.index == place) {
        return Err(malformed("one of its vectors is missing or duplicated"));
    }
    Ok(found.data.into_iter().map(|vector| vector.embedding).collect())
}

fn body(request: &ChatRequest, sends_schemas: bool) -> Value {
    let (model, parameters) = (request.model.model(), &request.parameters);
    let is_thinking = THINKING.iter().any(|name| model.starts_with(name));
    let takes_temperature = !is_thinking || model.starts_with(NOT_THINKING);
    let limit = Some(parameters.max_tokens);
    let schema = request.schema.as_ref().filter(|_| sends_schemas);
    fields([
        ("model", model.into()),
        ("stream", false.into()),
        ("messages", json!(request.messages)),
        ("response_format", schema.map(response_format).into()),
        ("temperature", parameters.temperature.filter(|_| takes_temperature).into()),
        ("max_tokens", limit.filter(|_| !is_thinking).into()),
        ("max_completion_tokens", limit.filter(|_| is_thinking).into()),
        ("seed", parameters.seed.into()),
    ])
}

fn response_format(schema: &Schema) -> Value {
    let strict = json!({"name": schema.name, "strict": true, "schema": schema.schema});
    json!({"type": "json_schema", "json_schema": strict})
}

fn read(body: &[u8], request: &ChatRequest) -> Result<ChatReply> {
    let answer: Value = parsed(body)?;
    let choice = answer.pointer("/choices/0").ok_or_else(|| nothing(body))?;
    let (message, usage) = (&choice["message"], &answer["usage"]);
    let said = ModelAnswer {
        // Words, or pieces of which some are words and others thoughts.
        text: match &message["content"] {
            Value::Array(pieces) => {
                pieces.iter().filter_map(|piece| piece["text"].as_str()).collect()
            }
            words => text(words).unwrap_or_default(),
        },
        stopped: text(&choice["finish_reason"]),
        refusal: text(&message["refusal"]),
        tokens: [
            &usage["prompt_tokens"],
            &usage["prompt_tokens_details"]["cached_tokens"],
            &usage["completion_tokens"],
        ]
        .map(Value::as_i64),
        model: text(&answer["model"]),
    };
    said.reply(request, body)
}

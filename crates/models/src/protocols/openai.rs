//! Chat completions and embeddings, as most servers speak them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::said::nothing;
use super::server::parsed;
use super::{ModelAnswer, Server, Texts};
use crate::chat::{ChatReply, ChatRequest, Message, Schema};
use crate::classify::malformed;
use crate::error::Result;
use crate::remote::REPLY_BYTES_MAX;

/// Models that count the tokens of their thoughts too, want the limit under another name, and
/// refuse any temperature but their own.
const THINKING: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];
/// The model among them that does not think, and takes a temperature.
const NOT_THINKING: &str = "gpt-5-chat";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    messages: &'a [Message],
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    json_schema: StrictSchema<'a>,
}

#[derive(Serialize)]
struct StrictSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

/// As much of a completion as we look at.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Completion {
    model: Option<String>,
    choices: Vec<Choice>,
    usage: Option<UsageCounts>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Choice {
    message: Option<Answer>,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Answer {
    content: Option<Content>,
    refusal: Option<String>,
}

/// Words, or pieces of which some are words and others thoughts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Pieces(Vec<Piece>),
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Piece {
    text: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct UsageCounts {
    prompt_tokens: Option<i64>,
    completion_tokens: Option<i64>,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Details {
    cached_tokens: Option<i64>,
}

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
    let body = Texts { model, input: texts };
    let mut found: Vectors = parsed(&server.answer(sending, &body, bytes_max).await?)?;
    found.data.sort_by_key(|vector| vector.index);
    if !found.data.iter().enumerate().all(|(place, vector)| vector.index == place) {
        return Err(malformed("one of its vectors is missing or duplicated"));
    }
    Ok(found.data.into_iter().map(|vector| vector.embedding).collect())
}

fn body(request: &ChatRequest, sends_schemas: bool) -> Body<'_> {
    let (model, parameters) = (request.model.model(), &request.parameters);
    let is_thinking = THINKING.iter().any(|name| model.starts_with(name));
    let takes_temperature = !is_thinking || model.starts_with(NOT_THINKING);
    let limit = Some(parameters.max_tokens);
    let schema = request.schema.as_ref().filter(|_| sends_schemas);
    Body {
        model,
        stream: false,
        messages: &request.messages,
        response_format: schema.map(response_format),
        temperature: parameters.temperature.filter(|_| takes_temperature),
        max_tokens: limit.filter(|_| !is_thinking),
        max_completion_tokens: limit.filter(|_| is_thinking),
        seed: parameters.seed,
    }
}

fn response_format(schema: &Schema) -> ResponseFormat<'_> {
    let json_schema = StrictSchema { name: &schema.name, strict: true, schema: &schema.schema };
    ResponseFormat { kind: "json_schema", json_schema }
}

fn read(body: &[u8], request: &ChatRequest) -> Result<ChatReply> {
    let mut completion: Completion = parsed(body)?;
    let first = completion.choices.drain(..).next();
    let Choice { message, finish_reason } = first.ok_or_else(|| nothing(body))?;
    let Answer { content, refusal } = message.unwrap_or_default();
    let text = match content {
        Some(Content::Text(text)) => text,
        Some(Content::Pieces(pieces)) => {
            pieces.into_iter().filter_map(|piece| piece.text).collect()
        }
        None => String::new(),
    };
    let UsageCounts { prompt_tokens, completion_tokens, prompt_tokens_details } =
        completion.usage.unwrap_or_default();
    let cached = prompt_tokens_details.and_then(|details| details.cached_tokens);
    let tokens = [prompt_tokens, cached, completion_tokens];
    let (stopped, model) = (finish_reason, completion.model);
    ModelAnswer { text, stopped, refusal, tokens, model }.reply(request, body)
}

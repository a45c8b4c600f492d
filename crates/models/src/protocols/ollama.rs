//! Ollama's own protocol.

use reqwest::RequestBuilder;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::server::parsed;
use super::{ModelAnswer, Server, Texts};
use crate::chat::{ChatReply, ChatRequest, Message};
use crate::error::Result;
use crate::remote::REPLY_BYTES_MAX;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    stream: bool,
    messages: &'a [Message],
    options: Options,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a Value>,
}

#[derive(Serialize)]
struct Options {
    num_predict: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
}

/// As much of an answer as we look at.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Answer {
    model: Option<String>,
    message: Option<Turn>,
    done_reason: Option<String>,
    prompt_eval_count: Option<i64>,
    eval_count: Option<i64>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Turn {
    content: Option<String>,
}

#[derive(Deserialize)]
struct Vectors {
    embeddings: Vec<Vec<f32>>,
}

/// One request, one reply.
pub(crate) async fn complete(server: &Server<'_>, request: &ChatRequest) -> Result<ChatReply> {
    let parameters = &request.parameters;
    let schema = request.schema.as_ref().filter(|_| server.sends_schemas);
    let body = Body {
        model: request.model.model(),
        stream: false,
        messages: &request.messages,
        options: Options {
            num_predict: parameters.max_tokens,
            temperature: parameters.temperature,
            seed: parameters.seed,
        },
        format: schema.map(|shape| &shape.schema),
    };
    let body = server.answer(post(server, "api/chat"), &body, REPLY_BYTES_MAX).await?;
    let Answer { model, message, done_reason, prompt_eval_count, eval_count } = parsed(&body)?;
    let said = ModelAnswer {
        text: message.and_then(|turn| turn.content).unwrap_or_default(),
        stopped: done_reason,
        refusal: None,
        tokens: [prompt_eval_count, None, eval_count],
        model,
    };
    said.reply(request, &body)
}

/// The vectors of texts, in their order.
pub(crate) async fn embed(
    server: &Server<'_>,
    model: &str,
    texts: &[&str],
    bytes_max: usize,
) -> Result<Vec<Vec<f32>>> {
    let body = Texts { model, input: texts };
    let found: Vectors =
        parsed(&server.answer(post(server, "api/embed"), &body, bytes_max).await?)?;
    Ok(found.embeddings)
}

/// It asks for no key; whatever stands in front of it may.
fn post(server: &Server<'_>, path: &str) -> RequestBuilder {
    let sending = server.post(path);
    match server.secret {
        Some(secret) => sending.bearer_auth(secret.expose()),
        None => sending,
    }
}

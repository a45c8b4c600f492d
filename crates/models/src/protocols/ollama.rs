//! Ollama's own protocol.

use reqwest::RequestBuilder;
use serde::Deserialize;
use serde_json::{Value, json};

use super::server::parsed;
use super::{ModelAnswer, Server, fields, text};
use crate::chat::{ChatReply, ChatRequest};
use crate::error::Result;
use crate::remote::REPLY_BYTES_MAX;

#[derive(Deserialize)]
struct Vectors {
    embeddings: Vec<Vec<f32>>,
}

/// One request, one reply.
pub(crate) async fn complete(server: &Server<'_>, request: &ChatRequest) -> Result<ChatReply> {
    let parameters = &request.parameters;
    let schema = request.schema.as_ref().filter(|_| server.sends_schemas);
    let body = fields([
        ("model", request.model.model().into()),
        ("stream", false.into()),
        ("messages", json!(request.messages)),
        (
            "options",
            fields([
                ("num_predict", parameters.max_tokens.into()),
                ("temperature", parameters.temperature.into()),
                ("seed", parameters.seed.into()),
            ]),
        ),
        ("format", schema.map(|shape| shape.schema.clone()).into()),
    ]);
    let body = server.answer(post(server, "api/chat"), &body, REPLY_BYTES_MAX).await?;
    let answer: Value = parsed(&body)?;
    let said = ModelAnswer {
        text: text(&answer["message"]["content"]).unwrap_or_default(),
        stopped: text(&answer["done_reason"]),
        refusal: None,
        tokens: [answer["prompt_eval_count"].as_i64(), None, answer["eval_count"].as_i64()],
        model: text(&answer["model"]),
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
    let body = json!({"model": model, "input": texts});
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

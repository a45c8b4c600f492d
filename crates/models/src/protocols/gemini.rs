//! Google's Gemini.

use serde::Deserialize;
use serde_json::{Value, json};

use super::server::parsed;
use super::{ModelAnswer, Server, apart, fields, text};
use crate::chat::{ChatReply, ChatRequest, Role};
use crate::error::Result;
use crate::remote::REPLY_BYTES_MAX;

/// What the vectors are for: texts are compared with each other.
const TASK: &str = "SEMANTIC_SIMILARITY";

#[derive(Deserialize)]
struct Vectors {
    embeddings: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    values: Vec<f32>,
}

fn content(role: Option<&str>, text: &str) -> Value {
    fields([("role", role.into()), ("parts", json!([{"text": text}]))])
}

/// One request, one reply.
pub(crate) async fn complete(server: &Server<'_>, request: &ChatRequest) -> Result<ChatReply> {
    let path = format!("models/{}:generateContent", request.model.model());
    let sending = server.post(&path).header("x-goog-api-key", server.key());
    let (system, turns) = apart(request);
    let parameters = &request.parameters;
    let schema = request.schema.as_ref().filter(|_| server.sends_schemas);
    let turn = |role| if role == Role::Assistant { "model" } else { "user" };
    let contents: Vec<Value> =
        turns.map(|said| content(Some(turn(said.role)), &said.content)).collect();
    let configuration = fields([
        ("maxOutputTokens", parameters.max_tokens.into()),
        ("temperature", parameters.temperature.into()),
        ("seed", parameters.seed.into()),
        ("responseMimeType", schema.map(|_| "application/json").into()),
        ("responseJsonSchema", schema.map(|shape| shape.schema.clone()).into()),
    ]);
    let body = fields([
        ("systemInstruction", system.map(|words| content(None, &words)).into()),
        ("contents", contents.into()),
        ("generationConfig", configuration),
    ]);
    read(&server.answer(sending, &body, REPLY_BYTES_MAX).await?, request)
}

fn read(body: &[u8], request: &ChatRequest) -> Result<ChatReply> {
    let answer: Value = parsed(body)?;
    let (candidate, usage) = (&answer["candidates"][0], &answer["usageMetadata"]);
    let parts = candidate["content"]["parts"].as_array().into_iter().flatten();
    let words = parts.filter(|part| part["thought"] != true);
    // Thoughts are counted apart from what is said; of a reply that they have used up, only they are.
    let counts = ["candidatesTokenCount", "thoughtsTokenCount"].map(|name| usage[name].as_i64());
    let output = counts.into_iter().flatten().reduce(i64::saturating_add);
    let blocked = text(&answer["promptFeedback"]["blockReason"]);
    let said = ModelAnswer {
        text: words.filter_map(|part| part["text"].as_str()).collect(),
        stopped: text(&candidate["finishReason"]),
        refusal: blocked.map(|reason| format!("the request was blocked ({reason})")),
        tokens: [
            usage["promptTokenCount"].as_i64(),
            usage["cachedContentTokenCount"].as_i64(),
            output,
        ],
        model: text(&answer["modelVersion"]),
    };
    said.reply(request, body)
}

/// The vectors of texts, in their order.
pub(crate) async fn embed(
    server: &Server<'_>,
    model: &str,
    texts: &[&str],
    bytes_max: usize,
) -> Result<Vec<Vec<f32>>> {
    let path = format!("models/{model}:batchEmbedContents");
    let sending = server.post(&path).header("x-goog-api-key", server.key());
    let one = |words: &&str| {
        // An empty text is answered as if there had been too many requests.
        let content = content(None, if words.trim().is_empty() { " " } else { words });
        json!({"model": format!("models/{model}"), "content": content, "taskType": TASK})
    };
    let body = json!({"requests": texts.iter().map(one).collect::<Vec<Value>>()});
    let found: Vectors = parsed(&server.answer(sending, &body, bytes_max).await?)?;
    Ok(found.embeddings.into_iter().map(|vector| vector.values).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chat::{Message, StopReason, Usage};

    fn answered(usage: &str) -> ChatReply {
        let model = "gemini/gemini-2.5-pro".parse().unwrap();
        let request = ChatRequest::new(model, vec![Message::user("Is it so?")]);
        let body = format!(
            r#"{{"candidates": [{{"content": {{"role": "model"}}, "finishReason": "MAX_TOKENS"}}],
                "usageMetadata": {usage}}}"#
        );
        read(body.as_bytes(), &request).unwrap()
    }

    #[test]
    fn thoughts_are_counted_also_where_nothing_was_said() {
        let used_up = answered(r#"{"promptTokenCount": 9, "thoughtsTokenCount": 2045}"#);
        let usage =
            Usage { input_tokens: 9, cached_input_tokens: 0, output_tokens: 2_045, counted: true };
        assert_eq!((used_up.usage, used_up.stop), (usage, StopReason::Length));
        let output = |usage: &str| answered(usage).usage.output_tokens;
        let both =
            r#"{"promptTokenCount": 9, "candidatesTokenCount": 6, "thoughtsTokenCount": 190}"#;
        assert_eq!(output(both), 196);
        assert_eq!(output(r#"{"promptTokenCount": 9, "candidatesTokenCount": 6}"#), 6);
        assert_eq!(output(r#"{"promptTokenCount": 9}"#), 0);
    }
}

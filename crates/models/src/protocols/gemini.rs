//! Google's Gemini.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::server::parsed;
use super::{ModelAnswer, Server, apart};
use crate::chat::{ChatReply, ChatRequest, Role};
use crate::error::Result;
use crate::remote::REPLY_BYTES_MAX;

/// What the vectors are for: texts are compared with each other.
const TASK: &str = "SEMANTIC_SIMILARITY";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Content<'a>>,
    contents: Vec<Content<'a>>,
    generation_config: Generation<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: [Text<'a>; 1],
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Generation<'a> {
    max_output_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a Value>,
}

/// As much of an answer as we look at.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Answer {
    model_version: Option<String>,
    candidates: Vec<Candidate>,
    prompt_feedback: Option<Feedback>,
    usage_metadata: Option<UsageCounts>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Candidate {
    content: Option<Parts>,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Parts {
    parts: Vec<Part>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Part {
    text: Option<String>,
    thought: bool,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

/// Thoughts are counted apart from what is said.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
#[expect(clippy::struct_field_names, reason = "the protocol's names")]
struct UsageCounts {
    prompt_token_count: Option<i64>,
    cached_content_token_count: Option<i64>,
    candidates_token_count: Option<i64>,
    thoughts_token_count: Option<i64>,
}

#[derive(Serialize)]
struct Texts<'a> {
    requests: Vec<OneText<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OneText<'a> {
    model: String,
    content: Content<'a>,
    task_type: &'static str,
}

#[derive(Deserialize)]
struct Vectors {
    embeddings: Vec<Vector>,
}

#[derive(Deserialize)]
struct Vector {
    values: Vec<f32>,
}

fn content<'a>(role: Option<&'static str>, text: &'a str) -> Content<'a> {
    Content { role, parts: [Text { text }] }
}

/// One request, one reply.
pub(crate) async fn complete(server: &Server<'_>, request: &ChatRequest) -> Result<ChatReply> {
    let path = format!("models/{}:generateContent", request.model.model());
    let sending = server.post(&path).header("x-goog-api-key", server.key());
    let (system, turns) = apart(request);
    let parameters = &request.parameters;
    let schema = request.schema.as_ref().filter(|_| server.sends_schemas);
    let turn = |role| if role == Role::Assistant { "model" } else { "user" };
    let body = Body {
        system_instruction: system.as_deref().map(|words| content(None, words)),
        contents: turns.map(|said| content(Some(turn(said.role)), &said.content)).collect(),
        generation_config: Generation {
            max_output_tokens: parameters.max_tokens,
            temperature: parameters.temperature,
            seed: parameters.seed,
            response_mime_type: schema.map(|_| "application/json"),
            response_json_schema: schema.map(|shape| &shape.schema),
        },
    };
    read(&server.answer(sending, &body, REPLY_BYTES_MAX).await?, request)
}

fn read(body: &[u8], request: &ChatRequest) -> Result<ChatReply> {
    let mut answer: Answer = parsed(body)?;
    let Candidate { content, finish_reason } =
        answer.candidates.drain(..).next().unwrap_or_default();
    let words = content.unwrap_or_default().parts.into_iter().filter(|part| !part.thought);
    let counted = answer.usage_metadata.unwrap_or_default();
    // Of a reply that its thoughts have used up, only the thoughts are counted.
    let counts = [counted.candidates_token_count, counted.thoughts_token_count];
    let output = counts.into_iter().flatten().reduce(i64::saturating_add);
    let blocked = answer.prompt_feedback.and_then(|feedback| feedback.block_reason);
    let said = ModelAnswer {
        text: words.filter_map(|part| part.text).collect(),
        stopped: finish_reason,
        refusal: blocked.map(|reason| format!("the request was blocked ({reason})")),
        tokens: [counted.prompt_token_count, counted.cached_content_token_count, output],
        model: answer.model_version,
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
    let one = |&text| OneText {
        model: format!("models/{model}"),
        // An empty text is answered as if there had been too many requests.
        content: content(None, if str::trim(text).is_empty() { " " } else { text }),
        task_type: TASK,
    };
    let body = Texts { requests: texts.iter().map(one).collect() };
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

//! Chat completions, read with a bound.
//!
//! The client crate reads a body to its end, however long it is, and takes no other transport.
//! This protocol is the one that any server of anybody's speaks, so its requests go out from
//! here: the words are the crate's, the reading is ours, and stops at [`REPLY_BYTES_MAX`].

use genai::chat::{JsonSchemaDialect, sanitize_json_schema};
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::{ChatReply, ChatRequest, Message, Schema, StopReason, Usage};
use crate::classify::{body_error, malformed, shortened, status_error};
use crate::error::ProviderError;
use crate::remote::{REPLY_BYTES_MAX, Timeouts};
use crate::secret::Secret;

/// What is read of a failure: nobody needs more of it.
const FAILURE_BYTES_MAX: usize = 64 << 10;
/// Models that count the tokens of their thoughts too, and want the limit under another name.
const THINKING: [&str; 5] = ["gpt-5", "gpt-6", "o1", "o3", "o4"];

/// One server of this protocol.
#[derive(Debug)]
pub(crate) struct OpenAi<'a> {
    pub(crate) client: &'a Client,
    pub(crate) base_url: &'a str,
    pub(crate) secret: Option<&'a Secret>,
    pub(crate) sends_schemas: bool,
    pub(crate) timeouts: Timeouts,
}

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
    schema: Value,
}

/// As much of a completion as we look at.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Completion {
    model: Option<String>,
    choices: Vec<Choice>,
    usage: Option<Counted>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Choice {
    message: Option<Said>,
    finish_reason: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Said {
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
struct Counted {
    prompt_tokens: Option<i64>,
    completion_tokens: Option<i64>,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Details {
    cached_tokens: Option<i64>,
}

impl OpenAi<'_> {
    /// One request, one reply.
    pub(crate) async fn complete(&self, request: &ChatRequest) -> Result<ChatReply, ProviderError> {
        // The address may end with a question mark and what a gateway wants to know.
        let (path, query) = self.base_url.split_once('?').unwrap_or((self.base_url, ""));
        let mut url = format!("{}/chat/completions", path.trim_end_matches('/'));
        if !query.is_empty() {
            url.push('?');
            url.push_str(query);
        }
        let key = self.secret.map_or("none", Secret::expose);
        let sending = self.client.post(url).bearer_auth(key).json(&self.body(request));
        let sent = sending.send().await;
        let mut response = sent.map_err(|error| body_error(&error, self.timeouts.reply))?;
        let status = response.status();
        if !status.is_success() {
            // A failure is one whatever becomes of its words.
            let body = self.read(&mut response, FAILURE_BYTES_MAX).await.unwrap_or_default();
            let words = String::from_utf8_lossy(&body);
            return Err(status_error(status.as_u16(), &words, response.headers()));
        }
        let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.unwrap_or_default().to_owned();
        let body = self.read(&mut response, REPLY_BYTES_MAX).await?;
        if !kind.starts_with("application/json") {
            let words = String::from_utf8_lossy(&body[..body.len().min(1_000)]);
            return Err(malformed(&format!("the content type is `{kind}`: {words}")));
        }
        read(&body, request)
    }

    fn body<'b>(&self, request: &'b ChatRequest) -> Body<'b> {
        let (model, parameters) = (request.model.model(), &request.parameters);
        let is_thinking = THINKING.iter().any(|name| model.starts_with(name));
        let limit = Some(parameters.max_tokens);
        let schema = request.schema.as_ref().filter(|_| self.sends_schemas);
        Body {
            model,
            stream: false,
            messages: &request.messages,
            response_format: schema.map(response_format),
            temperature: parameters.temperature,
            max_tokens: limit.filter(|_| !is_thinking),
            max_completion_tokens: limit.filter(|_| is_thinking),
            seed: parameters.seed,
        }
    }

    /// The body, as long as it is not too long: refused by the length that it announces, and
    /// otherwise as soon as more came than may.
    async fn read(
        &self,
        response: &mut Response,
        bytes_max: usize,
    ) -> Result<Vec<u8>, ProviderError> {
        let too_large = ProviderError::TooLarge { bytes_max: REPLY_BYTES_MAX };
        let announced = response.content_length().unwrap_or(0);
        if usize::try_from(announced).unwrap_or(usize::MAX) > bytes_max {
            return Err(too_large);
        }
        let mut body = Vec::new();
        while let Some(piece) =
            response.chunk().await.map_err(|error| body_error(&error, self.timeouts.reply))?
        {
            if body.len() + piece.len() > bytes_max {
                return Err(too_large);
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}

fn response_format(schema: &Schema) -> ResponseFormat<'_> {
    let strict = sanitize_json_schema(&schema.schema, JsonSchemaDialect::OpenAiStrict);
    let json_schema = StrictSchema { name: &schema.name, strict: true, schema: strict };
    ResponseFormat { kind: "json_schema", json_schema }
}

fn read(body: &[u8], request: &ChatRequest) -> Result<ChatReply, ProviderError> {
    let mut completion: Completion =
        serde_json::from_slice(body).map_err(|error| malformed(&error.to_string()))?;
    let nothing = || {
        let words = String::from_utf8_lossy(&body[..body.len().min(1_000)]);
        malformed(&format!("it holds no message: {words}"))
    };
    let Choice { message, finish_reason } =
        completion.choices.drain(..).next().ok_or_else(nothing)?;
    let Said { content, refusal } = message.unwrap_or_default();
    let text = match content {
        Some(Content::Text(text)) => text.trim().to_owned(),
        Some(Content::Pieces(pieces)) => {
            let words: Vec<String> = pieces.into_iter().filter_map(|piece| piece.text).collect();
            words.join("").trim().to_owned()
        }
        None => String::new(),
    };
    if text.len() > REPLY_BYTES_MAX {
        return Err(ProviderError::TooLarge { bytes_max: REPLY_BYTES_MAX });
    }
    let stop = stop(finish_reason.as_deref());
    if text.is_empty() {
        let refusal = refusal.filter(|words| !words.is_empty());
        if stop == StopReason::Filtered || refusal.is_some() {
            let message = refusal.as_deref().unwrap_or("its filter stopped the reply");
            return Err(ProviderError::Refused { status: None, message: shortened(message) });
        }
        if finish_reason.is_none() {
            return Err(nothing());
        }
    }
    let usage = usage(completion.usage.as_ref(), &text, request);
    let served_by = completion.model.filter(|name| name != request.model.model());
    Ok(ChatReply { text, stop, usage, served_by })
}

fn stop(reason: Option<&str>) -> StopReason {
    match reason {
        Some("stop" | "end_turn" | "stop_sequence" | "eos") => StopReason::Finished,
        Some("length" | "max_tokens") => StopReason::Length,
        Some("content_filter") => StopReason::Filtered,
        _ => StopReason::Unknown,
    }
}

/// What the server counted; one that says "0 tokens" did not count either.
fn usage(counted: Option<&Counted>, text: &str, request: &ChatRequest) -> Usage {
    let number = |count: Option<i64>| count.and_then(|count| u64::try_from(count).ok());
    let counted = counted.and_then(|counted| {
        let cached = counted.prompt_tokens_details.as_ref().and_then(|all| all.cached_tokens);
        Some(Usage {
            input_tokens: number(counted.prompt_tokens)?,
            cached_input_tokens: number(cached).unwrap_or(0),
            output_tokens: number(counted.completion_tokens).unwrap_or(0),
            counted: true,
        })
    });
    counted.filter(|usage| usage.total() > 0).unwrap_or_else(|| Usage {
        output_tokens: (text.len() as u64).div_ceil(4),
        ..request.estimate()
    })
}

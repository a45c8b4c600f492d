//! What a model said, whatever protocol it came by, and whether it is a reply.

use super::server::quoted;
use crate::chat::{ChatReply, ChatRequest, StopReason, Usage};
use crate::classify::{malformed, shortened};
use crate::error::{ProviderError, Result};
use crate::remote::REPLY_BYTES_MAX;

/// What a model said.
#[derive(Debug, Default)]
pub(crate) struct ModelAnswer {
    /// Its words.
    pub(crate) text: String,
    /// Why it stopped, in the provider's word.
    pub(crate) stopped: Option<String>,
    /// Why it will not answer, if it says so.
    pub(crate) refusal: Option<String>,
    /// Tokens of the request, those of them that were cached, tokens of the reply.
    pub(crate) tokens: [Option<i64>; 3],
    /// Which model it was.
    pub(crate) model: Option<String>,
}

impl ModelAnswer {
    /// The reply to a request; `body` is where it was found.
    pub(crate) fn reply(self, request: &ChatRequest, body: &[u8]) -> Result<ChatReply> {
        let Self { text, stopped, refusal, tokens, model } = self;
        let text = text.trim().to_owned();
        if text.len() > REPLY_BYTES_MAX {
            return Err(ProviderError::TooLarge { bytes_max: REPLY_BYTES_MAX });
        }
        let stop = stop(stopped.as_deref());
        if text.is_empty() {
            let refusal = refusal.filter(|words| !words.is_empty());
            if stop == StopReason::Filtered || refusal.is_some() {
                let message = refusal.as_deref().unwrap_or("its content filter blocked the reply");
                return Err(ProviderError::Refused { status: None, message: shortened(message) });
            }
            if stopped.is_none() {
                return Err(nothing(body));
            }
        }
        let usage = usage(tokens, &text, request);
        let served_by = model.filter(|name| name != request.model.model());
        Ok(ChatReply { text, stop, usage, served_by })
    }
}

/// An answer that holds no message.
pub(super) fn nothing(body: &[u8]) -> ProviderError {
    malformed(&format!("it contains no message: {}", quoted(body)))
}

/// The words of all protocols for why a model stopped.
fn stop(reason: Option<&str>) -> StopReason {
    match reason.map(str::to_ascii_lowercase).as_deref() {
        Some("stop" | "end_turn" | "stop_sequence" | "eos") => StopReason::Finished,
        Some("length" | "max_tokens" | "model_context_window_exceeded") => StopReason::Length,
        Some(
            "content_filter" | "refusal" | "safety" | "recitation" | "blocklist"
            | "prohibited_content" | "spii" | "language",
        ) => StopReason::Filtered,
        _ => StopReason::Unknown,
    }
}

/// What the server counted; one that says "0 tokens" did not count either.
fn usage(tokens: [Option<i64>; 3], text: &str, request: &ChatRequest) -> Usage {
    let [input, cached, output] = tokens.map(|count| u64::try_from(count?).ok());
    let counted = input.map(|input_tokens| Usage {
        input_tokens,
        cached_input_tokens: cached.unwrap_or(0),
        output_tokens: output.unwrap_or(0),
        counted: true,
    });
    counted.filter(|usage| usage.total() > 0).unwrap_or_else(|| Usage {
        output_tokens: (text.len() as u64).div_ceil(4),
        ..request.estimate()
    })
}

//! The protocols: which one a path belongs to, and what a reply looks like in it.

use serde_json::{Value, json};

/// What a client speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Dialect {
    #[default]
    OpenAi,
    Anthropic,
    Gemini,
    Ollama,
}

/// What is said in any of them.
pub(crate) struct Words<'a> {
    pub(crate) model: &'a Value,
    pub(crate) text: &'a str,
    /// In OpenAI's word.
    pub(crate) stop: &'a str,
    /// Of the request and of the reply, if they are counted.
    pub(crate) tokens: Option<(usize, usize)>,
}

impl Dialect {
    /// The protocol that has such a path below `/v1`.
    pub(crate) fn of(path: &str) -> Option<Self> {
        Some(match path.strip_prefix("/v1/")? {
            "chat/completions" | "embeddings" => Self::OpenAi,
            "messages" => Self::Anthropic,
            "api/chat" | "api/embed" => Self::Ollama,
            other if other.starts_with("models/") && other.contains(':') => Self::Gemini,
            _ => return None,
        })
    }

    /// How long the words of a request are.
    pub(crate) fn prompt(self, body: &Value) -> usize {
        let texts = |list: &Value, field: &str| -> usize {
            let items = list.as_array().into_iter().flatten();
            items.filter_map(|item| item[field].as_str()).map(str::len).sum()
        };
        let standing = body["system"].as_str().map_or(0, str::len);
        match self {
            Self::Gemini => {
                let turns = body["contents"].as_array().into_iter().flatten();
                let said: usize = turns.map(|turn| texts(&turn["parts"], "text")).sum();
                said + texts(&body["systemInstruction"]["parts"], "text")
            }
            _ => standing + texts(&body["messages"], "content"),
        }
    }

    /// The reply to a request, as each protocol writes it.
    pub(crate) fn reply(self, number: u64, words: &Words<'_>) -> String {
        let Words { model, text, stop, tokens } = *words;
        let filtered = stop == "content_filter";
        let reply = match self {
            Self::Anthropic => json!({
                "model": model,
                "content": [{"type": "text", "text": text}],
                "stop_reason": match stop {
                    "length" => "max_tokens",
                    _ if filtered => "refusal",
                    _ => "end_turn",
                },
                "usage": tokens.map(|(input, output)| {
                    json!({"input_tokens": input, "output_tokens": output})
                }),
            }),
            Self::Gemini => {
                let reason = match stop {
                    "length" => "MAX_TOKENS",
                    _ if filtered => "SAFETY",
                    _ => "STOP",
                };
                let content = json!({"role": "model", "parts": [{"text": text}]});
                let usage = tokens.map(|(prompt, reply)| {
                    json!({"promptTokenCount": prompt, "candidatesTokenCount": reply})
                });
                let candidates = json!([{"content": content, "finishReason": reason}]);
                json!({"candidates": candidates, "usageMetadata": usage})
            }
            Self::OpenAi => json!({
                "id": format!("scripted-{number}"),
                "object": "chat.completion",
                "model": model,
                "choices": [{
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": stop,
                }],
                "usage": tokens.map(|(prompt, reply)| {
                    let total = prompt + reply;
                    json!({
                        "prompt_tokens": prompt, "completion_tokens": reply, "total_tokens": total,
                    })
                }),
            }),
            Self::Ollama => json!({
                "model": model,
                "message": {"role": "assistant", "content": text},
                "done": true,
                "done_reason": stop,
                "prompt_eval_count": tokens.map(|(prompt, _)| prompt),
                "eval_count": tokens.map(|(_, reply)| reply),
            }),
        };
        reply.to_string()
    }
}

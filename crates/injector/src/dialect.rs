//! The protocols besides OpenAI's: which one a path belongs to, and what a reply looks like in it.

use serde::Serialize;
use serde_json::Value;

use crate::shapes;

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

    /// A reply in a protocol that is not OpenAI's.
    pub(crate) fn reply(self, words: &Words<'_>) -> String {
        let Words { model, text, stop, tokens } = *words;
        let filtered = stop == "content_filter";
        match self {
            Self::Anthropic => shapes::text(&Message {
                model,
                content: [Block { kind: "text", text }],
                stop_reason: match stop {
                    "length" => "max_tokens",
                    _ if filtered => "refusal",
                    _ => "end_turn",
                },
                usage: tokens
                    .map(|(input_tokens, output_tokens)| Tokens { input_tokens, output_tokens }),
            }),
            Self::Gemini => shapes::text(&GeminiAnswer {
                candidates: [Candidate {
                    content: Content { role: "model", parts: [Part { text }] },
                    finish_reason: match stop {
                        "length" => "MAX_TOKENS",
                        _ if filtered => "SAFETY",
                        _ => "STOP",
                    },
                }],
                usage_metadata: tokens.map(|(prompt_token_count, candidates_token_count)| {
                    Metadata { prompt_token_count, candidates_token_count }
                }),
            }),
            Self::OpenAi | Self::Ollama => {
                let (prompt_eval_count, eval_count) = tokens.unzip();
                let message = Turn { role: "assistant", content: text };
                shapes::text(&Chat {
                    model,
                    message,
                    done: true,
                    done_reason: stop,
                    prompt_eval_count,
                    eval_count,
                })
            }
        }
    }
}

#[derive(Serialize)]
struct Message<'a> {
    model: &'a Value,
    content: [Block<'a>; 1],
    stop_reason: &'static str,
    usage: Option<Tokens>,
}

#[derive(Serialize)]
struct Block<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    text: &'a str,
}

#[derive(Serialize)]
struct Tokens {
    input_tokens: usize,
    output_tokens: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GeminiAnswer<'a> {
    candidates: [Candidate<'a>; 1],
    usage_metadata: Option<Metadata>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Candidate<'a> {
    content: Content<'a>,
    finish_reason: &'static str,
}

#[derive(Serialize)]
struct Content<'a> {
    role: &'static str,
    parts: [Part<'a>; 1],
}

#[derive(Serialize)]
struct Part<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    prompt_token_count: usize,
    candidates_token_count: usize,
}

#[derive(Serialize)]
struct Chat<'a> {
    model: &'a Value,
    message: Turn<'a>,
    done: bool,
    done_reason: &'a str,
    prompt_eval_count: Option<usize>,
    eval_count: Option<usize>,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: &'a str,
}

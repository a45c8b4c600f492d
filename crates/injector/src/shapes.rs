//! The bodies that the server writes, as OpenAI would write them.

use serde::Serialize;
use serde_json::Value;

/// A chat completion with one choice.
#[derive(Debug, Serialize)]
pub(crate) struct Completion<'a> {
    pub(crate) id: String,
    pub(crate) object: &'static str,
    pub(crate) model: &'a Value,
    pub(crate) choices: [Choice<'a>; 1],
    pub(crate) usage: Option<Usage>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Choice<'a> {
    pub(crate) index: usize,
    pub(crate) message: Message<'a>,
    pub(crate) finish_reason: &'a str,
}

#[derive(Debug, Serialize)]
pub(crate) struct Message<'a> {
    pub(crate) role: &'static str,
    pub(crate) content: &'a str,
}

#[derive(Debug, Default, Serialize)]
pub(crate) struct Usage {
    #[serde(rename = "prompt_tokens")]
    prompt: usize,
    #[serde(rename = "completion_tokens")]
    completion: usize,
    #[serde(rename = "total_tokens")]
    total: usize,
}

impl Usage {
    pub(crate) fn new(prompt: usize, completion: usize) -> Self {
        Self { prompt, completion, total: prompt + completion }
    }
}

/// What a provider says when it fails.
#[derive(Debug, Serialize)]
pub(crate) struct Failure<'a> {
    pub(crate) error: FailureText<'a>,
}

#[derive(Debug, Serialize)]
pub(crate) struct FailureText<'a> {
    pub(crate) message: &'a str,
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub(crate) kind: Option<&'static str>,
}

/// What the server has seen so far.
#[derive(Debug, Serialize)]
pub(crate) struct Counters {
    pub(crate) requests: u64,
    pub(crate) most_under_way: u64,
    pub(crate) connections: u64,
}

/// The JSON of one of these shapes, which have nothing that JSON cannot hold.
pub(crate) fn text(shape: &impl Serialize) -> String {
    serde_json::to_string(shape).expect("strings and whole numbers are JSON")
}

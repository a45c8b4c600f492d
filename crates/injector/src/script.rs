//! What is to happen: a reply, a delay, and faults with their cues.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

/// One request as it arrived.
#[derive(Debug, Clone)]
pub struct Request {
    /// Which one since the server was made, from 1.
    pub number: u64,
    /// The path it asked for.
    pub path: String,
    /// The `authorization` header, or whichever a protocol has for a key.
    pub authorization: Option<String>,
    pub body: Value,
}

impl Request {
    /// What the last message says.
    pub fn last_message(&self) -> &str {
        let messages = self.body["messages"].as_array();
        messages.and_then(|turns| turns.last()?["content"].as_str()).unwrap_or("")
    }

    /// Whether it came for embeddings: then the script's words are the whole body.
    pub fn asks_for_vectors(&self) -> bool {
        !self.body["input"].is_null() || !self.body["requests"].is_null()
    }

    /// How many messages there are.
    pub fn turns(&self) -> usize {
        self.body["messages"].as_array().map_or(0, Vec::len)
    }
}

type Predicate = Arc<dyn Fn(&Request) -> bool + Send + Sync>;

/// The cue of a fault.
#[derive(Clone)]
pub enum When {
    /// Every nth request.
    Every(u64),
    /// Requests with these numbers, from 1.
    Numbers(RangeInclusive<u64>),
    /// Requests that look so.
    Matching(Predicate),
    Always,
}

impl When {
    /// Requests that look so.
    pub fn matching(predicate: impl Fn(&Request) -> bool + Send + Sync + 'static) -> Self {
        Self::Matching(Arc::new(predicate))
    }

    fn holds(&self, request: &Request) -> bool {
        match self {
            Self::Every(every) => request.number.is_multiple_of(*every),
            Self::Numbers(numbers) => numbers.contains(&request.number),
            Self::Matching(predicate) => predicate(request),
            Self::Always => true,
        }
    }
}

impl fmt::Debug for When {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Every(every) => write!(formatter, "Every({every})"),
            Self::Numbers(numbers) => write!(formatter, "Numbers({numbers:?})"),
            Self::Matching(_) => formatter.write_str("Matching"),
            Self::Always => formatter.write_str("Always"),
        }
    }
}

/// What goes wrong.
#[derive(Debug, Clone)]
pub enum Fault {
    /// A status other than 200, with headers and a body.
    Status(u16, Vec<(&'static str, String)>, String),
    /// The request is read and never answered.
    Hang,
    /// The line is cut before a single byte of answer.
    Disconnect,
    /// The line is cut in the middle of the body.
    CutBody,
    /// The message ends half-way, as if the model had stopped there.
    CutMessage,
    /// The message ends half-way, and says that it ran out of tokens.
    OutOfTokens,
    /// The body is not JSON although it says so.
    BrokenJson,
    /// A web page instead of an answer.
    WebPage,
    /// JSON, but no chat completion.
    ForeignJson,
    /// A completion with an empty message.
    EmptyMessage,
    /// The provider's filter stopped the reply.
    Filtered,
    /// The reply comes without a count of tokens.
    NoUsage,
    /// The reply says that it took no tokens.
    UsageZero,
    /// The message is so many bytes long.
    Huge(usize),
    /// So many bytes come, a piece at a time, and nobody said how many there will be.
    Flood(usize),
    /// This body, which says that it is packed with gzip.
    Packed(Vec<u8>),
    /// The reply comes in two halves, and the second takes so long.
    Trickle(Duration),
    /// Another message instead of the script's.
    Message(String),
}

impl Fault {
    /// 429 with a time to wait.
    pub fn slow_down(seconds: f64) -> Self {
        let body = json!({"error": {"message": "too many requests", "type": "rate_limit"}});
        let body = body.to_string();
        Self::Status(429, vec![("retry-after", seconds.to_string())], body)
    }

    /// A plain failure.
    pub fn status(status: u16, message: &str) -> Self {
        Self::Status(status, Vec::new(), json!({"error": {"message": message}}).to_string())
    }
}

/// All that is to happen.
#[derive(Clone)]
pub struct Script {
    /// How long every answer takes.
    pub delay: Duration,
    /// What is answered to a request.
    pub reply: Arc<dyn Fn(&Request) -> String + Send + Sync>,
    /// The first fault whose cue fits happens.
    pub faults: Vec<(When, Fault)>,
}

impl Script {
    /// Always the same words, at once.
    pub fn saying(words: &str) -> Self {
        let words = words.to_owned();
        Self::answering(move |_| words.clone())
    }

    /// Words made from the request, at once.
    pub fn answering(reply: impl Fn(&Request) -> String + Send + Sync + 'static) -> Self {
        Self { delay: Duration::ZERO, reply: Arc::new(reply), faults: Vec::new() }
    }

    /// The same, slower.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// The same with one more fault.
    #[must_use]
    pub fn with(mut self, when: When, fault: Fault) -> Self {
        self.faults.push((when, fault));
        self
    }

    /// The fault that a request meets.
    pub(crate) fn fault(&self, request: &Request) -> Option<&Fault> {
        self.faults.iter().find(|(when, _)| when.holds(request)).map(|(_, fault)| fault)
    }
}

impl fmt::Debug for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut script = formatter.debug_struct("Script");
        script.field("delay", &self.delay).field("faults", &self.faults).finish_non_exhaustive()
    }
}

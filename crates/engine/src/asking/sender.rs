//! One question to a model: its answer, or the reason why there is none.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use assize_methods::template::Fill;
use assize_methods::{Ask, Prompt, ReplyError};
use assize_models::{
    Budget, ChatReply, ChatRequest, ExchangeKey, Limit, Message, Money, ProviderError, Recorder,
    Schema, StopReason, Usage, key,
};
use assize_score::Finding;
use assize_store::Store;

use super::account::{Account, Accounting, Event, sum};
use super::exchange::{KeyedRequest, NoReply};
use super::in_flight::InFlight;
use super::item::Item;
use super::judge::Judge;
use super::outcome::{Answered, Halt, NoAnswer, Unscored};
use super::shared_limits::SharedLimits;
use super::stop::Stop;

/// Sends questions and keeps the replies. It is shared by all items of a run.
#[derive(Default)]
pub struct Sender {
    pub(super) store: Option<Arc<Store>>,
    pub(super) budget: Arc<Budget>,
    pub(super) recorder: Option<Recorder>,
    pub(super) stop: Stop,
    pub(super) accounting: Accounting,
    pub(super) in_flight: InFlight,
    pub(super) shared_limits: SharedLimits,
    /// Requests that are noted and have not ended: something is set aside for each.
    pub(super) set_aside: AtomicUsize,
}

/// What a question would cost, before it is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallEstimate {
    /// Whether its reply is already kept, and it costs nothing.
    pub is_kept: bool,
    /// What it would use at most in reply, and probably in request.
    pub usage: Usage,
    /// What that would cost, if the price is known.
    pub price: Option<Money>,
}

impl Sender {
    /// A sender that keeps every reply. Without a store nothing is kept: for replays.
    pub fn new(store: Option<Arc<Store>>, budget: Arc<Budget>, stop: Stop) -> Self {
        Self { store, budget, stop, ..Self::default() }
    }

    /// The same, writing a transcript.
    #[must_use]
    pub fn with_recorder(mut self, recorder: Recorder) -> Self {
        self.recorder = Some(recorder);
        self
    }

    /// The same, passing on what happens.
    #[must_use]
    pub fn with_listener(mut self, listener: impl Fn(&Event) + Send + Sync + 'static) -> Self {
        self.accounting.listen(listener);
        self
    }

    /// What may be spent, if somebody said.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.budget.limit()
    }

    /// What was done so far.
    pub fn account(&self) -> Account {
        self.accounting.account()
    }

    /// Asks a judge. `attempt` tells several replies to the same question
    /// apart: samples, or a fresh run.
    pub async fn ask<A: Ask>(
        &self,
        judge: &Judge,
        ask: &A,
        attempt: u32,
    ) -> Result<Answered<A::Answer>, NoAnswer> {
        // Beyond every attempt that was kept when the item was retried.
        let retried = Item::current().and_then(|item| item.attempt);
        let attempt = retried.map_or(attempt, |first| first.saturating_add(attempt));
        let (mut request, findings) = request(judge, ask.prompt(), attempt)?;
        let mut exchanges = Exchanges { keys: Vec::new(), usage: Usage::default() };
        let reply = exchanges.send(self, judge, &request).await?;
        let problem = match ask.read(&reply.text) {
            Ok(answer) => return Ok(exchanges.answered(judge, answer, findings)),
            Err(problem) => problem,
        };
        self.accounting.note(&Event::AskedAgain(judge.name.clone(), problem.to_string()));
        add_complaint(&mut request, &reply, &problem);
        let reply = exchanges.send(self, judge, &request).await?;
        match ask.read(&reply.text) {
            Ok(answer) => Ok(exchanges.answered(judge, answer, findings)),
            Err(problem) => {
                let because =
                    format!("{} gave no readable reply in two attempts: {problem}", judge.name);
                let unread = exchanges.unscored(judge, because);
                Err(NoAnswer::Unscored(Unscored { raw_reply: Some(reply.text), ..unread }))
            }
        }
    }

    /// What a question would cost. Nothing is sent.
    pub async fn estimate<A: Ask>(
        &self,
        judge: &Judge,
        ask: &A,
        attempt: u32,
    ) -> Result<CallEstimate, Halt> {
        let (request, _) = request(judge, ask.prompt(), attempt)?;
        let is_kept = match &self.store {
            Some(store) => store.find_reply(&request.key().to_string()).await?.is_some(),
            None => false,
        };
        let usage = request.estimate();
        Ok(CallEstimate { is_kept, usage, price: judge.price.map(|price| price.of(&usage)) })
    }
}

/// The exchanges of one question.
struct Exchanges {
    keys: Vec<ExchangeKey>,
    usage: Usage,
}

impl Exchanges {
    async fn send(
        &mut self,
        sender: &Sender,
        judge: &Judge,
        request: &ChatRequest,
    ) -> Result<ChatReply, NoAnswer> {
        let keyed = KeyedRequest::new(request);
        self.keys.push(keyed.key);
        match sender.exchange(judge, &keyed).await {
            Ok(reply) => {
                self.usage = sum(self.usage, reply.usage);
                Ok(reply)
            }
            Err(NoReply::Halt(halt)) => Err(halt.into()),
            Err(NoReply::Failed(error)) => Err(NoAnswer::Unscored(Unscored {
                timed_out: matches!(error, ProviderError::TimedOut { .. }),
                ..self.unscored(judge, format!("{} did not answer: {error}", judge.name))
            })),
        }
    }

    fn unscored(&self, judge: &Judge, because: String) -> Unscored {
        Unscored {
            because,
            exchanges: self.keys.clone(),
            usage: self.usage,
            price: judge.price.map(|price| price.of(&self.usage)),
            ..Unscored::default()
        }
    }

    fn answered<T>(self, judge: &Judge, answer: T, findings: Vec<Finding>) -> Answered<T> {
        let Self { keys: exchanges, usage } = self;
        let price = judge.price.map(|price| price.of(&usage));
        Answered { answer, exchanges, findings, usage, price }
    }
}

/// The words of a prompt as a request, which is all that is left of them while it is under way,
/// and what was noticed in the texts it carries.
pub(super) fn request(
    judge: &Judge,
    prompt: Prompt,
    attempt: u32,
) -> Result<(ChatRequest, Vec<Finding>), Halt> {
    let prompt = if judge.is_undefended { prompt.undefended() } else { prompt };
    let question = prompt
        .render(&nonce(&prompt))
        .map_err(|source| Halt::Prompt { name: prompt.name, source })?;
    let messages = vec![Message::system(question.system), Message::user(question.question)];
    let mut request = ChatRequest::new(judge.name.clone(), messages);
    request.parameters = judge.parameters.clone();
    if let Some(tokens) = prompt.reply_tokens_max {
        request.parameters.max_tokens = tokens;
    }
    request.schema = prompt.schema.map(|schema| Schema { name: prompt.name.to_owned(), schema });
    request.attempt = attempt;
    let findings = question.defused.iter().map(|(place, count)| {
        let message =
            format!("{count} markers in the {place} could pass for ours and were defused");
        Finding::new("markers_defused", message)
    });
    Ok((request, findings.collect()))
}

/// Made from the texts themselves: the same question stays the same request, and nobody can
/// write a text that contains its own hash.
fn nonce(prompt: &Prompt) -> String {
    let fills = prompt.fills.iter().map(|(_, Fill::Ours(text) | Fill::Evaluated(text))| text);
    let mut bytes = Vec::new();
    for text in [&prompt.system, &prompt.question].into_iter().chain(fills) {
        bytes.extend_from_slice(&text.len().to_le_bytes());
        bytes.extend_from_slice(text.as_bytes());
    }
    key::nonce(&bytes)
}

/// So much of a reply that could not be read is sent back, in bytes. It is there to remind the
/// model of what it did, and is paid for once more.
const QUOTED_MAX: usize = 1_500;
/// So much of what the reader says is wrong with it: with the sentence around it 2 kB at most.
const PROBLEM_MAX: usize = 300;

/// Goes on with the conversation: the reply as it came, as far as it is not too long, and what
/// is wrong with it. A reply that ran out of room gets twice as much.
fn add_complaint(request: &mut ChatRequest, reply: &ChatReply, problem: &ReplyError) {
    let said = match reply.text.trim() {
        "" => "(nothing)".to_owned(),
        _ => beginning(&reply.text, QUOTED_MAX),
    };
    request.messages.push(Message::assistant(said));
    let problem = beginning(&problem.to_string(), PROBLEM_MAX);
    let complaint = format!(
        "Your reply could not be read: {problem}. Reply again with the whole answer as one \
         JSON object, and nothing else."
    );
    request.messages.push(Message::user(complaint));
    if reply.stop == StopReason::Length {
        request.parameters.max_tokens = request.parameters.max_tokens.saturating_mul(2);
    }
}

/// The beginning of a text, cut between characters.
fn beginning(text: &str, bytes_max: usize) -> String {
    if text.len() <= bytes_max {
        return text.to_owned();
    }
    format!("{} […]", &text[..text.floor_char_boundary(bytes_max)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_sends_back_two_kilobytes_at_most() {
        let model: assize_models::ModelName = "a/b".parse().unwrap();
        let usage = Usage::default();
        let text = "ö".repeat(30_000);
        let reply = ChatReply { text, stop: StopReason::Finished, usage, served_by: None };
        let problem = assize_methods::reply::read::<u8>(&"{\"é\": ".repeat(500)).unwrap_err();
        let mut request = ChatRequest::new(model, Vec::new());
        add_complaint(&mut request, &reply, &problem);
        let bytes: usize = request.messages.iter().map(|message| message.content.len()).sum();
        assert!(bytes <= 2_048, "{bytes}");
    }
}

//! Every real provider, through the client crate.

use std::time::Duration;

use genai::adapter::AdapterKind;
use genai::chat::{self, ChatMessage, ChatOptions, ChatResponseFormat, JsonSpec};
use genai::embed::EmbedRequest;
use genai::resolver::AuthData;
use genai::{Client, ModelIden, ServiceTarget};

use crate::chat::{ChatReply, ChatRequest, Message, Role, StopReason, Usage};
use crate::classify::{classify, shortened};
use crate::endpoint::{Endpoint, Protocol};
use crate::error::ProviderError;
use crate::name::ModelName;
use crate::openai::OpenAi;
use crate::provider::{BoxFuture, Provider};
use crate::secret::Secret;

/// The most that is read of one reply: a hundred times the longest that we ask for.
pub const REPLY_BYTES_MAX: usize = 4_000_000;

/// How long we wait for a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a connection.
    pub connect: Duration,
    /// For a whole reply.
    pub reply: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { connect: Duration::from_secs(10), reply: Duration::from_mins(2) }
    }
}

/// One provider on the network. Connections are kept and used again.
#[derive(Debug)]
pub struct Remote {
    client: Client,
    transport: reqwest::Client,
    adapter: AdapterKind,
    endpoint: Endpoint,
    secret: Option<Secret>,
    timeouts: Timeouts,
}

impl Remote {
    /// The provider at an endpoint, with its key.
    pub fn new(endpoint: &Endpoint, secret: Option<Secret>, timeouts: Timeouts) -> Self {
        let transport = transport(timeouts);
        Self {
            client: Client::builder()
                .with_reqwest(transport.clone())
                .build()
                .expect("the client needs no more than its transport"),
            transport,
            adapter: adapter(endpoint.protocol),
            secret,
            endpoint: endpoint.clone(),
            timeouts,
        }
    }

    async fn send(&self, request: &ChatRequest) -> Result<ChatReply, ProviderError> {
        if self.adapter == AdapterKind::OpenAI {
            return self.send_bounded(request).await;
        }
        let target = self.target(request.model.model());
        let options = self.options(request);
        let messages = request.messages.iter().map(message).collect();
        let chat = chat::ChatRequest::from_messages(messages);
        let sent = self.client.exec_chat(target, chat, Some(&options)).await;
        let response =
            sent.map_err(|error| self.without_key(classify(&error, self.timeouts.reply)))?;
        reply(response, request).map_err(|error| self.without_key(error))
    }

    async fn send_bounded(&self, request: &ChatRequest) -> Result<ChatReply, ProviderError> {
        let server = OpenAi {
            client: &self.transport,
            base_url: &self.endpoint.base_url,
            secret: self.secret.as_ref(),
            sends_schemas: self.endpoint.schemas,
            timeouts: self.timeouts,
        };
        server.complete(request).await.map_err(|error| self.without_key(error))
    }

    /// The vectors of texts, in their order, in one request that is tried once.
    pub async fn embed(
        &self,
        model: &ModelName,
        texts: &[&str],
    ) -> Result<Vec<Vec<f32>>, ProviderError> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        let count = texts.len();
        let request = EmbedRequest::new_batch(texts);
        let sent = self.client.exec_embed(self.target(model.model()), request, None).await;
        let mut found = sent
            .map_err(|error| self.without_key(classify(&error, self.timeouts.reply)))?
            .embeddings;
        found.sort_by_key(|embedding| embedding.index);
        let in_place = found.iter().enumerate().all(|(place, one)| one.index == place);
        let finite = found.iter().flat_map(|one| &one.vector).all(|value| value.is_finite());
        if found.len() != count || !in_place || !finite {
            let message = format!("{count} texts were sent and {} vectors came", found.len());
            return Err(ProviderError::Malformed { message });
        }
        Ok(found.into_iter().map(|embedding| embedding.vector).collect())
    }

    fn target(&self, model: &str) -> ServiceTarget {
        let key = self.secret.as_ref().map_or("none", Secret::expose);
        ServiceTarget {
            endpoint: genai::resolver::Endpoint::from_owned(self.endpoint.base_url.as_str()),
            auth: AuthData::from_single(key),
            model: ModelIden::new(self.adapter, model),
        }
    }

    fn options(&self, request: &ChatRequest) -> ChatOptions {
        let parameters = &request.parameters;
        let mut options = ChatOptions::default()
            .with_max_tokens(parameters.max_tokens)
            .with_capture_raw_body(true);
        options.temperature = parameters.temperature;
        options.seed = parameters.seed;
        if let Some(shape) = request.schema.as_ref().filter(|_| self.endpoint.schemas) {
            let spec = JsonSpec::new(&shape.name, shape.schema.clone());
            options = options.with_response_format(ChatResponseFormat::JsonSpec(spec));
        }
        options
    }

    /// Providers like to quote the key they refuse.
    fn without_key(&self, mut error: ProviderError) -> ProviderError {
        if let Some(secret) = &self.secret
            && let Some(message) = error.message_mut()
        {
            *message = secret.removed_from(message);
        }
        error
    }
}

impl Provider for Remote {
    fn complete<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> BoxFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(self.send(request))
    }
}

/// The HTTP client: ring for cryptography, the machine's own certificates, no redirects (a
/// key must not travel to wherever a server points).
fn transport(timeouts: Timeouts) -> reqwest::Client {
    // A second installation fails, and leaves the first in place.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = || {
        reqwest::Client::builder()
            .connect_timeout(timeouts.connect)
            .timeout(timeouts.reply)
            .redirect(reqwest::redirect::Policy::none())
            .tcp_nodelay(true)
            // What is packed can be a thousand times as long as what is sent.
            .no_gzip()
            .user_agent(concat!("assize/", env!("CARGO_PKG_VERSION")))
    };
    // A machine without certificates can still speak to a server on loopback.
    builder().build().or_else(|_| builder().tls_certs_only([]).build()).expect("settings are sound")
}

fn adapter(protocol: Protocol) -> AdapterKind {
    match protocol {
        Protocol::OpenAi => AdapterKind::OpenAI,
        Protocol::Anthropic => AdapterKind::Anthropic,
        Protocol::Gemini => AdapterKind::Gemini,
        Protocol::Ollama => AdapterKind::Ollama,
    }
}

fn message(message: &Message) -> ChatMessage {
    let content = message.content.clone();
    match message.role {
        Role::System => ChatMessage::system(content),
        Role::User => ChatMessage::user(content),
        Role::Assistant => ChatMessage::assistant(content),
    }
}

fn reply(response: chat::ChatResponse, request: &ChatRequest) -> Result<ChatReply, ProviderError> {
    let text = response.content.joined_texts().unwrap_or_default();
    if text.len() > REPLY_BYTES_MAX {
        return Err(ProviderError::TooLarge { bytes_max: REPLY_BYTES_MAX });
    }
    let stop = stop(response.stop_reason.as_ref());
    if text.is_empty() {
        let raw = response.captured_raw_body.unwrap_or_default();
        if stop == StopReason::Filtered {
            let message = "its filter stopped the reply".to_owned();
            return Err(ProviderError::Refused { status: None, message });
        }
        if response.stop_reason.is_none() {
            let message = shortened(&format!("it holds no message: {raw}"));
            return Err(ProviderError::Malformed { message });
        }
    }
    // A server that says "0 tokens" did not count either.
    let counted = usage(&response.usage).filter(|usage| usage.total() > 0);
    let usage = counted.unwrap_or_else(|| Usage {
        output_tokens: (text.len() as u64).div_ceil(4),
        ..request.estimate()
    });
    let served_by = response.provider_model_iden.model_name.to_string();
    let served_by = Some(served_by).filter(|name| name != request.model.model());
    Ok(ChatReply { text, stop, usage, served_by })
}

fn stop(reason: Option<&chat::StopReason>) -> StopReason {
    match reason {
        Some(chat::StopReason::Completed(_) | chat::StopReason::StopSequence(_)) => {
            StopReason::Finished
        }
        Some(chat::StopReason::MaxTokens(_)) => StopReason::Length,
        Some(chat::StopReason::ContentFilter(_)) => StopReason::Filtered,
        _ => StopReason::Unknown,
    }
}

/// What the provider counted, if it did.
fn usage(usage: &chat::Usage) -> Option<Usage> {
    let number = |count: Option<i32>| u64::try_from(count?).ok();
    let cached = usage.prompt_tokens_details.as_ref().and_then(|details| details.cached_tokens);
    Some(Usage {
        input_tokens: number(usage.prompt_tokens)?,
        cached_input_tokens: number(cached).unwrap_or(0),
        output_tokens: number(usage.completion_tokens).unwrap_or(0),
        counted: true,
    })
}

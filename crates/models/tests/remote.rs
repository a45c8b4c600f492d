//! A real client against a server that fails on cue: what each failure becomes.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::fs;
use std::io::Write as _;
use std::time::Duration;

use assize_injector::{Fault, Injector, Script, When};
use assize_models::{
    ChatReply, ChatRequest, Endpoint, Endpoints, Message, Protocol, Provider, ProviderError,
    Remote, Schema, StopReason, Timeouts, Usage, Variables,
};
use serde_json::json;

fn request() -> ChatRequest {
    let messages = vec![Message::system("Be brief."), Message::user("Is it so?")];
    ChatRequest::new("local/judge-high".parse().unwrap(), messages)
}

fn remote(endpoint: &Endpoint) -> Remote {
    let (connect, reply) = (Duration::from_secs(2), Duration::from_secs(2));
    let secret = endpoint.secret("local", &Variables::default()).unwrap();
    Remote::new(endpoint, secret, Timeouts { connect, reply })
}

const PROTOCOLS: [Protocol; 4] =
    [Protocol::OpenAi, Protocol::Anthropic, Protocol::Gemini, Protocol::Ollama];

async fn ask(fault: Option<Fault>) -> Result<ChatReply, ProviderError> {
    ask_in(Protocol::OpenAi, fault).await
}

async fn ask_in(protocol: Protocol, fault: Option<Fault>) -> Result<ChatReply, ProviderError> {
    let mut script = Script::saying("It is.");
    script.faults.extend(fault.map(|fault| (When::Always, fault)));
    let injector = Injector::start(script).await.unwrap();
    let endpoint = Endpoint { protocol, ..Endpoint::open(injector.base_url()) };
    remote(&endpoint).complete(&request()).await
}

/// Eight megabytes of spaces that say they are a reply.
fn bomb() -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![b' '; 8 << 20]).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn a_reply_comes_with_its_usage_in_every_protocol() {
    for protocol in PROTOCOLS {
        let reply = ask_in(protocol, None).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.stop), ("It is.", StopReason::Finished));
        let (input_tokens, output_tokens) = (18, 6);
        let usage = Usage { input_tokens, cached_input_tokens: 0, output_tokens, counted: true };
        assert_eq!(reply.usage, usage, "{protocol:?}");
    }
}

/// The shapes are those of the providers' own references.
#[tokio::test]
async fn each_protocol_has_its_own_words_for_a_request() {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let mut request = request();
    request.messages.push(Message::assistant("Perhaps."));
    request.messages.push(Message::user("Say it."));
    request.schema = Some(Schema { name: "answer".into(), schema: schema.clone() });
    for (protocol, path, body) in [
        (
            Protocol::Anthropic,
            "/v1/messages",
            json!({"model": "judge-high", "stream": false, "max_tokens": 2_048,
                "system": "Be brief.", "temperature": 0.0, "messages": [
                    {"role": "user", "content": "Is it so?"},
                    {"role": "assistant", "content": "Perhaps."},
                    {"role": "user", "content": "Say it."}],
                "output_config": {"format": {"type": "json_schema", "schema": schema}}}),
        ),
        (
            Protocol::Gemini,
            "/v1/models/judge-high:generateContent",
            json!({"systemInstruction": {"parts": [{"text": "Be brief."}]},
                "contents": [
                    {"role": "user", "parts": [{"text": "Is it so?"}]},
                    {"role": "model", "parts": [{"text": "Perhaps."}]},
                    {"role": "user", "parts": [{"text": "Say it."}]}],
                "generationConfig": {"maxOutputTokens": 2_048, "temperature": 0.0,
                    "responseMimeType": "application/json", "responseJsonSchema": schema}}),
        ),
        (
            Protocol::Ollama,
            "/v1/api/chat",
            json!({"model": "judge-high", "stream": false, "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Is it so?"},
                    {"role": "assistant", "content": "Perhaps."},
                    {"role": "user", "content": "Say it."}],
                "options": {"num_predict": 2_048, "temperature": 0.0}, "format": schema}),
        ),
    ] {
        let injector = Injector::start(Script::saying("{}")).await.unwrap();
        let endpoint = Endpoint { protocol, ..Endpoint::open(injector.base_url()) };
        remote(&endpoint).complete(&request).await.unwrap();
        let seen = injector.requests().remove(0);
        assert_eq!((seen.path.as_str(), &seen.body), (path, &body), "{protocol:?}");
        let key = (protocol != Protocol::Ollama).then_some("none");
        assert_eq!(seen.authorization.as_deref(), key, "{protocol:?}");
    }
}

#[tokio::test]
async fn vectors_come_in_the_order_of_their_texts_in_every_protocol_that_has_them() {
    let openai =
        json!({"data": [{"index": 1, "embedding": [3.0]}, {"index": 0, "embedding": [1.5]}]});
    let gemini = json!({"embeddings": [{"values": [1.5]}, {"values": [3.0]}]});
    let ollama = json!({"embeddings": [[1.5], [3.0]]});
    let found = [
        (Protocol::OpenAi, openai, "/v1/embeddings"),
        (Protocol::Gemini, gemini, "/v1/models/judge-high:batchEmbedContents"),
        (Protocol::Ollama, ollama, "/v1/api/embed"),
    ];
    let model = request().model;
    for (protocol, reply, path) in found {
        let injector = Injector::start(Script::saying(&reply.to_string())).await.unwrap();
        let endpoint = Endpoint { protocol, ..Endpoint::open(injector.base_url()) };
        let vectors = remote(&endpoint).embed(&model, &["one", "two"]).await.unwrap();
        assert_eq!(vectors, [[1.5], [3.0]], "{protocol:?}");
        assert_eq!(injector.requests()[0].path, path);
        for fault in [Fault::Huge(50_000_000), Fault::Flood(50_000_000)] {
            injector.follow(Script::saying("").with(When::Always, fault.clone()));
            let error = remote(&endpoint).embed(&model, &["one"]).await.unwrap_err();
            assert_eq!(error.class(), "too_large", "{protocol:?} {fault:?}: {error}");
        }
    }
    let endpoint =
        Endpoint { protocol: Protocol::Anthropic, ..Endpoint::open("http://127.0.0.1:9") };
    assert_eq!(remote(&endpoint).embed(&model, &["one"]).await.unwrap_err().class(), "refused");
}

#[tokio::test]
async fn everything_of_a_request_arrives_and_the_models_name_is_not_touched() {
    let injector = Injector::start(Script::saying("{}")).await.unwrap();
    let mut request = request();
    request.parameters.seed = Some(7);
    request.schema = Some(Schema { name: "answer".into(), schema: json!({"type": "object"}) });
    let mut endpoint = Endpoint::open(injector.base_url());
    remote(&endpoint).complete(&request).await.unwrap();
    endpoint.schemas = false;
    remote(&endpoint).complete(&request).await.unwrap();

    let [first, second] = &injector.requests()[..] else { panic!("two requests") };
    assert_eq!(first.body["model"], "judge-high");
    assert_eq!(first.body["messages"][0], json!({"role": "system", "content": "Be brief."}));
    assert_eq!(first.body["messages"][1], json!({"role": "user", "content": "Is it so?"}));
    assert_eq!(first.body["seed"], 7);
    assert_eq!(first.body["temperature"], 0.0);
    assert_eq!(first.body["max_tokens"], 2_048);
    assert_eq!(first.body["response_format"]["json_schema"]["name"], "answer");
    assert!(first.body.get("reasoning_effort").is_none());
    assert!(second.body.get("response_format").is_none());
}

/// What each provider refuses to be told, as its own error messages say.
#[tokio::test]
async fn a_model_that_refuses_a_temperature_gets_none() {
    for (protocol, model, has_temperature) in [
        (Protocol::OpenAi, "gpt-4o", true),
        (Protocol::OpenAi, "gpt-5-chat-latest", true),
        (Protocol::OpenAi, "gpt-5-mini", false),
        (Protocol::OpenAi, "o3-mini", false),
        (Protocol::Anthropic, "claude-opus-4-6", true),
        (Protocol::Anthropic, "claude-opus-4-7", false),
    ] {
        let injector = Injector::start(Script::saying("{}")).await.unwrap();
        let endpoint = Endpoint { protocol, ..Endpoint::open(injector.base_url()) };
        let mut request = request();
        request.model = format!("local/{model}").parse().unwrap();
        remote(&endpoint).complete(&request).await.unwrap();
        let body = injector.requests().remove(0).body;
        let expected = has_temperature.then(|| json!(0.0));
        assert_eq!(body.get("temperature"), expected.as_ref(), "{model}");
    }
}

#[tokio::test]
async fn bounds_of_a_schema_are_not_sent_to_anthropic_and_stay_in_the_key() {
    let injector = Injector::start(Script::saying("{}")).await.unwrap();
    let mut request = request();
    let schema = json!({"type": "array", "minItems": 2, "items": {"type": "number", "minimum": 1}});
    request.schema = Some(Schema { name: "answer".into(), schema: schema.clone() });
    let key = request.key();
    for (protocol, place, sent) in [
        (
            Protocol::Anthropic,
            "/output_config/format/schema",
            json!({"type": "array", "items": {"type": "number"}}),
        ),
        (Protocol::OpenAi, "/response_format/json_schema/schema", schema),
    ] {
        let endpoint = Endpoint { protocol, ..Endpoint::open(injector.base_url()) };
        remote(&endpoint).complete(&request).await.unwrap();
        let body = injector.requests().pop().unwrap().body;
        assert_eq!(body.pointer(place), Some(&sent), "{protocol:?}");
    }
    assert_eq!(request.key(), key);
}

/// Gemini's paths, because the server of the test knows them with parameters.
#[tokio::test]
async fn parameters_of_an_address_arrive_as_they_were_written() {
    let injector = Injector::start(Script::saying("{}")).await.unwrap();
    let base_url = format!("{}?key=sk-1&version=2", injector.base_url().trim_end_matches('/'));
    let protocol = Protocol::Gemini;
    let open = Endpoint { protocol, ..Endpoint::open(&base_url) };
    let written = Endpoint { base_url, ..open.clone() };
    let named = Endpoints::default().with([("hub".to_owned(), written)].into()).unwrap();
    for endpoint in [&open, named.get("hub").unwrap()] {
        remote(endpoint).complete(&request()).await.unwrap();
        let path = injector.requests().pop().unwrap().path;
        assert_eq!(path, "/v1/models/judge-high:generateContent?key=sk-1&version=2");
    }
}

#[tokio::test]
async fn a_request_to_slow_down_says_for_how_long() {
    let error = ask(Some(Fault::slow_down(1.5))).await.unwrap_err();
    assert_eq!(error.retry_after(), Some(Duration::from_millis(1_500)));
    assert_eq!(error.to_string(), "the provider is rate limiting requests: too many requests");
}

#[tokio::test]
async fn every_fault_has_its_class_and_its_sentence_in_every_protocol() {
    for (fault, class, sentence) in [
        (Fault::status(500, "on fire"), "server", "the provider failed (500): on fire"),
        (
            Fault::status(401, "bad key"),
            "shut_out",
            "the provider rejected the API key (401): bad key",
        ),
        (Fault::status(400, "no"), "refused", "the provider refused the request (400): no"),
        (Fault::status(413, "big"), "too_long", "the request is too long for the model: big"),
        (Fault::Hang, "timed_out", "no response within 2 seconds"),
        (Fault::Disconnect, "broken_off", "the connection was lost before the reply was complete"),
        (Fault::CutBody, "broken_off", "the connection was lost before the reply was complete"),
        (Fault::Huge(4_000_001), "too_large", "the reply is larger than the limit of 4 MB"),
        (Fault::Flood(50_000_000), "too_large", "the reply is larger than the limit of 4 MB"),
        (Fault::BrokenJson, "malformed", "the provider's answer is not a chat reply: "),
        (Fault::WebPage, "malformed", "the provider's answer is not a chat reply: "),
        (Fault::ForeignJson, "malformed", "the provider's answer is not a chat reply: it contains"),
        (
            Fault::Filtered,
            "refused",
            "the provider refused the request: its content filter blocked",
        ),
        (
            Fault::Packed(bomb()),
            "malformed",
            "the provider's answer is not a chat reply: it is compressed",
        ),
    ] {
        for protocol in PROTOCOLS {
            let error = ask_in(protocol, Some(fault.clone())).await.unwrap_err();
            assert_eq!(error.class(), class, "{protocol:?} {fault:?}: {error}");
            assert!(error.to_string().starts_with(sentence), "{protocol:?}: {error}");
        }
    }
}

#[tokio::test]
async fn a_message_that_ran_out_of_tokens_says_so_and_an_empty_one_is_a_reply() {
    for protocol in PROTOCOLS {
        let cut = ask_in(protocol, Some(Fault::OutOfTokens)).await.unwrap();
        assert_eq!((cut.text.as_str(), cut.stop), ("It", StopReason::Length));
        assert_eq!(ask_in(protocol, Some(Fault::EmptyMessage)).await.unwrap().text, "");
    }
}

#[tokio::test]
async fn tokens_that_nobody_counted_are_estimated_and_marked() {
    for protocol in PROTOCOLS {
        let usage = ask_in(protocol, Some(Fault::NoUsage)).await.unwrap().usage;
        assert_eq!((usage.input_tokens, usage.output_tokens, usage.counted), (5, 2, false));
    }
}

#[tokio::test]
async fn nobody_at_the_address_is_unreachable() {
    let mut injector = Injector::start(Script::saying("")).await.unwrap();
    let remote = remote(&Endpoint::open(injector.base_url()));
    injector.die().await;
    let error = remote.complete(&request()).await.unwrap_err();
    assert_eq!(error.class(), "unreachable");
    assert!(error.to_string().to_lowercase().contains("refused"), "{error}");
}

#[tokio::test]
async fn a_key_is_sent_and_never_quoted_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key");
    fs::write(&path, "sk-top-secret\n").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
    }
    let refusal = Fault::status(401, "wrong key: sk-top-secret");
    let script = Script::saying("").with(When::Always, refusal);
    let injector = Injector::start(script).await.unwrap();
    let mut endpoint = Endpoint::open(injector.base_url());
    endpoint.key_file = Some(path);
    let remote = remote(&endpoint);
    let error = remote.complete(&request()).await.unwrap_err();

    let sent = injector.requests()[0].authorization.clone();
    assert_eq!(sent.as_deref(), Some("Bearer sk-top-secret"));
    let told = format!("{error} {error:?} {remote:?} {}", json!(error));
    assert!(told.contains("wrong key: [key removed]"), "{told}");
    assert!(!told.contains("sk-top-secret"), "{told}");
}

#[tokio::test]
async fn a_key_does_not_follow_a_redirect() {
    let elsewhere = Injector::start(Script::saying("caught")).await.unwrap();
    let location = format!("{}/chat/completions", elsewhere.base_url());
    let redirect = Fault::Status(307, vec![("location", location)], String::new());
    assert_eq!(ask(Some(redirect)).await.unwrap_err().class(), "refused");
    assert_eq!(elsewhere.seen(), 0);
}

#[tokio::test]
async fn connections_are_used_again() {
    let injector = Injector::start(Script::saying("It is.")).await.unwrap();
    let remote = remote(&Endpoint::open(injector.base_url()));
    for _ in 0..20 {
        remote.complete(&request()).await.unwrap();
    }
    assert_eq!((injector.seen(), injector.connections()), (20, 1));
}

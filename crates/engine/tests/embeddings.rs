//! Meaning by an endpoint: what arrives, what is sent again, and what is said when it fails.

#![expect(clippy::unwrap_used, reason = "a test that cannot reach its server has failed")]

use assize_engine::retrieve::endpoint::EndpointEmbedder;
use assize_injector::{Fault, Injector, Request, Script, When};
use assize_models::{Endpoint, Endpoints};
use assize_search::dense::Embedder;
use serde_json::{Value, json};

/// The vector of a text is its length and its number of spaces; vectors come back in the
/// wrong order, as the protocol allows.
fn vectors(request: &Request) -> String {
    let texts = request.body["input"].as_array().cloned().unwrap_or_default();
    let data: Vec<Value> = texts
        .iter()
        .enumerate()
        .rev()
        .map(|(index, text)| {
            let text = text.as_str().unwrap_or_default();
            let spaces = text.matches(' ').count();
            json!({"index": index, "embedding": [text.len(), spaces], "object": "embedding"})
        })
        .collect();
    let usage = json!({"prompt_tokens": 1, "total_tokens": 1});
    json!({"object": "list", "data": data, "model": "lengths", "usage": usage}).to_string()
}

async fn server(script: Script) -> Injector {
    Injector::start(script).await.unwrap()
}

fn connect(server: &Injector) -> Result<EndpointEmbedder, String> {
    let named = [("local".to_owned(), Endpoint::open(server.base_url()))].into();
    let endpoints = Endpoints::default().with(named).unwrap();
    let model = "local/lengths".parse().unwrap();
    EndpointEmbedder::connect(model, &endpoints).map_err(|error| error.to_string())
}

/// The embedder waits on its own thread, as in the command line.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_text_gets_its_own_vector_whatever_the_order_of_the_reply() {
    let server = server(Script::answering(vectors)).await;
    let server = apart(move || {
        let embedder = connect(&server).unwrap();
        assert_eq!(embedder.dimensions(), 2);
        let texts: Vec<String> = (0..100).map(|count| "a ".repeat(count)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let found = embedder.embed(&texts).unwrap();
        for (count, vector) in (0_u8..100).zip(&found) {
            assert_eq!(vector, &[f32::from(count) * 2.0, f32::from(count)]);
        }
        server
    })
    .await;
    // The first vector, and 99 texts by 32; the empty text is nobody's business.
    assert_eq!(server.seen(), 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asks_to_slow_down_is_asked_again() {
    let script = Script::answering(vectors).with(When::Numbers(2..=2), Fault::slow_down(0.05));
    let server = server(script).await;
    let server = apart(move || {
        let found = connect(&server).unwrap().embed(&["one text"]).unwrap();
        assert_eq!(found, [[8.0, 1.0]]);
        server
    })
    .await;
    assert_eq!(server.seen(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_server_is_said() {
    let too_few = |_: &Request| {
        json!({"data": [], "model": "m", "usage": {"prompt_tokens": 0, "total_tokens": 0}})
            .to_string()
    };
    let cases: [(Script, &str); 3] = [
        (Script::answering(too_few), "1 texts were sent but 0 vectors were returned"),
        (
            Script::answering(vectors)
                .with(When::Always, Fault::status(404, "no model of that name")),
            "no model of that name",
        ),
        (Script::saying(r#"{"data": "none"}"#), "the embeddings endpoint failed"),
    ];
    for (script, word) in cases {
        let server = server(script).await;
        let error = apart(move || connect(&server).unwrap_err()).await;
        assert!(error.contains(word), "{error}");
    }
}

//! Making it happen: a server that can be stopped, started again on its port, and asked
//! what it saw.

use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use tokio::io::BufReader;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time;

use crate::dialect::{Dialect, Words};
use crate::http::{self, Answer, Head};
use crate::script::{Fault, Request, Script};

/// A server that follows a script until it is dropped.
#[derive(Debug)]
pub struct Injector {
    address: SocketAddr,
    state: Arc<State>,
    listening: Option<JoinHandle<()>>,
}

#[derive(Debug)]
struct State {
    script: Mutex<Arc<Script>>,
    seen: AtomicU64,
    under_way: AtomicU64,
    most_under_way: AtomicU64,
    connections: AtomicU64,
    requests: Mutex<Vec<Request>>,
    keep: bool,
}

impl Injector {
    /// Starts on a free port and keeps every request for the test to look at.
    pub async fn start(script: Script) -> io::Result<Self> {
        Self::start_at(([127, 0, 0, 1], 0).into(), script, true).await
    }

    /// Starts on a given address; a bench keeps no requests.
    pub async fn start_at(address: SocketAddr, script: Script, keep: bool) -> io::Result<Self> {
        let state = Arc::new(State {
            script: Mutex::new(Arc::new(script)),
            seen: AtomicU64::new(0),
            under_way: AtomicU64::new(0),
            most_under_way: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            requests: Mutex::default(),
            keep,
        });
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let listening = Some(tokio::spawn(listen(listener, Arc::clone(&state))));
        Ok(Self { address, state, listening })
    }

    /// Where clients find it: `http://127.0.0.1:PORT/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// How many requests for a completion have arrived.
    pub fn seen(&self) -> u64 {
        self.state.seen.load(Ordering::SeqCst)
    }

    /// The most that were under way at once.
    pub fn most_under_way(&self) -> u64 {
        self.state.most_under_way.load(Ordering::SeqCst)
    }

    /// How many connections were made.
    pub fn connections(&self) -> u64 {
        self.state.connections.load(Ordering::SeqCst)
    }

    /// The requests themselves.
    pub fn requests(&self) -> Vec<Request> {
        self.state.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on, another script.
    pub fn follow(&self, script: Script) {
        *self.state.script.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(script);
    }

    /// Dies: every connection is cut and new ones are refused.
    pub async fn die(&mut self) {
        if let Some(listening) = self.listening.take() {
            listening.abort();
            let _ = listening.await;
        }
    }

    /// Comes back on the same port.
    pub async fn come_back(&mut self) -> io::Result<()> {
        let listener = TcpListener::bind(self.address).await?;
        self.listening = Some(tokio::spawn(listen(listener, Arc::clone(&self.state))));
        Ok(())
    }
}

impl Drop for Injector {
    fn drop(&mut self) {
        if let Some(listening) = &self.listening {
            listening.abort();
        }
    }
}

/// The connections belong to the listener: when it is aborted, they are cut.
async fn listen(listener: TcpListener, state: Arc<State>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            Ok((stream, _)) = listener.accept() => {
                state.connections.fetch_add(1, Ordering::SeqCst);
                let _ = stream.set_nodelay(true);
                connections.spawn(converse(stream, Arc::clone(&state)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn converse(stream: TcpStream, state: Arc<State>) -> io::Result<()> {
    let (reader, mut writer) = stream.into_split();
    let mut reader = BufReader::new(reader);
    while let Some(head) = http::read(&mut reader).await? {
        let answer = match (head.method.as_str(), Dialect::of(&head.path)) {
            ("POST", Some(dialect)) => complete(&head, dialect, &state).await,
            ("GET", _) if head.path == "/requests" => Some(counters(&state)),
            _ => Some(Answer { status: 404, ..Answer::json("{}".into()) }),
        };
        // No answer: the line is cut.
        let Some(answer) = answer else { return Ok(()) };
        http::write(&mut writer, &answer).await?;
        if answer.cut {
            return Ok(());
        }
    }
    Ok(())
}

fn counters(state: &State) -> Answer {
    let number = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
    let (requests, connections) = (number(&state.seen), number(&state.connections));
    let most = number(&state.most_under_way);
    let counted = json!({"requests": requests, "most_under_way": most, "connections": connections});
    Answer::json(counted.to_string())
}

async fn complete(head: &Head, dialect: Dialect, state: &State) -> Option<Answer> {
    let number = state.seen.fetch_add(1, Ordering::SeqCst) + 1;
    let under_way = state.under_way.fetch_add(1, Ordering::SeqCst) + 1;
    state.most_under_way.fetch_max(under_way, Ordering::SeqCst);
    let _leaving = Leaving(&state.under_way);

    let body = serde_json::from_slice(&head.body).unwrap_or(Value::Null);
    let (path, authorization) = (head.path.clone(), head.authorization.clone());
    let request = Request { number, path, authorization, body };
    if state.keep {
        state.requests.lock().unwrap_or_else(PoisonError::into_inner).push(request.clone());
    }
    let script = Arc::clone(&state.script.lock().unwrap_or_else(PoisonError::into_inner));
    time::sleep(script.delay).await;
    match script.fault(&request) {
        Some(Fault::Hang) => std::future::pending().await,
        Some(Fault::Disconnect) => None,
        fault => Some(answer(&request, dialect, &script, fault)),
    }
}

/// Counts a request out however it ends.
struct Leaving<'a>(&'a AtomicU64);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn answer(request: &Request, dialect: Dialect, script: &Script, fault: Option<&Fault>) -> Answer {
    let words = (script.reply)(request);
    let prompt = dialect.prompt(&request.body);
    let counted = |text: &str, stop, tokens| {
        if request.asks_for_vectors() {
            return Answer::json(text.to_owned());
        }
        let model = &request.body["model"];
        Answer::json(dialect.reply(request.number, &Words { model, text, stop, tokens }))
    };
    // A byte is a token, so that a test can do the sum.
    let plain = |text: &str, stop| counted(text, stop, Some((prompt, text.len())));
    match fault {
        None | Some(Fault::Hang | Fault::Disconnect) => plain(&words, "stop"),
        Some(Fault::Status(status, headers, body)) => {
            let headers = headers.clone();
            Answer { status: *status, headers, ..Answer::json(body.clone()) }
        }
        Some(Fault::CutBody) => Answer { cut: true, ..plain(&words, "stop") },
        Some(Fault::CutMessage) => plain(half(&words), "stop"),
        Some(Fault::OutOfTokens) => plain(half(&words), "length"),
        Some(Fault::BrokenJson) => Answer::json("{\"choices\": [".into()),
        Some(Fault::WebPage) => Answer {
            content_type: "text/html",
            ..Answer::json("<html><body>Bad gateway</body></html>".into())
        },
        Some(Fault::ForeignJson) => Answer::json("{\"status\":\"ok\"}".into()),
        Some(Fault::EmptyMessage) => plain("", "stop"),
        Some(Fault::Filtered) => plain("", "content_filter"),
        Some(Fault::NoUsage) => counted(&words, "stop", None),
        Some(Fault::UsageZero) => counted(&words, "stop", Some((0, 0))),
        Some(Fault::Packed(body)) => {
            let headers = vec![("content-encoding", "gzip".to_owned())];
            Answer { headers, body: body.clone(), ..Answer::json(String::new()) }
        }
        Some(Fault::Huge(bytes)) => plain(&"x".repeat(*bytes), "stop"),
        Some(Fault::Flood(bytes)) => Answer { flood: Some(*bytes), ..Answer::json(String::new()) },
        Some(Fault::Trickle(wait)) => Answer { trickle: Some(*wait), ..plain(&words, "stop") },
        Some(Fault::Message(words)) => plain(words, "stop"),
    }
}

/// The first half of a text, cut between characters.
fn half(words: &str) -> &str {
    let end = (0..=words.len() / 2).rev().find(|index| words.is_char_boundary(*index));
    &words[..end.unwrap_or(0)]
}

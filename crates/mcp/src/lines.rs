//! Lines in and out: what cannot be read is answered with an error, not dropped.
//!
//! A client that sends a broken message would wait for ever: the library below ignores it. So
//! every line is looked at before it is handed on, and replies to broken ones are written between
//! the server's own, never inside one.

use std::io;

use assize_wire::text::line;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, duplex,
};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::{select, spawn};

/// JSON-RPC's numbers for what is not JSON, and for JSON that is no message.
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

/// So far into a message that is too long its id is looked for.
const ID_BYTES_MAX: usize = 1 << 10;

/// The longest message in bytes; what is longer is dropped before it fills the memory.
const MESSAGE_BYTES_MAX: usize = 32 << 20;

/// How much may lie between the client and the server.
const BUFFER_BYTES: usize = 1 << 16;

/// The server's side of a client.
pub(crate) struct Lines {
    /// Messages that can be read.
    pub(crate) input: DuplexStream,
    /// Where the server writes.
    pub(crate) output: DuplexStream,
    /// Ends when everything that was to be said has been written.
    pub(crate) written: JoinHandle<()>,
}

/// Stands between a client and the server.
pub(crate) fn between<R, W>(input: R, output: W) -> Lines
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (to_server, from_client) = duplex(BUFFER_BYTES);
    let (to_client, from_server) = duplex(BUFFER_BYTES);
    let (complain, complaints) = unbounded_channel();
    spawn(read(input, to_server, complain));
    let written = spawn(write(output, from_server, complaints));
    Lines { input: from_client, output: to_client, written }
}

async fn read<R: AsyncRead + Unpin>(
    input: R,
    mut server: DuplexStream,
    complain: UnboundedSender<String>,
) {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        let Ok(Some(is_whole)) = read_line(&mut input, &mut line, MESSAGE_BYTES_MAX).await else {
            break;
        };
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let complaint = if is_whole { complaint(&line) } else { Some(too_long(&line)) };
        let end = match complaint {
            Some(reply) => complain.send(reply).is_err(),
            None => server.write_all(&line).await.is_err(),
        };
        if end || (!is_whole && skip_line(&mut input).await.is_err()) {
            break;
        }
    }
}

/// Reads a line, or so much of it as may be kept; whether it is whole, `None` at the end.
async fn read_line<R: AsyncRead + Unpin>(
    input: &mut BufReader<R>,
    line: &mut Vec<u8>,
    kept_max: usize,
) -> io::Result<Option<bool>> {
    line.clear();
    loop {
        let chunk = input.fill_buf().await?;
        if chunk.is_empty() {
            return Ok((!line.is_empty()).then_some(true));
        }
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(chunk.len(), |end| end + 1);
        let taken = length.min(kept_max - line.len());
        line.extend_from_slice(&chunk[..taken]);
        input.consume(taken);
        if taken < length {
            return Ok(Some(false));
        }
        if end.is_some() {
            return Ok(Some(true));
        }
    }
}

/// Drops the rest of a line.
async fn skip_line<R: AsyncRead + Unpin>(input: &mut BufReader<R>) -> io::Result<()> {
    loop {
        let chunk = input.fill_buf().await?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let (length, is_over) = (chunk.len(), end.is_some() || chunk.is_empty());
        input.consume(end.map_or(length, |end| end + 1));
        if is_over {
            return Ok(());
        }
    }
}

/// What to reply to a line that is too long, to the call that it seems to be.
fn too_long(start: &[u8]) -> String {
    let message = format!("the message has more than {MESSAGE_BYTES_MAX} bytes");
    let error = Problem { code: INVALID_REQUEST, message };
    let id = id_at_the_start(start).unwrap_or_default();
    format!("{}\n", line(&Complaint { jsonrpc: "2.0", id, error }))
}

/// The id of a message of which only the start is there, if it stands before the parameters.
fn id_at_the_start(start: &[u8]) -> Option<Value> {
    let start = String::from_utf8_lossy(&start[..start.len().min(ID_BYTES_MAX)]);
    let head = start.split("\"params\"").next()?;
    let (_, rest) = head.split_once("\"id\"")?;
    let mut values = serde_json::Deserializer::from_str(rest.trim_start().strip_prefix(':')?);
    let id = Value::deserialize(&mut values).ok()?;
    Some(id).filter(|id| id.is_string() || id.is_number())
}

/// Writes the server's lines and the complaints, one whole line after the other.
async fn write<W: AsyncWrite + Unpin>(
    mut output: W,
    server: DuplexStream,
    mut complaints: UnboundedReceiver<String>,
) {
    let mut server = BufReader::new(server);
    let mut line = Vec::new();
    let mut is_listening = true;
    loop {
        let written = select! {
            // What was read of a line stays in the buffer if a complaint comes first.
            read = server.read_until(b'\n', &mut line) => match read {
                Ok(0) | Err(_) if line.is_empty() => break,
                _ => {
                    let written = output.write_all(&line).await;
                    line.clear();
                    written
                }
            },
            complaint = complaints.recv(), if is_listening => match complaint {
                None => { is_listening = false; Ok(()) }
                Some(complaint) => output.write_all(complaint.as_bytes()).await,
            },
        };
        if written.is_err() || output.flush().await.is_err() {
            break;
        }
    }
}

/// What to reply to a line that is no message.
fn complaint(said: &[u8]) -> Option<String> {
    let (id, code, message) = match serde_json::from_slice::<Value>(said) {
        Err(error) => (Value::Null, PARSE_ERROR, format!("the message is not JSON: {error}")),
        Ok(Value::Object(message)) if is_message(&message) => return None,
        Ok(value) => {
            let id = value.get("id").filter(|id| id.is_string() || id.is_number());
            let words = "the message is not a JSON-RPC 2.0 request, notification or response";
            (id.cloned().unwrap_or_default(), INVALID_REQUEST, words.to_owned())
        }
    };
    let error = Problem { code, message };
    Some(format!("{}\n", line(&Complaint { jsonrpc: "2.0", id, error })))
}

/// A reply to what is no message.
#[derive(Serialize)]
struct Complaint {
    jsonrpc: &'static str,
    id: Value,
    error: Problem,
}

#[derive(Serialize)]
struct Problem {
    code: i64,
    message: String,
}

fn is_message(message: &serde_json::Map<String, Value>) -> bool {
    let is_said = message.get("method").is_some_and(Value::is_string)
        || message.contains_key("result")
        || message.contains_key("error");
    is_said && message.get("jsonrpc").and_then(Value::as_str) == Some("2.0")
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncReadExt;

    use super::*;

    #[test]
    fn what_is_no_message_is_answered_by_its_kind() {
        let code = |line: &str| {
            let reply: Value = serde_json::from_str(&complaint(line.as_bytes())?).ok()?;
            Some((reply["error"]["code"].as_i64()?, reply["id"].clone()))
        };
        assert_eq!(code("{\"jsonrpc\": \"2.0\", "), Some((-32700, Value::Null)));
        assert_eq!(code("hello"), Some((-32700, Value::Null)));
        assert_eq!(code("[1]"), Some((-32600, Value::Null)));
        assert_eq!(code(r#"{"id": 7, "method": "ping"}"#), Some((-32600, Value::from(7))));
        assert_eq!(code(r#"{"jsonrpc": "2.0", "id": 7, "method": "ping"}"#), None);
        assert_eq!(code(r#"{"jsonrpc": "2.0", "method": "notifications/x"}"#), None);
    }

    #[tokio::test]
    async fn a_line_that_is_too_long_is_dropped_and_the_next_one_is_read() {
        let mut input = BufReader::with_capacity(4, "abcdefghij\nkl\nm".as_bytes());
        let mut line = Vec::new();
        let mut read = Vec::new();
        while let Some(is_whole) = read_line(&mut input, &mut line, 5).await.unwrap() {
            read.push((is_whole, String::from_utf8(line.clone()).unwrap()));
            if !is_whole {
                skip_line(&mut input).await.unwrap();
            }
        }
        assert_eq!(read, [(false, "abcde".into()), (true, "kl\n".into()), (true, "m".into())]);
    }

    #[test]
    fn a_call_that_is_too_long_is_answered_by_its_id() {
        let id = |start: &str| {
            let reply: Value = serde_json::from_str(&too_long(start.as_bytes())).unwrap();
            assert_eq!(reply["error"]["code"], INVALID_REQUEST);
            reply["id"].clone()
        };
        assert_eq!(id(r#"{"jsonrpc": "2.0", "id": 7, "method": "x", "params": {"a": "#), 7);
        assert_eq!(id(r#"{"id":"seven","params": {"#), "seven");
        assert_eq!(id(r#"{"params": {"id": 7, "#), Value::Null);
    }

    #[tokio::test]
    async fn a_broken_line_is_answered_and_the_next_one_is_handed_on() {
        let good = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n";
        let (mut client, output) = duplex(4_096);
        let input = std::io::Cursor::new(format!("broken\n\n{good}").into_bytes());
        let mut lines = between(input, output);
        let mut read = String::new();
        lines.input.read_to_string(&mut read).await.unwrap();
        assert_eq!(read, good);
        lines.output.write_all(b"reply\n").await.unwrap();
        drop(lines.output);
        lines.written.await.unwrap();
        let mut written = String::new();
        client.read_to_string(&mut written).await.unwrap();
        assert!(written.contains("-32700") && written.ends_with("reply\n"), "{written}");
    }
}

//! A client that speaks the protocol by hand: one line, one message.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Longer than anything takes here, so that a server that hangs fails its test.
const PATIENCE: Duration = Duration::from_mins(2);

/// A server under test, and a line to it.
pub(crate) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    number: u64,
    /// The last answer as it was sent: a number that is parsed and written again may differ in
    /// its last digit.
    pub(crate) sent: String,
    /// What came besides answers.
    pub(crate) notices: Vec<Value>,
}

impl Client {
    /// Starts `assize mcp` in a folder and says nothing yet.
    pub(crate) fn start(folder: &std::path::Path, flags: &[&str]) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_assize"))
            .arg("mcp")
            .args(flags)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let output = BufReader::new(process.stdout.take().unwrap());
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let input = process.stdin.take();
        Self { process, input, lines, number: 0, sent: String::new(), notices: Vec::new() }
    }

    /// Starts it and shakes hands.
    pub(crate) fn greeted(folder: &std::path::Path, flags: &[&str]) -> Self {
        let mut client = Self::start(folder, flags);
        let about = json!({"name": "a test", "version": "1"});
        let hello = json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about,
        });
        let answer = client.request("initialize", &hello);
        assert_eq!(answer["result"]["serverInfo"]["name"], "assize", "{answer}");
        client.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        client
    }

    /// Sends a line.
    pub(crate) fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).and_then(|()| input.write_all(b"\n")).unwrap();
        input.flush().unwrap();
    }

    /// Sends so many bytes and no end of a line, as far as the server listens.
    pub(crate) fn flood(&mut self, bytes: usize) {
        let input = self.input.as_mut().unwrap();
        let piece = vec![b'x'; 1 << 20];
        let _ = (0..bytes / piece.len()).try_for_each(|_| input.write_all(&piece));
    }

    /// Asks something and waits for the answer to it. Every line that comes is the protocol's.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let id = self.number;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.say(&message.to_string());
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap();
            assert_eq!(answer["jsonrpc"], "2.0", "{line}");
            if answer["id"] == id {
                self.sent = line;
                return answer;
            }
            self.notices.push(answer);
        }
    }

    /// Calls a tool; what came is its result, an error of the tool included.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// What a tool found.
    pub(crate) fn found(&mut self, tool: &str, arguments: &Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{}", result["content"]);
        assert!(!text(&result).is_empty());
        result["structuredContent"].clone()
    }

    /// Why a tool found nothing.
    pub(crate) fn refused(&mut self, tool: &str, arguments: &Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result).to_owned()
    }

    /// Closes the line and waits for the server to end by itself.
    pub(crate) fn close(mut self) -> ExitStatus {
        drop(self.input.take());
        ended(&mut self.process)
    }

    /// Presses Ctrl-C, with the line still open.
    pub(crate) fn interrupt(mut self) -> ExitStatus {
        let process = self.process.id().to_string();
        assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
        ended(&mut self.process)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn ended(process: &mut Child) -> ExitStatus {
    let begun = Instant::now();
    while begun.elapsed() < PATIENCE {
        if let Some(status) = process.try_wait().unwrap() {
            return status;
        }
        thread::sleep(Duration::from_millis(20));
    }
    panic!("the server does not end");
}

/// What people read of a result.
fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

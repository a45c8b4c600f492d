//! A client that keeps its connection, and a server that is started for it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};

use super::busy::ticks;

/// A server process.
pub(crate) struct Server {
    process: Child,
    /// Where it answers.
    pub(crate) address: String,
}

impl Server {
    /// Starts one over a database. Its only model never answers: a run that asks it stays under
    /// way, which is what clients watch.
    pub(crate) fn start(
        binary: &Path,
        folder: &Path,
        database: &str,
        more: &[&str],
    ) -> Result<Self> {
        let silent = TcpListener::bind("127.0.0.1:0")?;
        let port = silent.local_addr()?.port();
        thread::spawn(move || {
            let mut kept = Vec::new();
            for connection in silent.incoming() {
                kept.push(connection);
            }
        });
        let config = folder.join("serve.toml");
        let text = format!("[endpoints.silent]\nbase_url = \"http://127.0.0.1:{port}/v1\"\n");
        fs::write(&config, text)?;
        let mut process = Command::new(binary)
            .args(["serve", "--bind", "127.0.0.1:0", "--log", "off", "--database", database])
            .arg("--config")
            .arg(&config)
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("could not start {}", binary.display()))?;
        let mut line = String::new();
        let stdout = process.stdout.as_mut().context("the server has no output")?;
        BufReader::new(stdout).read_line(&mut line)?;
        let address = line.trim().trim_end_matches('/').rsplit('/').next();
        let address = address.filter(|address| !address.is_empty());
        let address = address.context("the server did not say where it answers")?.to_owned();
        Ok(Self { process, address })
    }

    /// The most that was in memory, in MB.
    pub(crate) fn memory(&self) -> Result<u64> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next());
        Ok(kilobytes.context("the system does not say")?.parse::<u64>()? / 1_000)
    }

    /// How long it kept a core busy so far, in hundredths of a second.
    pub(crate) fn ticks(&self) -> Result<u64> {
        ticks(self.process.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// One connection that is kept.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), host: address.to_owned() })
    }

    /// Sends a request and reads the whole answer.
    pub(crate) fn ask(
        &mut self,
        method: &str,
        path: &str,
        kind: &str,
        body: &str,
    ) -> Result<Answer> {
        self.send(method, path, kind, body)?;
        let (status, length) = self.head()?;
        let body = match length {
            Some(length) => {
                let mut body = vec![0; length];
                self.stream.read_exact(&mut body)?;
                body
            }
            None => self.chunks()?,
        };
        Ok(Answer { status, body })
    }

    /// Sends JSON that must be taken.
    pub(crate) fn post(&mut self, path: &str, body: &str) -> Result<Answer> {
        let answer = self.ask("POST", path, "application/json", body)?;
        let text = String::from_utf8_lossy(&answer.body);
        ensure!(answer.status < 300, "{path} was answered with {}: {text}", answer.status);
        Ok(answer)
    }

    /// Begins to watch a stream of events: the first one is read, the rest comes as it likes.
    pub(crate) fn watch(&mut self, path: &str) -> Result<()> {
        self.send("GET", path, "text/event-stream", "")?;
        let (status, _) = self.head()?;
        ensure!(status == 200, "{path} was answered with {status}");
        let mut line = String::new();
        while !line.starts_with("data:") {
            line.clear();
            ensure!(self.stream.read_line(&mut line)? > 0, "the stream ended");
        }
        Ok(())
    }

    fn send(&mut self, method: &str, path: &str, kind: &str, body: &str) -> Result<()> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {kind}\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        Ok(self.stream.get_mut().write_all(head.as_bytes())?)
    }

    /// The status, and how long the body is; none if it comes in chunks.
    fn head(&mut self) -> Result<(u16, Option<usize>)> {
        let (mut status, mut length) = (0, Some(0));
        for number in 0.. {
            let line = self.line()?;
            if number == 0 {
                status = line.split(' ').nth(1).unwrap_or_default().parse()?;
            }
            let line = line.to_ascii_lowercase();
            if let Some(count) = line.strip_prefix("content-length: ") {
                length = Some(count.parse()?);
            }
            if line.starts_with("transfer-encoding: chunked") {
                length = None;
            }
            if line.is_empty() {
                break;
            }
        }
        Ok((status, length))
    }

    fn chunks(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let length = usize::from_str_radix(&self.line()?, 16)?;
            let from = body.len();
            body.resize(from + length, 0);
            self.stream.read_exact(&mut body[from..])?;
            self.line()?;
            if length == 0 {
                return Ok(body);
            }
        }
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        ensure!(self.stream.read_line(&mut line)? > 0, "the server hung up");
        Ok(line.trim().to_owned())
    }
}

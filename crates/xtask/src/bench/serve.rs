//! `cargo xtask bench serve [BINARY]`: 2,000 runs with 100,000 results behind one server, and 50
//! clients at it. Prints p50, p99 and throughput of each endpoint, and the server's memory.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::{assize, folder};
use crate::say;

const RUNS: usize = 2_000;
const ITEMS: usize = 50;
const CLIENTS: usize = 50;
/// Requests of each client to each endpoint.
const REQUESTS: usize = 20;

/// What is asked for; `{run}` and `{other}` become numbers of runs.
const ENDPOINTS: [(&str, &str); 5] = [
    ("list", "/api/v1/runs?limit=100"),
    ("run", "/api/v1/runs/{run}"),
    ("items", "/api/v1/runs/{run}/items?sort=mrr"),
    ("item", "/api/v1/runs/{run}/items/7"),
    ("compare", "/api/v1/compare?base={run}&with={other}"),
];

/// Fills a database through the API unless it is there, then measures.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let binary = match words {
        [] => assize()?,
        [path] => PathBuf::from(path),
        _ => bail!("bench serve takes at most the path of a binary"),
    };
    let database = folder()?.join("serve.db");
    let is_filled = database.exists();
    let server = Server::start(&binary, &database)?;
    if !is_filled {
        say(&format!("filling {RUNS} runs of {ITEMS} items"));
        fill(&server.address)?;
    }
    say("endpoint      p50 ms    p99 ms   requests/s");
    for (name, path) in ENDPOINTS {
        let (mut latencies, took) = measure(&server.address, path)?;
        latencies.sort_unstable();
        let at = |share: usize| latencies[(latencies.len() - 1) * share / 100].as_secs_f64() * 1e3;
        let rate = latencies.len() as f64 / took.as_secs_f64();
        say(&format!("{name:<10} {:>9.2} {:>9.2} {rate:>12.0}", at(50), at(99)));
    }
    say(&format!("memory: {}", server.memory()?));
    Ok(())
}

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(binary: &Path, database: &Path) -> Result<Self> {
        let mut process = Command::new(binary)
            .args(["serve", "--bind", "127.0.0.1:0", "--log", "off", "--database"])
            .arg(database)
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

    /// The most that was in memory.
    fn memory(&self) -> Result<String> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find(|line| line.starts_with("VmHWM"));
        Ok(line.unwrap_or("not known").split_whitespace().skip(1).collect::<Vec<_>>().join(" "))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn fill(address: &str) -> Result<()> {
    let mut client = Client::connect(address)?;
    for run in 0..RUNS {
        // Ranks differ from run to run, so that runs have something to compare.
        let query = |item: usize| {
            let scores =
                (0..5).map(|place| format!("\"d{place}\":{}", (place * 7 + item + run) % 11));
            format!("\"q{item}\":{{{}}}", scores.collect::<Vec<_>>().join(","))
        };
        let predictions: Vec<String> = (0..ITEMS).map(query).collect();
        let gold: Vec<String> =
            (0..ITEMS).map(|item| format!("\"q{item}\":{{\"d1\":1}}")).collect();
        let body = format!(
            "{{\"instrument\":\"retrieval\",\"input\":{{\"predictions\":{{{}}},\"gold\":{{{}}},\
             \"settings\":{{\"measures\":[\"mrr\",\"recall@3\"],\"resamples\":0}}}}}}",
            predictions.join(","),
            gold.join(",")
        );
        let status = client.ask("POST", "/api/v1/runs", &body)?;
        ensure!(status == 201, "a run was answered with {status}");
    }
    Ok(())
}

/// How long every request took, and all of them together.
fn measure(address: &str, path: &str) -> Result<(Vec<Duration>, Duration)> {
    let begun = Instant::now();
    let client = |number: usize| {
        let (address, path) = (address.to_owned(), path.to_owned());
        thread::spawn(move || -> Result<Vec<Duration>> {
            let mut client = Client::connect(&address)?;
            let mut latencies = Vec::with_capacity(REQUESTS);
            for request in 0..REQUESTS {
                let run = (number * REQUESTS + request) % (RUNS - 1) + 1;
                let path = path.replace("{run}", &run.to_string());
                let path = path.replace("{other}", &(run + 1).to_string());
                let begun = Instant::now();
                let status = client.ask("GET", &path, "")?;
                latencies.push(begun.elapsed());
                ensure!(status == 200, "{path} was answered with {status}");
            }
            Ok(latencies)
        })
    };
    let clients: Vec<_> = (0..CLIENTS).map(client).collect();
    let mut all = Vec::with_capacity(CLIENTS * REQUESTS);
    for client in clients {
        all.extend(client.join().map_err(|_| anyhow::anyhow!("a client failed"))??);
    }
    Ok((all, begun.elapsed()))
}

/// One connection that is kept.
struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

impl Client {
    fn connect(address: &str) -> Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), host: address.to_owned() })
    }

    /// Sends a request, reads the whole answer, gives its status.
    fn ask(&mut self, method: &str, path: &str, body: &str) -> Result<u16> {
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.host,
            body.len()
        );
        self.stream.get_mut().write_all(head.as_bytes())?;
        let (mut status, mut length) = (0, 0);
        for number in 0.. {
            let mut line = String::new();
            ensure!(self.stream.read_line(&mut line)? > 0, "the server hung up");
            if number == 0 {
                status = line.split(' ').nth(1).unwrap_or_default().parse()?;
            }
            let line = line.trim().to_ascii_lowercase();
            if let Some(count) = line.strip_prefix("content-length: ") {
                length = count.parse()?;
            }
            if line.is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body)?;
        Ok(status)
    }
}

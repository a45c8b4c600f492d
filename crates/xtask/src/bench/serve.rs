//! `cargo xtask bench serve`: 2,000 runs with 100,000 results behind one server, and 50 clients at
//! it. Prints p50, p99, throughput, processor time and weight of each address, the server's
//! memory, and what clients that watch a run cost. With `--writes N` somebody writes so many
//! comments a second meanwhile; with `--large N` two runs of that many items are compared.

mod busy;
pub(super) mod client;
mod fill;
mod writer;

use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use assize_testbed::Postgres;

use self::client::{Client, Server};
use self::fill::{CYCLE, begin_endless, fill, fill_large, is_compliance, is_summary};
use self::writer::Writer;
use super::{assize, folder};
use crate::say;

/// What the specification asks for.
const P99_MS: f64 = 100.0;
/// Bytes of a page, and of an answer of the API.
const PAGE_MAX: usize = 80_000;
const ANSWER_MAX: usize = 200_000;
const MEMORY_MB: u64 = 300;
/// A comparison of two large runs, also the first one after a start.
const LARGE_MS: f64 = 300.0;
/// How long watchers are measured.
const WATCHED: Duration = Duration::from_secs(10);

/// What is asked for; the names become numbers of runs of that kind.
const ADDRESSES: [&str; 25] = [
    // What the server takes at the least, for comparison.
    "/healthz",
    "/api/v1/runs?limit=100",
    "/api/v1/runs/{retrieval}",
    "/api/v1/runs/{retrieval}/items?sort=mrr",
    "/api/v1/runs/{retrieval}/items/7",
    "/api/v1/runs/{compliance}/items/7",
    "/api/v1/compare?base={retrieval}&with={next}",
    "/",
    "/runs",
    "/runs?instrument=summary",
    "/runs/{retrieval}",
    "/runs/{retrieval}/items/7",
    "/runs/{summary}/items/7",
    "/compare?base={retrieval}&with={next}",
    "/compare?base={compliance}&with={other}",
    "/eval",
    "/eval/{compliance}",
    "/eval/{compliance}/matrix",
    "/eval/{compliance}/results/7",
    "/review?run={compliance}",
    "/accuracy",
    "/series",
    "/series/name-retrieval-nightly",
    "/documents",
    "/truth-keys",
];

/// How much of everything.
pub(super) struct Size {
    runs: usize,
    items: usize,
    clients: usize,
    /// Of each client to each address.
    requests: usize,
    /// Items of the two large runs; none are made where it is 0.
    large: usize,
}

/// What is asked of the bench beside its size.
#[derive(Default)]
struct Wishes<'a> {
    binary: Option<PathBuf>,
    is_postgres: bool,
    /// A database that is kept from one bench to the next; it is filled if it holds no runs.
    database: Option<&'a str>,
    /// Only addresses that hold this word, and nothing else.
    only: Option<&'a str>,
    /// Comments that are written a second while everything is measured.
    writes: u32,
}

/// Fills a database through the API unless it is there, then measures.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (size, wishes) = read(words)?;
    ensure!(size.runs >= 2 * CYCLE && size.items >= 10, "at least {} runs of 10 items", 2 * CYCLE);
    let binary = wishes.binary.map_or_else(assize, Ok)?;
    let folder = folder()?;
    let postgres = wishes.is_postgres.then(Postgres::start);
    let database = match (&postgres, wishes.database) {
        (Some(postgres), _) => postgres.database(),
        (None, Some(database)) => database.to_owned(),
        (None, None) => {
            let file = format!("serve-{}-{}-{}.db", size.runs, size.items, size.large);
            let file = folder.join(file);
            file.display().to_string()
        }
    };
    let server = Server::start(&binary, &folder, &database, &[])?;
    if !is_filled(&server.address)? {
        let begun = Instant::now();
        fill(&server.address, &size)?;
        fill_large(&server.address, &size)?;
        let took = begun.elapsed().as_secs_f64();
        say(&format!("filled {} runs of {} items in {took:.0} s", size.runs, size.items));
    }
    drop(server);
    // What filling took in memory is not what serving takes.
    let server = Server::start(&binary, &folder, &database, &[])?;
    let mut slow = Vec::new();
    if size.large > 0 {
        slow.extend(large(&server, &size, wishes.writes)?);
    }
    let writer = Writer::start(&server.address, size.runs, wishes.writes);
    slow.extend(table(&server, &database, &size, wishes.only)?);
    writer.end()?;
    if wishes.only.is_none() {
        watchers(&server, &size)?;
    }
    let memory = server.memory()?;
    say(&format!("memory at most: {memory} MB"));
    ensure!(slow.is_empty(), "time or weight are passed by {}", slow.join(", "));
    ensure!(memory < MEMORY_MB, "{memory} MB are more than {MEMORY_MB}");
    Ok(())
}

fn read<'a>(words: &[&'a str]) -> Result<(Size, Wishes<'a>)> {
    let mut size = Size { runs: 2_000, items: 50, clients: 50, requests: 20, large: 0 };
    let mut wishes = Wishes::default();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match *word {
            "--binary" => wishes.binary = Some(PathBuf::from(value()?)),
            "--postgres" => wishes.is_postgres = true,
            "--database" => wishes.database = Some(value()?),
            "--only" => wishes.only = Some(value()?),
            "--runs" => size.runs = value()?.parse()?,
            "--items" => size.items = value()?.parse()?,
            "--clients" => size.clients = value()?.parse()?,
            "--requests" => size.requests = value()?.parse()?,
            "--large" => size.large = value()?.parse()?,
            "--writes" => wishes.writes = value()?.parse()?,
            other => bail!(
                "what is {other}? There are --binary PATH, --postgres, --database PLACE, \
                 --only WORD, --runs N, --items N, --clients N, --requests N, --large N, --writes N"
            ),
        }
    }
    Ok((size, wishes))
}

/// Whether somebody filled the database before.
fn is_filled(address: &str) -> Result<bool> {
    let mut client = Client::connect(address)?;
    let answer = client.ask("GET", "/api/v1/runs?limit=1", "application/json", "")?;
    ensure!(answer.status == 200, "the list was answered with {}", answer.status);
    Ok(!answer.body.starts_with(br#"{"items":[]"#))
}

/// Measures every address; returns those that are too slow or too heavy.
fn table(
    server: &Server,
    database: &str,
    size: &Size,
    only: Option<&str>,
) -> Result<Vec<&'static str>> {
    say(&format!(
        "{:<42} {:>7} {:>7} {:>7} {:>7} {:>6} {:>7} {:>7}",
        "address", "idle ms", "p50 ms", "p99 ms", "per s", "kB", "cpu ms", "db ms"
    ));
    let is_wanted = |path: &&str| only.is_none_or(|word| path.contains(word));
    let mut slow = Vec::new();
    for path in ADDRESSES.into_iter().filter(is_wanted) {
        let alone = Size { clients: 1, requests: 30, ..*size };
        let (idle, ..) = measure(&server.address, path, &alone)?;
        let before = (server.ticks()?, busy::backends(database));
        let (all, took, weight) = measure(&server.address, path, size)?;
        let after = (server.ticks()?, busy::backends(database));
        let rate = all.len() as f64 / took.as_secs_f64();
        let p99 = at(&all, 99);
        let heaviest = if path.starts_with("/api/") { ANSWER_MAX } else { PAGE_MAX };
        if p99 >= P99_MS || weight >= heaviest {
            slow.push(path);
        }
        let (idle, p50, kilobytes) = (at(&idle, 50), at(&all, 50), weight.div_ceil(1_000));
        // A tick is a hundredth of a second.
        let each = |ticks: u64| ticks as f64 * 10.0 / all.len() as f64;
        let (cpu, db) = (each(after.0 - before.0), each(after.1.saturating_sub(before.1)));
        say(&format!(
            "{path:<42} {idle:>7.1} {p50:>7.1} {p99:>7.1} {rate:>7.0} {kilobytes:>6} {cpu:>7.2} \
             {db:>7.2}"
        ));
    }
    Ok(slow)
}

fn at(sorted: &[Duration], share: usize) -> f64 {
    sorted[(sorted.len() - 1) * share / 100].as_secs_f64() * 1e3
}

/// How long every request took, in order of length; all of them together; the largest answer.
fn measure(
    address: &str,
    path: &'static str,
    size: &Size,
) -> Result<(Vec<Duration>, Duration, usize)> {
    let begun = Instant::now();
    let &Size { runs, requests, clients, .. } = size;
    let client = |number: usize| {
        let address = address.to_owned();
        thread::spawn(move || -> Result<(Vec<Duration>, usize)> {
            let mut client = Client::connect(&address)?;
            let (mut latencies, mut weight) = (Vec::with_capacity(requests), 0);
            for request in 0..requests {
                let path = filled(path, number * requests + request, runs);
                let begun = Instant::now();
                let answer = client.ask("GET", &path, "text/html", "")?;
                latencies.push(begun.elapsed());
                ensure!(answer.status == 200, "{path} was answered with {}", answer.status);
                weight = weight.max(answer.body.len());
            }
            Ok((latencies, weight))
        })
    };
    let clients: Vec<_> = (0..clients).map(client).collect();
    let (mut all, mut weight) = (Vec::new(), 0);
    for client in clients {
        let (latencies, heaviest) =
            client.join().map_err(|_| anyhow::anyhow!("a client failed"))??;
        all.extend(latencies);
        weight = weight.max(heaviest);
    }
    let took = begun.elapsed();
    all.sort_unstable();
    Ok((all, took, weight))
}

/// An address with the numbers of runs, each request with others.
fn filled(path: &str, request: usize, runs: usize) -> String {
    // A prime step walks over all runs and does not fall into the step of the instruments.
    let start = request * 7_919 % (runs - 2 * CYCLE) + 1;
    let find =
        |is_right: &dyn Fn(usize) -> bool| (start..start + CYCLE).find(|number| is_right(*number));
    let is_retrieval = |number| !is_compliance(number) && !is_summary(number);
    let both = |number| is_retrieval(number) && is_retrieval(number + 1);
    let retrieval = find(&both).unwrap_or(1);
    let compliance = start.next_multiple_of(CYCLE);
    let summary = find(&is_summary).unwrap_or(1);
    [
        ("{retrieval}", retrieval),
        ("{next}", retrieval + 1),
        ("{compliance}", compliance),
        ("{other}", compliance + CYCLE),
        ("{summary}", summary),
    ]
    .iter()
    .fold(path.to_owned(), |path, (name, number)| path.replace(name, &number.to_string()))
}

/// How long comparing the two large runs takes: first, again, and after each comment that a
/// stranger wrote meanwhile. Returns the comparison if one is too slow.
fn large(server: &Server, size: &Size, writes: u32) -> Result<Option<&'static str>> {
    let path = format!("/api/v1/compare?base={}&with={}", size.runs + 1, size.runs + 2);
    let mut client = Client::connect(&server.address)?;
    let mut compared = || -> Result<f64> {
        let begun = Instant::now();
        let answer = client.ask("GET", &path, "application/json", "")?;
        ensure!(answer.status == 200, "{path} was answered with {}", answer.status);
        Ok(begun.elapsed().as_secs_f64() * 1e3)
    };
    let (first, again) = (compared()?, compared()?);
    let writes = writes.max(1);
    let commenter = Writer::start(&server.address, size.runs, writes);
    let mut meanwhile = Vec::with_capacity(20);
    for _ in 0..20 {
        // Long enough for a comment in between.
        thread::sleep(Duration::from_secs(1) / writes);
        meanwhile.push(compared()?);
    }
    commenter.end()?;
    meanwhile.sort_by(f64::total_cmp);
    let slowest = meanwhile.last().copied().unwrap_or_default();
    say(&format!(
        "two runs of {} items compared: first {first:.0} ms, again {again:.1} ms, while comments \
         are written {slowest:.1} ms at most (allowed: {LARGE_MS:.0})",
        size.large
    ));
    Ok((first.max(slowest) >= LARGE_MS).then_some("the comparison of two large runs"))
}

/// What clients cost that watch a run under way.
fn watchers(server: &Server, size: &Size) -> Result<()> {
    let number = begin_endless(&server.address)?;
    let path = format!("/api/v1/runs/{number}/events");
    let busy = || -> Result<f64> {
        let before = server.ticks()?;
        thread::sleep(WATCHED);
        Ok((server.ticks()? - before) as f64 / WATCHED.as_secs_f64())
    };
    let alone = busy()?;
    let mut watching = Vec::with_capacity(size.clients);
    for _ in 0..size.clients {
        let mut client = Client::connect(&server.address)?;
        client.watch(&path)?;
        watching.push(client);
    }
    let watched = busy()?;
    let list = Size { requests: 10, ..*size };
    let (all, ..) = measure(&server.address, ADDRESSES[0], &list)?;
    say(&format!(
        "{} clients watch a run: {watched:.1} % of a core, {alone:.1} % without them; \
         the list meanwhile: p50 {:.1} ms, p99 {:.1} ms",
        size.clients,
        at(&all, 50),
        at(&all, 99)
    ));
    drop(watching);
    Ok(())
}

//! How much a council costs us: five members, five reviewers, a server with a fixed delay.
//!
//! `cargo run --release -p assize-engine --example council_load -- [MEMBERS] [REVIEWERS] [DELAY_MS] [COUNCILS]`
//!
//! The server runs in a process of its own. A council is two rounds, so it cannot take less
//! than twice the delay; printed are the median and the slowest of some councils, each with
//! a question of its own, as multiples of that.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use assize_engine::asking::{AskOptions, AskSession, Config, Stop, Variables};
use assize_engine::council::{Answers, Hearing, Participant, Plan, hold, participants, unwatched};
use assize_injector::{Injector, Script};
use assize_methods::council::verdict::Status;

const MARKS: &str =
    r#"{"accuracy": 8, "relevance": 8, "completeness": 7, "conciseness": 7, "clarity": 9}"#;

#[tokio::main]
async fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "serve") {
        let number = |index: usize| arguments.get(index).context("serve needs a number");
        return serve(number(1)?.parse()?, number(2)?.parse()?).await;
    }
    let number = |index: usize, usual: u64| match arguments.get(index) {
        Some(text) => text.parse().with_context(|| format!("`{text}` is not a number")),
        None => Ok(usual),
    };
    let (members, reviewers) = (number(0, 5)?, number(1, 5)?);
    let (delay, councils) = (number(2, 50)?, number(3, 21)?);
    let server = Server::start(delay, members)?;
    let folder = tempfile::tempdir()?;
    let named = |prefix: &str, count: u64| -> Result<Vec<Participant>> {
        let all: Vec<String> = (0..count).map(|index| format!("local/{prefix}{index}")).collect();
        Ok(participants(&all)?)
    };
    let (members, reviewers) = (named("m", members)?, named("r", reviewers)?);
    let named = [("local".to_owned(), server.base_url.clone())];
    let config = Config::load(None, &named, Variables::default())?;
    let database = Some(folder.path().join("assize.db").as_path().into());
    let options = AskOptions { database, ..AskOptions::default() };
    let session = AskSession::open(&options, config, Stop::default(), |_| {}).await?;

    let mut seconds = Vec::new();
    for number in 0..councils {
        let hearing = Hearing {
            question: format!("What is said of number {number}?"),
            answers: Answers::Members(members.clone()),
            reviewers: reviewers.clone(),
            chair: None,
            plan: Plan::default(),
        };
        let begun = Instant::now();
        let held = hold(&session, &hearing, &unwatched).await?;
        let verdict = held.verdict();
        seconds.push(begun.elapsed().as_secs_f64());
        ensure!(verdict.status == Status::Complete, "{:?}", verdict.findings);
    }
    report(&mut seconds, delay, members.len(), reviewers.len());
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the figures are what this program has to say")]
fn report(seconds: &mut [f64], delay: u64, members: usize, reviewers: usize) {
    let ideal = 2.0 * delay as f64 / 1_000.0;
    let first = seconds.first().copied().unwrap_or_default();
    seconds.sort_by(f64::total_cmp);
    let (median, slowest) = (seconds[seconds.len() / 2], seconds[seconds.len() - 1]);
    println!("{members} members, {reviewers} reviewers, a server that takes {delay} ms");
    println!("ideal    {ideal:7.3} s   two rounds");
    println!("first    {first:7.3} s   {:.2} x ideal, with its connections", first / ideal);
    println!("fastest  {:7.3} s   {:.2} x ideal", seconds[0], seconds[0] / ideal);
    println!(
        "median   {median:7.3} s   {:.2} x ideal, of {} councils",
        median / ideal,
        seconds.len()
    );
    println!("slowest  {slowest:7.3} s   {:.2} x ideal", slowest / ideal);
}

/// This program again, as the server.
struct Server {
    process: Child,
    base_url: String,
}

impl Server {
    fn start(delay: u64, members: u64) -> Result<Self> {
        let mut process = Command::new(env::current_exe()?)
            .args(["serve", &delay.to_string(), &members.to_string()])
            .stdout(Stdio::piped())
            .spawn()?;
        let mut base_url = String::new();
        let stdout = process.stdout.take().context("the server has no output")?;
        BufReader::new(stdout).read_line(&mut base_url)?;
        Ok(Self { process, base_url: base_url.trim().to_owned() })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Members answer in a sentence, reviewers fill in the form.
async fn serve(delay: u64, members: u8) -> Result<()> {
    let labels = (b'A'..b'A' + members).map(char::from);
    let entries: Vec<String> =
        labels.map(|letter| format!("\"Response {letter}\": {MARKS}")).collect();
    let ballot = format!("{{\"evaluations\": {{{}}}}}", entries.join(", "));
    let script = Script::answering(move |request| {
        let is_reviewer =
            request.body["model"].as_str().is_some_and(|model| model.starts_with('r'));
        if is_reviewer {
            ballot.clone()
        } else {
            format!("It is so, says {}.", request.body["model"])
        }
    });
    let script = script.after(Duration::from_millis(delay));
    let injector = Injector::start_at(([127, 0, 0, 1], 0).into(), script, false).await?;
    #[expect(clippy::print_stdout, reason = "the parent waits for the address")]
    {
        println!("{}", injector.base_url());
    }
    std::future::pending().await
}

//! Workers on one run: how much faster several are, and that nothing is lost or bought twice when
//! they are killed, stopped and cut off from their database.

mod load;
mod processes;
mod report;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use assize_testbed::Postgres;

use self::processes::{Injector, Workers, output};
use self::report::Bill;
use crate::checks::{cargo_program, root};
use crate::say;

/// Criteria of each document; the number of documents follows from that of items.
const CRITERIA: usize = 100;
/// Requests that one worker has under way.
const CONCURRENCY: usize = 16;
/// What every document is found to be: the same for all, so that runs can be compared.
const REPLY: &str = r#"{"score": 73, "confidence": 80, "explanation": "It says so.", "citations": ["Accounts are reviewed every year"]}"#;
/// Longer than a lease, which is twenty seconds.
const STOPPED: Duration = Duration::from_secs(26);

/// How large it is.
struct Size {
    items: usize,
    workers: usize,
    delay_ms: u64,
    kill_every: Duration,
    profile: &'static str,
    /// Which parts are run.
    part: Part,
    /// The one figure of the load that is wanted, if it is one.
    only: Option<load::Figure>,
    /// Another build, measured by turns with this one.
    beside: Option<PathBuf>,
}

/// The parts of the bench.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    Efficiency,
    Faults,
    Load,
}

/// Runs the bench. `--quick` is a small one, `--debug` uses a debug build; `--efficiency`,
/// `--faults` and `--load` run one part of it, `--only` takes one figure of the load, and `--beside`
/// measures another build's load in the same run.
pub(crate) fn run(words: &[&str]) -> Result<()> {
    let mut size = Size {
        items: 10_000,
        workers: 4,
        delay_ms: 50,
        kill_every: Duration::from_secs(4),
        profile: "release",
        part: Part::All,
        only: None,
        beside: None,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        let mut number = || -> Result<u64> {
            let value = value()?;
            value.parse().with_context(|| format!("{word} {value}"))
        };
        match *word {
            "--quick" => size.items = 1_000,
            "--debug" => size.profile = "debug",
            "--efficiency" => size.part = Part::Efficiency,
            "--faults" => size.part = Part::Faults,
            "--load" => size.part = Part::Load,
            "--only" => {
                size.part = Part::Load;
                size.only = Some(load::Figure::named(value()?)?);
            }
            "--beside" => size.beside = Some(PathBuf::from(value()?)),
            "--items" => size.items = usize::try_from(number()?)?,
            "--workers" => size.workers = usize::try_from(number()?)?,
            "--delay-ms" => size.delay_ms = number()?,
            "--kill-every" => size.kill_every = Duration::from_secs(number()?),
            other => bail!(
                "what is {other}? There are --quick, --debug, --efficiency, --faults, --load, \
                 --only sqlite50|sqlite500|sqlite500slow|rescore, --beside PATH, --items N, --workers N, --delay-ms N, --kill-every SECONDS"
            ),
        }
    }
    size.items = size.items.next_multiple_of(CRITERIA);
    let programs = Programs::built(size.profile)?;
    let material = Material::made(&size)?;
    let is_wanted = |part| size.part == Part::All || size.part == part;
    if is_wanted(Part::Efficiency) {
        efficiency(&size, &programs, &material)?;
    }
    if is_wanted(Part::Faults) {
        disturbed(&size, &programs, &material)?;
    }
    if is_wanted(Part::Load) {
        load::run(&size, &programs, &material)?;
    }
    Ok(())
}

/// The programs that are measured.
struct Programs {
    assize: PathBuf,
    injector: PathBuf,
}

impl Programs {
    fn built(profile: &str) -> Result<Self> {
        say(&format!("building the {profile} binaries"));
        let mut build = cargo_program();
        build.args(["build", "--quiet", "--package", "assize", "--package", "assize-injector"]);
        if profile == "release" {
            build.arg("--release");
        }
        let status = build.current_dir(root()).status().context("could not start cargo")?;
        ensure!(status.success(), "the build failed");
        let folder = super::built(profile)?;
        Ok(Self { assize: folder.join("assize"), injector: folder.join("assize-injector") })
    }
}

/// What is judged.
struct Material {
    folder: PathBuf,
    documents: Vec<PathBuf>,
}

impl Material {
    fn made(size: &Size) -> Result<Self> {
        let folder = super::folder()?.join("fleet");
        fs::create_dir_all(&folder).context("could not make a folder")?;
        let mut csv = "criteria_id,requirement\n".to_owned();
        for number in 0..CRITERIA {
            writeln!(csv, "AC-{number},Accounts of kind {number} are reviewed every year.")?;
        }
        fs::write(folder.join("criteria.csv"), csv)?;
        let mut documents = Vec::new();
        for number in 0..size.items / CRITERIA {
            let path = folder.join(format!("policy-{number:04}.txt"));
            let text = format!("Policy {number}. Accounts are reviewed every year by their owner.");
            fs::write(&path, text)?;
            documents.push(path);
        }
        // Quick tries: a server that fails on cue is well again the next moment.
        let settings = "[endpoints.local]\nbase_url = 'http://127.0.0.1:1/v1'\n\
            [endpoints.local.limits]\nfirst_wait_milliseconds = 50\npatience_seconds = 60\n";
        fs::write(folder.join("assize.toml"), settings)?;
        Ok(Self { folder, documents })
    }

    /// Plans a run over the first so many documents and hands it to the workers.
    fn queue(&self, programs: &Programs, database: &str, documents: usize) -> Result<()> {
        let mut command = Command::new(&programs.assize);
        command.arg("evaluate").args(&self.documents[..documents]);
        command.arg("--criteria").arg(self.folder.join("criteria.csv"));
        command.args(["--judge", "local/tiny", "--queue", "--database", database]);
        command.args(["--endpoint", "local=http://127.0.0.1:1/v1"]);
        output(command).map(drop)
    }
}

/// The same work by 1, 2 and 4 workers, without faults.
fn efficiency(size: &Size, programs: &Programs, material: &Material) -> Result<()> {
    let documents = (material.documents.len() / 5).max(5).min(material.documents.len());
    let items = documents * CRITERIA;
    say(&format!(
        "\n## {items} items, {CONCURRENCY} requests at once a worker, {} ms a reply, no faults",
        size.delay_ms
    ));
    let (mut counts, mut alone) = (vec![1, 2], None);
    if size.workers > 2 {
        counts.push(size.workers);
    }
    for workers in counts {
        let server = Postgres::start_durable();
        let database = server.database();
        let injector = Injector::start(&programs.injector, size.delay_ms, None)?;
        material.queue(programs, &database, documents)?;
        let begun = Instant::now();
        let mut fleet = Workers::new(programs, material, &database, &injector);
        for _ in 0..workers {
            fleet.start()?;
        }
        fleet.wait_until_idle(Duration::from_mins(8))?;
        let seconds = begun.elapsed().as_secs_f64();
        let ideal = items as f64 * size.delay_ms as f64 / 1e3 / (workers * CONCURRENCY) as f64;
        let first = *alone.get_or_insert(seconds);
        ensure!(injector.seen()? == items as u64, "{} requests", injector.seen()?);
        say(&format!(
            "  {workers} workers   wall {seconds:>6.2} s   ideal {ideal:>6.2} s   efficiency {:>4.0} % \
             of one worker's   {:>6.2} ms an item above ideal",
            100.0 * first / (workers as f64 * seconds),
            1e3 * (seconds - ideal) / items as f64,
        ));
        if workers == size.workers {
            say(&format!("  {:.0} items a second; what is kept of them:", items as f64 / seconds));
            report::growth(&server, &database, items);
        }
    }
    Ok(())
}

/// Four workers, one of which is killed every few seconds, another stopped past its lease, and a
/// database that is restarted.
fn disturbed(size: &Size, programs: &Programs, material: &Material) -> Result<()> {
    say(&format!(
        "\n## {} items, {} workers, 5 % errors, kill -9 every {} s, the database restarted once, \
         one worker stopped for {} s",
        size.items,
        size.workers,
        size.kill_every.as_secs(),
        STOPPED.as_secs()
    ));
    let calm = undisturbed(size, programs, material)?;
    let server = Postgres::start_durable();
    let database = server.database();
    let injector = Injector::start(&programs.injector, size.delay_ms, Some(20))?;
    material.queue(programs, &database, material.documents.len())?;
    let begun = Instant::now();
    let mut fleet = Workers::new(programs, material, &database, &injector);
    for _ in 0..size.workers {
        fleet.start()?;
    }
    let faults = trouble(size, &server, &mut fleet, &injector)?;
    fleet.wait_until_idle(Duration::from_mins(8))?;
    say(&format!("  wall {:.1} s; {faults}", begun.elapsed().as_secs_f64()));
    let results = report::results(&programs.assize, &database)?;
    let bill = Bill::of(&programs.assize, &database)?;
    report::sound(&programs.assize, &database)?;
    report::tell(size.items, injector.seen()?, &bill, results == calm)
}

/// What the same run comes to when nothing happens.
fn undisturbed(size: &Size, programs: &Programs, material: &Material) -> Result<String> {
    let server = Postgres::start_durable();
    let database = server.database();
    let injector = Injector::start(&programs.injector, 0, None)?;
    material.queue(programs, &database, material.documents.len())?;
    let mut fleet = Workers::new(programs, material, &database, &injector);
    for _ in 0..size.workers.min(2) {
        fleet.start()?;
    }
    fleet.wait_until_idle(Duration::from_mins(8))?;
    report::results(&programs.assize, &database)
}

/// Kills, stops and restarts until three quarters are asked, so that there is an end.
fn trouble(
    size: &Size,
    server: &Postgres,
    fleet: &mut Workers<'_>,
    injector: &Injector,
) -> Result<String> {
    let (mut kills, mut is_restarted) = (0, false);
    let wanted = size.items as u64;
    let begun = Instant::now();
    // The first to be stopped is not killed before it wakes up.
    let stopped = fleet.stop_one()?;
    let mut next_kill = Instant::now() + size.kill_every;
    loop {
        std::thread::sleep(Duration::from_millis(100));
        let seen = injector.seen()?;
        if !is_restarted && seen > wanted / 3 {
            server.stop();
            std::thread::sleep(Duration::from_secs(1));
            server.resume();
            is_restarted = true;
        }
        if Instant::now() >= next_kill && seen < wanted * 3 / 4 {
            fleet.kill_one()?;
            fleet.start()?;
            kills += 1;
            next_kill = Instant::now() + size.kill_every;
        }
        let is_enough = is_restarted && seen >= wanted * 3 / 4;
        if is_enough && begun.elapsed() >= STOPPED {
            break;
        }
        ensure!(begun.elapsed() < Duration::from_mins(7), "{seen} of {wanted} after 7 minutes");
    }
    fleet.wake(stopped)?;
    Ok(format!("{kills} killed, 1 stopped past its lease and woken, PostgreSQL restarted once"))
}

//! The processes of the bench: the model server, and workers that can be killed.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::{CONCURRENCY, Material, Programs, REPLY};

/// The unit of Linux's figures for processes, on every machine it runs on.
const TICKS_A_SECOND: f64 = 100.0;

/// Runs a command that must succeed; what it printed.
pub(super) fn output(mut command: Command) -> Result<String> {
    let said = command.output().with_context(|| format!("could not start {command:?}"))?;
    let words = String::from_utf8_lossy(&said.stderr);
    ensure!(said.status.success(), "{command:?} failed: {words}");
    Ok(String::from_utf8(said.stdout)?)
}

/// The model server with its faults.
pub(super) struct Injector {
    process: Child,
    url: String,
}

impl Injector {
    pub(super) fn start(program: &Path, delay_ms: u64, fail_every: Option<u64>) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(["--delay-ms", &delay_ms.to_string(), "--say", REPLY]);
        if let Some(every) = fail_every {
            command.args(["--fail-every", &every.to_string()]);
        }
        let mut process = command.stdout(Stdio::piped()).spawn().context("no injector")?;
        let stdout = process.stdout.take().context("no injector")?;
        let mut url = String::new();
        BufReader::new(stdout).read_line(&mut url)?;
        Ok(Self { process, url: url.trim().to_owned() })
    }

    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// What it has cost so far, in seconds of processor time.
    pub(super) fn processor_seconds(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id()))?;
        // Behind the name, which may hold anything: the 14th and the 15th field of them all.
        let fields = status.rsplit_once(") ").context("no figures of the injector")?.1;
        let ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
        let ticks = ticks.sum::<Result<u64, _>>()?;
        Ok(ticks as f64 / TICKS_A_SECOND)
    }

    /// How many requests it has seen.
    pub(super) fn seen(&self) -> Result<u64> {
        let address = self.url.trim_start_matches("http://").trim_end_matches("/v1");
        let mut stream = TcpStream::connect(address)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET /requests HTTP/1.1\r\n\r\n")?;
        let (mut text, mut piece) = (String::new(), [0; 512]);
        loop {
            let count = stream.read(&mut piece)?;
            text.push_str(&String::from_utf8_lossy(&piece[..count]));
            let number = text.split_once("\"requests\":").map(|(_, rest)| rest);
            let digits = number.and_then(|rest| rest.split_once([',', '}']));
            match digits {
                Some((digits, _)) => return Ok(digits.trim().parse()?),
                None if count == 0 => bail!("the injector does not say what it saw: {text}"),
                None => {}
            }
        }
    }
}

impl Drop for Injector {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Workers on one database.
pub(super) struct Workers<'a> {
    programs: &'a Programs,
    material: &'a Material,
    database: &'a str,
    injector: &'a Injector,
    alive: Vec<Child>,
    /// Stopped: not killed until it is woken.
    stopped: Option<u32>,
    started: usize,
}

impl<'a> Workers<'a> {
    pub(super) fn new(
        programs: &'a Programs,
        material: &'a Material,
        database: &'a str,
        injector: &'a Injector,
    ) -> Self {
        let (alive, stopped, started) = (Vec::new(), None, 0);
        Self { programs, material, database, injector, alive, stopped, started }
    }

    pub(super) fn start(&mut self) -> Result<()> {
        self.started += 1;
        let log = self.material.folder.join(format!("worker-{}.log", self.started));
        let log = std::fs::File::create(log).context("no log")?;
        let child = Command::new(&self.programs.assize)
            .args(["worker", "--until-idle", "--database", self.database])
            .args(["--name", &format!("worker-{}", self.started)])
            .args(["--concurrency", &CONCURRENCY.to_string()])
            .args(["--endpoint", &format!("local={}", self.injector.url())])
            .arg("--config")
            .arg(self.material.folder.join("assize.toml"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .context("no worker")?;
        self.alive.push(child);
        Ok(())
    }

    /// Kills the one that has worked longest, as a machine that goes away would.
    pub(super) fn kill_one(&mut self) -> Result<()> {
        let stopped = self.stopped;
        let place = self.alive.iter().position(|child| Some(child.id()) != stopped);
        let mut child = self.alive.remove(place.context("nobody is left to kill")?);
        let killed = child.kill();
        child.wait()?;
        Ok(killed?)
    }

    /// Stops one as a cut network would: it knows nothing of it.
    pub(super) fn stop_one(&mut self) -> Result<u32> {
        // In the middle of its work.
        std::thread::sleep(Duration::from_secs(1));
        let id = self.alive.last().context("nobody is there")?.id();
        signal("-STOP", id)?;
        self.stopped = Some(id);
        Ok(id)
    }

    pub(super) fn wake(&mut self, id: u32) -> Result<()> {
        self.stopped = None;
        signal("-CONT", id)
    }

    /// Waits until all have nothing left to do. One that ended because the database was away is
    /// replaced, as an orchestrator would.
    pub(super) fn wait_until_idle(&mut self, at_most: Duration) -> Result<()> {
        let begun = Instant::now();
        while let Some(mut child) = self.alive.pop() {
            let status = loop {
                if let Some(status) = child.try_wait()? {
                    break status;
                }
                if begun.elapsed() > at_most {
                    self.alive.push(child);
                    bail!("still at work after {} seconds", at_most.as_secs());
                }
                std::thread::sleep(Duration::from_millis(20));
            };
            ensure!(status.success(), "a worker ended with {status}");
        }
        Ok(())
    }
}

impl Drop for Workers<'_> {
    fn drop(&mut self) {
        for child in &mut self.alive {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn signal(signal: &str, process: u32) -> Result<()> {
    let status = Command::new("kill").args([signal, &process.to_string()]).status()?;
    ensure!(status.success(), "could not send {signal}");
    Ok(())
}

//! One command, measured: wall clock, processor time, peak memory.

use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};
use wait4::Wait4;

/// How often a process is looked at while it runs.
const LOOK: Duration = Duration::from_millis(20);

/// What a command cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    pub(crate) wall_seconds: f64,
    pub(crate) cpu_seconds: f64,
    /// All of its pages, those of the program's file among them.
    pub(crate) peak_megabytes: f64,
    /// What it allocated, without the pages of files: the most that was seen, where the system
    /// tells.
    pub(crate) allocated_megabytes: Option<f64>,
}

/// Runs a command several times and keeps the run that took least of the processor: the clock
/// also measures who else is at work.
pub(crate) fn best_of(runs: usize, command: impl Fn() -> Command) -> Result<Cost> {
    let best = best_of_each(runs, &[()], |()| command())?;
    best.first().copied().context("a bench runs at least once")
}

/// The same for several, which take turns: whatever else is at work meets all of them.
pub(crate) fn best_of_each<T>(
    runs: usize,
    all: &[T],
    command: impl Fn(&T) -> Command,
) -> Result<Vec<Cost>> {
    let mut best: Vec<Option<Cost>> = vec![None; all.len()];
    for _ in 0..runs {
        for (one, best) in all.iter().zip(&mut best) {
            let cost = once(command(one))?;
            if best.is_none_or(|best| cost.cpu_seconds < best.cpu_seconds) {
                *best = Some(cost);
            }
        }
    }
    Ok(best.into_iter().flatten().collect())
}

/// Runs a command once.
pub(crate) fn once(mut command: Command) -> Result<Cost> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    let started = Instant::now();
    let mut child = command.spawn().with_context(|| format!("could not start {name}"))?;
    let mut stderr = child.stderr.take();
    let (over, ended) = channel();
    let (process, watching) = (child.id(), ended);
    let watching = thread::spawn(move || most_allocated(process, &watching));
    let usage = child.wait4().with_context(|| format!("could not wait for {name}"))?;
    let wall_seconds = started.elapsed().as_secs_f64();
    drop(over);
    let allocated_megabytes = watching.join().ok().flatten();
    if !usage.status.success() {
        let mut said = String::new();
        if let Some(stderr) = stderr.as_mut() {
            // What it said is only an explanation; its status already is the error.
            let _ = stderr.read_to_string(&mut said);
        }
        bail!("{name} failed: {said}");
    }
    let cpu = usage.rusage.utime + usage.rusage.stime;
    Ok(Cost {
        wall_seconds,
        cpu_seconds: cpu.as_secs_f64(),
        peak_megabytes: usage.rusage.maxrss as f64 / 1e6,
        allocated_megabytes,
    })
}

/// The most that a process was seen to have allocated until somebody says that it is over.
fn most_allocated(process: u32, over: &Receiver<()>) -> Option<f64> {
    let mut most: Option<f64> = None;
    while over.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
        let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
        let seen = kibibytes.map(|number| number * 1_024.0 / 1e6);
        most = most.into_iter().chain(seen).reduce(f64::max);
    }
    most
}

//! Asynchronous work from a command: it runs to its end, and signals ask it to stop.

use std::future::pending;
use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use assize_engine::asking::{Halt, Stop};
use tokio::runtime::Builder;
use tokio::{select, signal, task, time};

use crate::output::asking::told_to_stop;

const SIGINT: u8 = 2;
const SIGHUP: u8 = 1;
const SIGTERM: u8 = 15;

/// Whoever sends SIGTERM kills after a while, often ten seconds: what is under way by then is
/// abandoned, so that there is time left to give leases back and to note the state of the run.
const FINISHING: Duration = Duration::from_secs(7);

/// The signal that asked for an end; 0 for none.
static SIGNAL: AtomicU8 = AtomicU8::new(0);

/// The exit code of work that a signal ended: 130 after Ctrl-C, 143 after SIGTERM, 129 after
/// SIGHUP, as a shell has it.
pub(crate) fn interrupted_code() -> u8 {
    match SIGNAL.load(Ordering::Relaxed) {
        0 => 128 + SIGINT,
        signal => 128 + signal,
    }
}

/// Work that keeps its end to itself. It is one type for all commands, so that the runtime's loop
/// is compiled once and not for each of ninety kinds of work.
type Work<'a> = Pin<&'a mut dyn Future<Output = ()>>;

/// Runs work to its end. Ctrl-C, SIGTERM and SIGHUP ask it to stop, a second one more urgently.
pub(crate) fn block_on<T>(stop: &Stop, work: impl Future<Output = Result<T>>) -> Result<T> {
    ended(work, |work| run(until_done(work, stop)))
}

/// Runs work that does not listen to a wish to stop: a signal ends it where it is, and what it
/// left half done is dropped.
pub(crate) fn block_on_or_drop<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    ended(work, |work| run(until_signal(work)))
}

/// Runs work that computes without ever waiting, beside the thread that listens to signals: a
/// signal ends the command at once, with its exit code.
pub(crate) fn compute<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    block_on_or_drop(async { task::spawn_blocking(work).await? })
}

/// What the work came to; without an end it was asked to stop.
fn ended<T>(
    work: impl Future<Output = Result<T>>,
    run: impl FnOnce(Work<'_>) -> Result<()>,
) -> Result<T> {
    let mut end = None;
    {
        let kept = pin!(async { end = Some(work.await) });
        run(kept)?;
    }
    end.unwrap_or_else(|| Err(anyhow!(Halt::Asked)))
}

async fn until_done(work: Work<'_>, stop: &Stop) {
    select! {
        () = work => {}
        () = pass_on_signals(stop) => {}
    }
}

async fn until_signal(work: Work<'_>) {
    let mut signals = Signals::new();
    select! {
        () = work => {}
        signal = signals.next() => SIGNAL.store(signal, Ordering::Relaxed),
    }
}

/// Asks the work to stop at every signal, for ever.
async fn pass_on_signals(stop: &Stop) {
    let mut signals = Signals::new();
    let mut count = 0;
    loop {
        let signal = select! {
            signal = signals.next() => signal,
            () = time::sleep(FINISHING), if count == 1 && is_from_a_machine() => SIGTERM,
        };
        if count == 0 {
            SIGNAL.store(signal, Ordering::Relaxed);
        }
        count += 1;
        told_to_stop(count);
        stop.ask();
    }
}

fn run(work: impl Future<Output = ()>) -> Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.context("could not start")?;
    runtime.block_on(work);
    // A read of standard input may be under way for ever.
    runtime.shutdown_timeout(Duration::from_millis(200));
    Ok(())
}

fn is_from_a_machine() -> bool {
    matches!(SIGNAL.load(Ordering::Relaxed), SIGTERM | SIGHUP)
}

/// The signals that ask for an end.
struct Signals {
    #[cfg(unix)]
    others: Vec<(u8, signal::unix::Signal)>,
}

impl Signals {
    #[cfg(unix)]
    fn new() -> Self {
        use signal::unix::{SignalKind, signal};
        let mut others = Vec::new();
        for (number, kind) in [(SIGTERM, SignalKind::terminate()), (SIGHUP, SignalKind::hangup())] {
            // Under `nohup` a hang-up is to be ignored, and listening would undo that.
            if !is_ignored(number)
                && let Ok(signal) = signal(kind)
            {
                others.push((number, signal));
            }
        }
        Self { others }
    }

    #[cfg(not(unix))]
    fn new() -> Self {
        Self {}
    }

    async fn next(&mut self) -> u8 {
        let interrupted = async {
            match signal::ctrl_c().await {
                Ok(()) => SIGINT,
                // Nobody can interrupt us; the work ends by itself.
                Err(_) => pending().await,
            }
        };
        #[cfg(unix)]
        {
            let mut others = std::pin::pin!(async {
                let all = self.others.iter_mut();
                let all = all.map(|(number, signal)| Box::pin(received(*number, signal)));
                first(all.collect()).await
            });
            select! {
                signal = interrupted => signal,
                signal = &mut others => signal,
            }
        }
        #[cfg(not(unix))]
        interrupted.await
    }
}

#[cfg(unix)]
async fn received(number: u8, signal: &mut signal::unix::Signal) -> u8 {
    match signal.recv().await {
        Some(()) => number,
        None => pending().await,
    }
}

/// What the first of some futures says; for ever nothing, if there are none.
#[cfg(unix)]
async fn first<T>(mut all: Vec<std::pin::Pin<Box<impl Future<Output = T>>>>) -> T {
    std::future::poll_fn(|context| {
        let ready = all.iter_mut().map(|one| one.as_mut().poll(context));
        let mut ready = ready.filter(std::task::Poll::is_ready);
        ready.next().unwrap_or(std::task::Poll::Pending)
    })
    .await
}

/// Whether the process was started with this signal ignored.
#[cfg(unix)]
fn is_ignored(signal: u8) -> bool {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

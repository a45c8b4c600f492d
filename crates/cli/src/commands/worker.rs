//! `assize worker`: takes items of whatever runs there are, beside any number of others.

use std::net::SocketAddr;
use std::path::Path;
use std::process::Command as Process;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use assize_engine::asking::{AskOptions, Event, Stop};
use assize_engine::metrics::Metrics;
use assize_engine::runs::worker::{SILENCE, WorkEvent, WorkOptions, work};
use assize_engine::store::Store;
use assize_server::{listen_for_metrics, logs};
use clap::{Args, ValueEnum};

use crate::configured;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::model_args::ProviderArguments;
use crate::output::terminal;
use crate::runtime::{block_on, block_on_or_drop, interrupted_code};

/// Process queued runs, alongside any number of other workers
#[derive(Debug, Args)]
#[command(after_help = "\
SIGTERM drains the worker: it starts nothing new and finishes or releases its items within ten seconds. Guide:
docs/guide/fleet.md")]
pub(crate) struct Arguments {
    /// Name of the worker; must be unique [default: HOST-PROCESS]
    #[arg(long, value_name = "NAME", env = "ASSIZE_WORKER_NAME")]
    name: Option<String>,
    /// Maximum concurrent items, and concurrent requests per provider
    #[arg(long, value_name = "N", default_value_t = configured::concurrency())]
    concurrency: usize,
    /// Timeout for a model reply
    #[arg(long, value_name = "SECONDS", default_value_t = configured::reply_timeout_seconds())]
    reply_timeout: u64,
    /// Exit when the queue is empty instead of waiting for more
    #[arg(long)]
    until_idle: bool,
    /// Only check whether the worker with this name is alive (exit code 0 if so, 3 if not)
    #[arg(long)]
    probe: bool,
    /// Serve Prometheus metrics as GET /metrics at this address; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS")]
    metrics: Option<SocketAddr>,
    /// Log format on stderr
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    #[command(flatten)]
    providers: ProviderArguments,
    #[command(flatten)]
    database: DatabaseArguments,
}

/// How what happens is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Log {
    /// One human-readable line per event
    Text,
    /// One JSON object per line
    Json,
}

/// Works until it is stopped.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let host = host();
    if arguments.probe {
        return probe(arguments, &host);
    }
    let name = arguments.name.clone();
    let name = name.unwrap_or_else(|| format!("{host}-{}", std::process::id()));
    let stop = Stop::default();
    block_on(&stop.clone(), async {
        let store = Arc::new(Store::open(arguments.database.place()).await?);
        let asking = AskOptions {
            concurrency: arguments.concurrency,
            reply_timeout: Duration::from_secs(arguments.reply_timeout),
            ..AskOptions::default()
        };
        let config = arguments.providers.load()?;
        let ends_when_idle = arguments.until_idle;
        let options = WorkOptions {
            name: name.clone(),
            host,
            asking,
            config,
            ends_when_idle,
            runs_at_once: 1,
            wake: Arc::default(),
        };
        let log = arguments.log;
        if log == Log::Json {
            logs::start(logs::LogFormat::Json);
        }
        let metrics = Arc::new(Metrics::default());
        if let Some(address) = arguments.metrics {
            let listening = listen_for_metrics(address, Arc::clone(&metrics)).await;
            let address = listening.with_context(|| format!("cannot listen at {address}"))?;
            let words = format!("metrics at http://{address}/metrics");
            note(log, (&name, "metrics"), &words);
        }
        note(log, (&name, "started"), &format!("worker {name} started"));
        let own = name.clone();
        let tell = move |event: &WorkEvent| {
            metrics.work.worked(event);
            tell(log, &name, event);
        };
        let worked = work(Arc::clone(&store), options, tell, stop.clone()).await?;
        note(log, (&own, "ended"), &format!("{} items finished", worked.items));
        if let Ok(store) = Arc::try_unwrap(store) {
            store.close().await;
        }
        // Whoever asks a worker to stop gets what was asked for: Kubernetes counts 143 as fine.
        let is_stopped = stop.is_asked() && interrupted_code() == 128 + 2;
        Ok(if is_stopped { Done::Ended(assize_engine::ErrorKind::Interrupted) } else { Done::Fine })
    })
}

fn probe(arguments: &Arguments, host: &str) -> Result<Done> {
    block_on_or_drop(async {
        let store = Store::open_to_read(arguments.database.place()).await?;
        let workers = store.workers().list(SILENCE).await?;
        store.close().await;
        let is_meant = |worker: &&assize_engine::store::WorkerRow| match &arguments.name {
            Some(name) => worker.name == *name,
            None => worker.host == host,
        };
        let found = workers.iter().filter(is_meant).find(|worker| worker.is_alive);
        let silence = SILENCE.as_secs();
        let found = found.with_context(|| {
            let which = arguments.name.as_deref().unwrap_or(host);
            format!("no sign of life from a worker of {which} within {silence} seconds")
        });
        match found {
            Ok(worker) => {
                terminal::notice(&format!("{} is alive ({})", worker.name, worker.state));
                Ok(Done::Fine)
            }
            Err(error) => {
                terminal::complain(&error, None);
                Ok(Done::Ended(assize_engine::ErrorKind::Store))
            }
        }
    })
}

/// What this machine is called.
fn host() -> String {
    let written = std::fs::read_to_string(Path::new("/etc/hostname"));
    let asked = || {
        let output = Process::new("hostname").output().ok()?;
        String::from_utf8(output.stdout).ok()
    };
    let name = std::env::var("HOSTNAME").ok().or_else(|| written.ok()).or_else(asked);
    let name = name.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    name.unwrap_or_else(|| "host".to_owned())
}

/// What there is to say about the worker itself, as every other event is told.
fn note(log: Log, (worker, event): (&str, &str), words: &str) {
    match log {
        Log::Text => terminal::notice(words),
        Log::Json => tracing::info!(worker, event, because = words, "worker"),
    }
}

fn tell(log: Log, worker: &str, event: &WorkEvent) {
    let (name, run, because) = match event {
        WorkEvent::TookUp(run) => ("took_up", Some(run), None),
        WorkEvent::Finished(run) => ("finished", Some(run), None),
        WorkEvent::PutDown(run) => ("put_down", Some(run), None),
        WorkEvent::Failed(run, why) => ("failed", Some(run), Some(why.clone())),
        WorkEvent::LeftToOthers(run, why) => ("left_to_others", Some(run), Some(why.clone())),
        WorkEvent::Paused(run, why) => ("paused", Some(run), Some(why.clone())),
        WorkEvent::Resting(run, why) => ("resting", Some(run), Some(why.clone())),
        WorkEvent::Waiting(error) => ("database_away", None, Some(error.to_string())),
        WorkEvent::Asking(Event::Waiting(model, error, wait)) => {
            let seconds = wait.as_secs_f64();
            ("retry", None, Some(format!("{model}: {error}; retrying in {seconds:.1} seconds")))
        }
        WorkEvent::Asking(Event::Failed(model, error)) => {
            ("failed", None, Some(format!("{model}: {error}")))
        }
        _ => return,
    };
    let run = run.map(assize_engine::store::RunId::as_str);
    match log {
        Log::Text
            if matches!(
                event,
                WorkEvent::Finished(_) | WorkEvent::PutDown(_) | WorkEvent::Asking(_)
            ) => {}
        Log::Text => {
            let words = [Some(name.replace('_', " ")), run.map(ToOwned::to_owned), because];
            terminal::notice(&words.into_iter().flatten().collect::<Vec<_>>().join(": "));
        }
        // What happens to single requests is told by whoever sends them, with their names.
        Log::Json if matches!(event, WorkEvent::Asking(_)) => {}
        Log::Json => tracing::info!(worker, event = name, run, because, "worker"),
    }
}

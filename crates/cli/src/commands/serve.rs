//! `assize serve`: the API and the pages over HTTP.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::{Context, Result};
use assize_server::logs::{self, LogFormat};
use assize_server::{Settings, serve};
use clap::{Args, ValueEnum};
use tokio::runtime::Builder;
use tokio::select;
use tokio::signal::unix::{SignalKind, signal};

use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::files;

const PORT: u16 = 8780;

const EXAMPLES: &str = "\
Examples:
  assize serve                                    http://127.0.0.1:8780, this machine only, assize.db here
  assize serve --database postgres://localhost/assize --log json

It ends with Ctrl-C or SIGTERM, after the requests that are under way.";

/// Serve the API and the pages over HTTP.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value_t = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), PORT))]
    bind: SocketAddr,
    /// How a line of the log looks, on stderr
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    #[command(flatten)]
    database: DatabaseArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Log {
    /// For people
    Text,
    /// One JSON object a line
    Json,
    /// No log
    Off,
}

/// Serves until a signal ends it.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments.log {
        Log::Text => logs::start(LogFormat::Text),
        Log::Json => logs::start(LogFormat::Json),
        Log::Off => {}
    }
    let settings = Settings::new(arguments.bind, arguments.database.place());
    let runtime = Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.context("the server could not be begun")?;
    runtime.block_on(async {
        let stop = stopped()?;
        let serving = serve(settings).await?;
        files::print(&format!("Assize answers at http://{}/\n", serving.address))?;
        serving.run(stop).await;
        Ok(Done::Fine)
    })
}

/// Comes to an end with the first signal that asks for it.
fn stopped() -> Result<impl Future<Output = ()>> {
    let mut interrupted = signal(SignalKind::interrupt())?;
    let mut terminated = signal(SignalKind::terminate())?;
    Ok(async move {
        select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}

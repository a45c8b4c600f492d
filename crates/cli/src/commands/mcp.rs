//! `assize mcp`: council, summary and retrieval scoring as tools for other programs.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use assize_engine::council::file::FOLDER;
use assize_engine::summary::model::Limit;
use assize_mcp::{Ended, Settings, serve};
use clap::Args;

use crate::commands::summary::NamedEndpoint;
use crate::exit::Done;
use crate::output::terminal;

const EXAMPLES: &str = "\
Examples:
  assize mcp                                                          what a client starts; it speaks on stdin and stdout
  assize mcp --config /path/to/assize.toml --store /path/to/assize.db --budget $5
  assize mcp --endpoint http://127.0.0.1:8901/v1                      models named local/… are asked there
  assize mcp --replay transcript.jsonl                                no network: replies come from a recording

In a client's file:
  {\"mcpServers\": {\"assize\": {\"command\": \"assize\", \"args\": [\"mcp\", \"--budget\", \"$5\"]}}}

Tools: council_review, council_ask, council_rescore, summary_score, retrieval_score. They take content, never paths, and
nothing secret: providers and keys come from assize.toml and the environment of this process. A client may start it in any
folder, so name the files in full. It ends when its input is closed, or with Ctrl-C. Guide: docs/guide/mcp.md";

/// Serve tools of the Model Context Protocol on standard input and output.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Providers, prices and the council's settings [default: assize.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A server that speaks OpenAI's protocol; models of NAME (else `local`) are asked there
    #[arg(long, value_name = "[NAME=]URL")]
    endpoint: Vec<NamedEndpoint>,
    /// Where replies are kept, so that nothing is paid twice
    #[arg(long, value_name = "FILE", default_value = "assize.db")]
    store: PathBuf,
    /// Where councils are kept for `council_rescore`
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    runs: PathBuf,
    /// What all calls together may spend: 200k tokens, or $5
    #[arg(long, value_name = "TOKENS|$USD")]
    budget: Option<Limit>,
    /// Answer from a recording: no network, no store
    #[arg(long, value_name = "FILE", conflicts_with = "budget")]
    replay: Option<PathBuf>,
    /// How many requests each provider gets at once
    #[arg(long, value_name = "N", default_value_t = 16)]
    concurrency: usize,
    /// How long a reply may take
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    reply_timeout: u64,
}

/// Serves until either side ends it.
pub(crate) fn run(arguments: Arguments) -> Result<Done> {
    let settings = Settings {
        config: arguments.config,
        endpoints: arguments.endpoint.into_iter().map(|named| (named.name, named.url)).collect(),
        store: arguments.store,
        runs: arguments.runs,
        budget: arguments.budget,
        replay: arguments.replay,
        concurrency: arguments.concurrency,
        reply_timeout: Duration::from_secs(arguments.reply_timeout),
    };
    Ok(match serve(settings, terminal::remark)? {
        Ended::Closed => Done::Fine,
        Ended::Interrupted => Done::Interrupted,
    })
}

//! `assize mcp`: council, summary and retrieval scoring as tools for other programs.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use assize_engine::ErrorKind;
use assize_engine::asking::{Limit, Stop};
use assize_engine::council::file::FOLDER;
use assize_mcp::{Ended, Settings, serve};
use clap::Args;

use crate::configured;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::model_args::{ProviderArguments, variables};
use crate::output::terminal;
use crate::runtime::block_on;

const NOTES: &str = "\
Client configuration:
  {\"mcpServers\": {\"assize\": {\"command\": \"assize\", \"args\": [\"mcp\", \"--budget\", \"5usd\"]}}}

Tools: council_review, council_ask, council_rescore, summary_score, retrieval_score. They take content, never
paths or secrets: providers and keys come from assize.toml and the environment of this process. A client may
start the server in any folder, so use absolute paths for files. The server exits when its input is closed, or
on Ctrl-C. Guide: docs/guide/mcp.md";

/// Serve Model Context Protocol tools on standard input and output.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    providers: ProviderArguments,
    #[command(flatten)]
    database: DatabaseArguments,
    /// Folder of saved council runs, for `council_rescore`
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    runs: PathBuf,
    /// Total budget of all calls: 200k tokens, or 5usd
    #[arg(long, value_name = "TOKENS|USD")]
    budget: Option<Limit>,
    /// Replay a recording instead of calling models; replies are not stored
    #[arg(long, value_name = "FILE", conflicts_with = "budget")]
    replay: Option<PathBuf>,
    /// Maximum concurrent requests per provider
    #[arg(long, value_name = "N", default_value_t = configured::concurrency())]
    concurrency: usize,
    /// Timeout for a model reply
    #[arg(long, value_name = "SECONDS", default_value_t = configured::reply_timeout_seconds())]
    reply_timeout: u64,
}

/// Serves until either side ends it.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let settings = Settings {
        endpoints: arguments.providers.named_endpoints(),
        config: arguments.providers.config.clone(),
        database: arguments.database.place(),
        runs: arguments.runs.clone(),
        budget: arguments.budget.or_else(configured::budget),
        replay: arguments.replay.clone(),
        concurrency: arguments.concurrency,
        reply_timeout: Duration::from_secs(arguments.reply_timeout),
        variables: variables(),
    };
    let stop = Stop::default();
    block_on(&stop, async {
        Ok(match serve(settings, &stop, terminal::remark).await? {
            Ended::Closed => Done::Fine,
            Ended::Interrupted => Done::Ended(ErrorKind::Interrupted),
        })
    })
}

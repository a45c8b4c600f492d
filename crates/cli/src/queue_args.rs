//! Handing a run to the workers instead of judging here.

use anyhow::Result;
use assize_engine::Workspace;
use assize_engine::asking::Limit;
use assize_engine::store::Run;
use clap::Args;

use crate::exit::Done;
use crate::output::files;

/// Whether workers judge, and how soon.
#[derive(Debug, Args)]
#[command(next_help_heading = "Judging")]
pub(crate) struct QueueArguments {
    /// Queue the run for workers (`assize worker`) and return immediately
    #[arg(long)]
    pub(crate) queue: bool,
    /// With --queue: priority of the run; higher goes first
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        requires = "queue",
        allow_hyphen_values = true
    )]
    priority: i64,
}

impl QueueArguments {
    /// Queues the run and says where it can be watched.
    pub(crate) async fn hand_over(
        &self,
        workspace: &Workspace,
        run: &Run,
        budget: Option<Limit>,
    ) -> Result<Done> {
        workspace.queue_run(run, self.priority, budget).await?;
        let number = run.number;
        files::print(&format!("run #{number} queued; see its progress with `assize workers`\n"))?;
        Ok(Done::Fine)
    }
}

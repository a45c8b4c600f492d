//! `assize workers`: who works on what.

use anyhow::Result;
use assize_engine::runs::worker::SILENCE;
use assize_engine::store::{Store, WorkerRow};
use assize_wire::text::pretty;

use crate::database_args::{Format, ShowArguments};
use crate::exit::Done;
use crate::output::table::{columns, table};
use crate::output::{files, terminal};
use crate::runtime::block_on_or_drop;

/// Prints the workers, and how much is waiting for them.
pub(crate) fn run(arguments: &ShowArguments) -> Result<Done> {
    block_on_or_drop(async {
        let store = Store::open_to_read(arguments.database.place()).await?;
        let workers = store.workers().list(SILENCE).await?;
        let queues = store.workers().queues().await?;
        let depth: u64 = queues.iter().map(|queue| queue.items).sum();
        store.close().await;
        if arguments.format == Format::Json {
            files::print(&pretty(&workers))?;
            return Ok(Done::Fine);
        }
        files::print(&text(&workers))?;
        terminal::remark(&format!("{depth} items in the queue"));
        Ok(Done::Fine)
    })
}

fn text(workers: &[WorkerRow]) -> String {
    if workers.is_empty() {
        return "no workers: start one with `assize worker`\n".to_owned();
    }
    let row = |worker: &WorkerRow| {
        let held = worker.held.iter().map(|(run, items)| format!("#{run}: {items}"));
        let state = if worker.is_alive { worker.state.as_str() } else { "silent" };
        vec![
            terminal::one_line(&worker.name, 24),
            state.to_owned(),
            worker.items_done.to_string(),
            held.collect::<Vec<_>>().join(", "),
            worker.seen_at.format("%H:%M:%S").to_string(),
        ]
    };
    let headings = columns("worker | state | #done | working on (run: items) | last seen (UTC)");
    table(&headings, workers.iter().map(row).collect())
}

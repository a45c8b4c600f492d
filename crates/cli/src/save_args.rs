//! Whether a result becomes a run: `--save`, or `[run] save = true` in `assize.toml`.

use anyhow::Result;
use assize_engine::Workspace;
use assize_engine::runs::Draft;
use assize_engine::store::{NewItem, NewVerdict, Place, Run};
use clap::Args;
use tokio::runtime::{Builder, Runtime};

use crate::configured;
use crate::output::terminal;

/// Items that are written at once, and so many are in memory.
const BATCH: usize = 500;

/// Whether a result becomes a run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct SaveArguments {
    /// Save the result as a run in --database and print its number
    #[arg(long)]
    save: bool,
    /// Save the run under this name
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
}

impl SaveArguments {
    /// Whether it is to be kept: by flag, or by the configuration file.
    pub(crate) fn is_wanted(&self) -> bool {
        self.save || self.name.is_some() || configured::save()
    }

    /// The name that was given.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// Who does what is done, for the record.
pub(crate) fn who() -> Option<String> {
    ["USER", "USERNAME", "LOGNAME"].iter().find_map(|name| std::env::var(name).ok())
}

/// Opens a workspace in the name of whoever runs the command.
pub(crate) async fn workspace(place: Place) -> Result<Workspace> {
    Ok(named(Workspace::open(place).await?))
}

/// The same, to read: neither a folder nor a role that may only be read is in the way.
pub(crate) async fn reader(place: Place) -> Result<Workspace> {
    Ok(named(Workspace::open_to_read(place).await?))
}

fn named(mut workspace: Workspace) -> Workspace {
    if let Some(who) = who() {
        workspace.who = who;
    }
    workspace
}

/// Says which run it became.
pub(crate) fn saved(run: &Run) {
    terminal::notice(&format!("saved as run #{}", run.number));
}

/// Keeps items of a run as they come, for work that has no runtime of its own.
pub(crate) struct Saver {
    runtime: Runtime,
    workspace: Workspace,
    run: Run,
    waiting: Vec<(NewItem, NewVerdict)>,
    written: usize,
}

impl Saver {
    /// Begins a run.
    pub(crate) fn begin(place: Place, draft: Draft, name: Option<&str>) -> Result<Self> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let (workspace, run) = runtime.block_on(async {
            let workspace = workspace(place).await?;
            let run = workspace.begin_run(draft, name).await?;
            anyhow::Ok((workspace, run))
        })?;
        Ok(Self { runtime, workspace, run, waiting: Vec::new(), written: 0 })
    }

    /// One more item.
    pub(crate) fn add(&mut self, item: NewItem, verdict: NewVerdict) -> Result<()> {
        self.waiting.push((item, verdict));
        if self.waiting.len() < BATCH { Ok(()) } else { self.flush() }
    }

    fn flush(&mut self) -> Result<()> {
        let items = std::mem::take(&mut self.waiting);
        self.runtime.block_on(self.workspace.append_to_run(&self.run, self.written, &items))?;
        self.written += items.len();
        Ok(())
    }

    /// There are no more: the run is done.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.flush()?;
        let Self { runtime, workspace, run, .. } = self;
        runtime.block_on(async {
            workspace.end_run(&run).await?;
            workspace.close().await;
            anyhow::Ok(())
        })?;
        saved(&run);
        Ok(())
    }

    /// It came to nothing: the run goes.
    pub(crate) fn abandon(self) -> Result<()> {
        let Self { runtime, workspace, run, .. } = self;
        Ok(runtime.block_on(workspace.delete_run(&run))?)
    }
}

/// Keeps a whole result as a run, for work that has no runtime of its own.
pub(crate) fn save_whole(
    place: Place,
    draft: Draft,
    name: Option<&str>,
    items: &[(NewItem, NewVerdict)],
) -> Result<()> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let workspace = workspace(place).await?;
        let run = workspace.save(draft, name, items).await?;
        workspace.close().await;
        saved(&run);
        Ok(())
    })
}

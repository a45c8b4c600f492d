//! Holding a council from the command line: watch it, keep it, print it, say how it ended.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use assize_engine::Workspace;
use assize_engine::asking::{AskSession, Estimate, Stop};
use assize_engine::council::{
    CouncilRequest, CouncilRun, Hearing, OperatorPolicy, estimate, hold, wire,
};
use assize_engine::store::Run;
use assize_methods::council::CouncilVerdict;
use assize_methods::council::verdict::Status;
use assize_page::council::verdict as page;
use assize_wire::text::pretty;
use clap::Args;

use super::args::VerdictArguments;
use super::progress::Participants;
use super::text;
use crate::commands::evaluate::session::halted as run_halted;
use crate::exit::Done;
use crate::model_args::{AskingArguments, variables};
use crate::output::asking::{bill, estimate_lines, halted, tell};
use crate::output::shown::Format;
use crate::output::{files, terminal};
use crate::runtime::block_on;
use crate::save_args::{self, SaveArguments};

/// What every council that asks models can be told.
///
/// No group: clap would name it after the type, and the command that takes these in has one of
/// the same name.
#[derive(Debug, Args)]
#[group(skip)]
pub(super) struct Arguments {
    #[command(flatten)]
    pub(super) request: CouncilRequest,
    /// File to save the council run to, for report and rescore [default: assize-councils/ID.json;
    /// none with --replay]
    #[arg(long, value_name = "FILE", help_heading = "Council")]
    run: Option<PathBuf>,
    /// File, named pipe or /dev/fd/N to which every step of every participant is written as a line of
    /// JSON when it happens
    #[arg(long, value_name = "FILE", help_heading = "Council")]
    events: Option<PathBuf>,
    #[command(flatten)]
    output: VerdictArguments,
    #[command(flatten)]
    save: SaveArguments,
    #[command(flatten)]
    asking: AskingArguments,
}

impl Arguments {
    /// What was asked for here, under what the configuration says.
    pub(super) fn request(&self) -> Result<CouncilRequest> {
        Ok(self.request.clone().under(self.operator()?.request))
    }

    fn operator(&self) -> Result<OperatorPolicy> {
        let config = self.asking.models.providers.config.as_deref();
        Ok(OperatorPolicy::load(&variables(), config)?)
    }
}

/// Holds the council that was asked for, or says what it would take.
pub(super) fn run(hearing: &Hearing, arguments: &Arguments) -> Result<Done> {
    let Arguments { output, save: saving, asking, .. } = arguments;
    output.to.check(&[])?;
    let config = asking.models.providers.load()?;
    let stop = Stop::default();
    let is_run = saving.is_wanted() && !asking.dry_run;
    block_on(&stop, async {
        let workspace =
            if is_run { Some(save_args::workspace(asking.place()).await?) } else { None };
        let options = asking.to_options();
        let session = match &workspace {
            Some(workspace) => {
                let store = Some(Arc::clone(&workspace.store));
                AskSession::over(store, &options, config, stop.clone(), tell).await?
            }
            None => AskSession::open(&options, config, stop.clone(), tell).await?,
        };
        session.connect(hearing.models())?;
        if asking.dry_run {
            let estimate = estimate(&session, hearing).await?;
            files::print(&estimated(&estimate, hearing, output.to.format()))?;
            return Ok(Done::Fine);
        }
        let shown = Participants::new(arguments.events.as_deref())?;
        let Some(workspace) = workspace else {
            let end = hold(&session, hearing, &|step| shown.show(step)).await;
            shown.clear();
            terminal::remark(&bill(&session.account()));
            return match end {
                Ok(run) => finish(&run, arguments),
                Err(halt) => Ok(halted(&halt, asking.how_to_go_on())),
            };
        };
        let run = workspace.plan_council(hearing, saving.name(), None).await?;
        let halt = hold_run(&workspace, &run, &session, &shown).await?;
        let done = if let Some(done) = halt {
            done
        } else {
            save_args::saved(&run);
            finish(&workspace.council_of(&run).await?, arguments)?
        };
        workspace.close().await;
        Ok(done)
    })
}

/// Holds the council of a run, or goes on with it; whoever watches sees who is how far. Returns
/// how it ended, if it came to no end.
pub(crate) async fn hold_run(
    workspace: &Workspace,
    run: &Run,
    session: &AskSession,
    shown: &Participants,
) -> Result<Option<Done>> {
    let end = Box::pin(workspace.hold_council(run, session, &|step| shown.show(step))).await;
    shown.clear();
    terminal::remark(&bill(&session.account()));
    let Some(halt) = end? else { return Ok(None) };
    let run = workspace.find_run(run.id.as_str()).await?;
    let count = |number: i64| u64::try_from(number).unwrap_or_default();
    let (done, items) = (count(run.items_done), count(run.items));
    Ok(Some(run_halted(&halt, &run.number.to_string(), done, items)))
}

fn finish(run: &CouncilRun, arguments: &Arguments) -> Result<Done> {
    let Arguments { run: kept_at, output, asking, .. } = arguments;
    let verdict = run.verdict();
    // A replay leaves nothing behind unless it is told where.
    if kept_at.is_some() || asking.models.replay.is_none() {
        let key = arguments.operator()?.signing_key;
        let path = run.write(kept_at.as_deref(), key.as_ref())?;
        let path = path.display();
        terminal::remark(&format!("saved as {path}: assize council report {path}"));
    }
    print(run, &verdict, output)?;
    Ok(done(&verdict, output))
}

/// Prints a verdict in the format asked for.
pub(super) fn print(
    run: &CouncilRun,
    verdict: &CouncilVerdict,
    output: &VerdictArguments,
) -> Result<()> {
    let text = match output.to.format() {
        Format::Table => text::verdict(run, verdict, output.explain),
        Format::Json => pretty(&run.to_wire(verdict.clone())),
        Format::Html => page::render(&run.to_wire(verdict.clone())),
    };
    output.to.write(&text)
}

/// A verdict without any ranking is a failure of those who should have made one.
pub(super) fn done(verdict: &CouncilVerdict, output: &VerdictArguments) -> Done {
    match verdict.status {
        Status::NoWinner if output.require_winner => Done::ThresholdMissed,
        Status::NoWinner => Done::NoWinner,
        Status::Complete | Status::Degraded => Done::Fine,
        Status::NoQuorum | Status::NoValidBallots => Done::Unscored,
    }
}

fn estimated(estimate: &Estimate, hearing: &Hearing, format: Format) -> String {
    let names: Vec<&str> = hearing.participants().iter().map(|one| one.name.as_str()).collect();
    if format == Format::Json {
        return pretty(&wire::estimate(estimate, hearing));
    }
    format!("participants      {}\n{}", names.join(", "), estimate_lines(estimate))
}

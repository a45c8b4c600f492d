//! `assize runs resume`: what is missing of a run is judged, and nothing else.

use anyhow::{Result, bail};
use assize_engine::Workspace;
use assize_engine::asking::Stop;
use assize_engine::runs::summary as summaries;
use assize_engine::store::{Instrument, Order, Run};
use assize_wire::text::pretty;

use super::args::Resume;
use super::show;
use crate::commands::council::{Participants, hold_run};
use crate::commands::criteria::Format;
use crate::commands::evaluate::session::{bill, halted, session_over, with_existing};
use crate::commands::evaluate::work_on;
use crate::exit::Done;
use crate::output::progress::Stage;
use crate::output::{files, terminal};

/// Goes on with the run.
pub(super) fn run(arguments: &Resume) -> Result<Done> {
    with_existing(&arguments.which.database, async |workspace, stop| {
        let run = workspace.find_run(&arguments.which.run).await?;
        go_on(&workspace, run, arguments, stop).await
    })
}

/// Judges what is missing of a run.
pub(super) async fn go_on(
    workspace: &Workspace,
    run: Run,
    arguments: &Resume,
    stop: Stop,
) -> Result<Done> {
    let (number, instrument) = (run.number, run.instrument);
    if arguments.queueing.queue && instrument != Instrument::Retrieval {
        let budget = arguments.models.to_options().budget;
        return arguments.queueing.hand_over(workspace, &run, budget).await;
    }
    match instrument {
        Instrument::Compliance => compliance(workspace, &run, arguments, stop).await,
        Instrument::Summary => summary(workspace, run, arguments, stop).await,
        Instrument::Council => council(workspace, run, arguments, stop).await,
        Instrument::Retrieval => {
            bail!(
                "run #{number} is a {instrument} run, which is saved only when finished and \
                 cannot be resumed"
            )
        }
    }
}

async fn compliance(
    workspace: &Workspace,
    run: &Run,
    arguments: &Resume,
    stop: Stop,
) -> Result<Done> {
    let run = workspace.find_compliance_run(run.id.as_str()).await?;
    let session = session_over(workspace, &arguments.models, stop).await?;
    let shown = work_on::RunDisplay {
        is_json: arguments.format == Format::Json,
        weakest: arguments.weakest,
        allow_unscored: arguments.allow_unscored,
    };
    work_on::judge(workspace, run, &session, &shown).await
}

async fn summary(workspace: &Workspace, run: Run, arguments: &Resume, stop: Stop) -> Result<Done> {
    let judge = summaries::judge(&run, session_over(workspace, &arguments.models, stop).await?)?;
    let stage = Stage::of(usize::try_from(run.items).unwrap_or(usize::MAX), "judging");
    let worked = Box::pin(workspace.work_on_summaries(&run, &judge, |done| {
        stage.advance_to(usize::try_from(done).unwrap_or_default());
    }))
    .await?;
    drop(stage);
    bill(&judge.account());
    let run = workspace.find_run(run.id.as_str()).await?;
    if let Some(halt) = &worked.halt {
        let count = |number: i64| u64::try_from(number).unwrap_or_default();
        let number = run.number.to_string();
        return Ok(halted(halt, &number, count(run.items_done), count(run.items)));
    }
    show_again(workspace, &run, arguments).await?;
    terminal::remark(&format!("{} judged", worked.judged.len()));
    let failed = run.items_unscored > 0 && !arguments.allow_unscored;
    Ok(if failed { Done::Unscored } else { Done::Fine })
}

async fn council(workspace: &Workspace, run: Run, arguments: &Resume, stop: Stop) -> Result<Done> {
    let session = session_over(workspace, &arguments.models, stop).await?;
    if let Some(done) = hold_run(workspace, &run, &session, &Participants::new(None)?).await? {
        return Ok(done);
    }
    let run = workspace.find_run(run.id.as_str()).await?;
    show_again(workspace, &run, arguments).await?;
    let failed = run.items_unscored > 0 && !arguments.allow_unscored;
    Ok(if failed { Done::Unscored } else { Done::Fine })
}

async fn show_again(workspace: &Workspace, run: &Run, arguments: &Resume) -> Result<()> {
    let view = workspace.run_view(run, None, &Order::ByPosition { after: None }, 20).await?;
    files::print(&match arguments.format {
        Format::Json => pretty(&view),
        Format::Table => show::text(&view),
    })
}

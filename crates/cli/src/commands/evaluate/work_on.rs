//! Working on a run: progress while it goes on, and what came of it when it ends.

use std::time::Instant;

use anyhow::Result;
use assize_engine::Workspace;
use assize_engine::asking::{AskSession, Halt};
use assize_engine::compliance::overview::Overview;
use assize_engine::store::Run;
use assize_wire::text::pretty;

use super::report::{self, Timing};
use super::session::{bill, halted};
use crate::exit::Done;
use crate::output::progress::Stage;
use crate::output::{files, terminal};

/// How a run is shown when it ends.
pub(crate) struct RunDisplay {
    pub(crate) is_json: bool,
    pub(crate) weakest: usize,
    pub(crate) allow_unscored: bool,
}

/// Judges what is missing of a run and prints what came of it.
pub(crate) async fn judge(
    workspace: &Workspace,
    run: Run,
    session: &AskSession,
    shown: &RunDisplay,
) -> Result<Done> {
    let id = run.number.to_string();
    let (mut stage, mut done, mut planned) = (None, 0, 0);
    let begun = Instant::now();
    let ended = workspace
        .work(&run.id, session, None, |progress| {
            (done, planned) = (progress.done, progress.planned);
            let steps = |count| usize::try_from(count).unwrap_or(usize::MAX);
            let stage = stage.get_or_insert_with(|| Stage::of(steps(planned), "judging"));
            stage.advance_to(steps(done));
        })
        .await?;
    let timing = Timing { seconds: begun.elapsed().as_secs_f64(), judged: ended.judged };
    drop(stage);
    bill(&session.account());
    if let Some(halt) = &ended.halt {
        let end = halted(halt, &id, done, planned);
        if !matches!(halt, Halt::Store(_)) && done > 0 {
            print(&again(workspace, &run).await?, shown, None)?;
        }
        return Ok(end);
    }
    let overview = again(workspace, &run).await?;
    print(&overview, shown, Some(timing))?;
    terminal::remark(&timing.words());
    if !shown.is_json {
        let example = report::example(&overview);
        terminal::remark(&format!(
            "more: assize runs show {id} --criterion {example}  |  assize export {id} -o report.xlsx"
        ));
    }
    Ok(report::conclude(&overview, shown.allow_unscored))
}

async fn again(workspace: &Workspace, run: &Run) -> Result<Overview> {
    Ok(workspace.overview(workspace.find_compliance_run(run.id.as_str()).await?).await?)
}

fn print(overview: &Overview, shown: &RunDisplay, timing: Option<Timing>) -> Result<()> {
    if shown.is_json {
        return files::print(&pretty(
            &overview.to_wire(timing.map(|timing| (timing.seconds, timing.judged))),
        ));
    }
    files::print(&report::text(overview, shown.weakest))
}

//! `assize optimize`: a better prompt, rubric or judge, decided on keys it was not tuned on.

mod args;
mod text;

use anyhow::{Context, Result, ensure};
use assize_engine::Workspace;
use assize_engine::asking::{JudgeName, Stop};
use assize_engine::compliance::optimize::plan::Wanted;
use assize_engine::compliance::optimize::proceed::Proceeded;
use assize_engine::store::OptRun;
use assize_methods::compliance::Rubric;
use assize_wire::text::pretty;
use serde_json::Value;

pub(crate) use args::Arguments;
use args::{Command, Searching};

use super::criteria::Format;
use super::evaluate::session::{bill, session_over, with_existing, with_reader, with_workspace};
use crate::exit::Done;
use crate::model_args::ModelArguments;
use crate::output::asking::halted;
use crate::output::files;
use crate::output::progress::Stage;

/// Searches, shows a search, or goes on with one.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match &arguments.command {
        None => search(&arguments.search),
        Some(Command::Resume { search, models, format, database }) => {
            with_existing(database, async |workspace, stop| {
                let run = workspace.find_search(search).await?;
                proceed(&workspace, run, (models, stop), *format).await
            })
        }
        Some(Command::Show { search, format, database }) => {
            with_reader(database, async |workspace| {
                let search = workspace.search(workspace.find_search(search).await?).await?;
                let decision = search.run.verdict.clone().unwrap_or_default();
                let decision = serde_json::from_value(decision).ok();
                let shown = Proceeded { search, decision, halt: None };
                print(&shown, *format)?;
                Ok(Done::Fine)
            })
        }
    }
}

fn search(arguments: &Searching) -> Result<Done> {
    let (documents, criteria) = arguments.sets()?;
    ensure!(
        (0.1..=0.9).contains(&arguments.hold_out),
        "--hold-out must be between 0.1 and 0.9, not {}",
        arguments.hold_out
    );
    let rubrics = arguments.rubric.iter().map(|path| {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("could not read {}", path.display()))?;
        let json: Value = serde_json::from_str(&text)
            .with_context(|| format!("{} is not valid JSON", path.display()))?;
        Rubric::from_json(Some(&json))
            .with_context(|| format!("{} is not a valid rubric", path.display()))
    });
    let rubrics: Vec<Rubric> = rubrics.collect::<Result<_>>()?;
    with_workspace(&arguments.database, async |workspace, stop| {
        let mut templates = Vec::new();
        for named in &arguments.template {
            templates.push(workspace.find_template(named).await?);
        }
        let judges = match arguments.judge.as_slice() {
            [] => vec![JudgeName::Rules],
            judges => judges.to_vec(),
        };
        let wanted = Wanted {
            documents: &workspace.document_set(documents).await?,
            criteria: &workspace.criteria_set(criteria).await?,
            judges,
            templates,
            rubrics: rubrics.clone(),
            hold_out: arguments.hold_out,
            seed: arguments.seed,
            context_tokens: arguments.context_tokens,
            proposer: arguments.propose.clone(),
            proposals: if arguments.propose.is_some() { arguments.proposals } else { 0 },
            promotes: !arguments.no_promote,
        };
        let run = workspace.plan_search(&wanted).await?;
        proceed(&workspace, run, (&arguments.models, stop), arguments.format).await
    })
}

async fn proceed(
    workspace: &Workspace,
    run: OptRun,
    (models, stop): (&ModelArguments, Stop),
    format: Format,
) -> Result<Done> {
    let session = session_over(workspace, models, stop).await?;
    let mut stage: Option<(String, Stage)> = None;
    let steps = |count| usize::try_from(count).unwrap_or(usize::MAX);
    let ended = workspace
        .proceed(run, &session, |name, progress| {
            if stage.as_ref().is_none_or(|(shown, _)| shown != name) {
                stage = Some((name.to_owned(), Stage::of(steps(progress.planned), name)));
            }
            if let Some((_, stage)) = &stage {
                stage.advance_to(steps(progress.done));
            }
        })
        .await?;
    drop(stage);
    bill(&session.account());
    print(&ended, format)?;
    let Some(halt) = &ended.halt else { return Ok(Done::Fine) };
    let id = text::short(&ended.search.run);
    Ok(halted(halt, Some(&format!("resume with: assize optimize resume {id}"))))
}

fn print(ended: &Proceeded, format: Format) -> Result<()> {
    files::print(&match format {
        Format::Table => text::shown(ended),
        Format::Json => pretty(&ended.to_wire()),
    })
}

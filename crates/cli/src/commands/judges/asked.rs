//! Runs that are looked up and judges that are asked now.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, ensure};
use assize_engine::asking::{AskSession, Estimate, ModelName, Stop};
use assize_engine::judges::{Live, LiveError, Source, SourcePlace, Told};
use assize_engine::summary::agreement::Number;
use assize_engine::summary::input::{FieldPath, Fields};

use super::Bench;
use crate::exit::Done;
use crate::model_args::refuse_flag_for_rules;
use crate::output::asking::{bill, estimate_lines, halted, tell};
use crate::output::{files, terminal};
use crate::runtime::block_on;
use crate::save_args;

/// What asking came to.
pub(super) enum JudgeAnswers {
    /// Everyone's scores, by name.
    All(BTreeMap<String, Told>),
    /// The command ends here.
    Ended(Done),
}

/// Looks up runs, lets rules judge, and asks models, in the order in which they are named.
pub(super) fn run(arguments: &Bench, ids: &[String]) -> Result<JudgeAnswers> {
    let fields = Fields {
        article: FieldPath::new(&arguments.article_field),
        summary: FieldPath::new(&arguments.summary_field),
        ..Fields::default()
    };
    let live = Live {
        path: &arguments.items,
        fields: &fields,
        ids,
        framework: arguments.framework.into(),
        samples: arguments.samples,
    };
    let usual = Number::named(&arguments.measure)?;
    let (mut told, mut models) = (BTreeMap::new(), Vec::new());
    for Source { name, place } in arguments.judges.iter().chain(&arguments.raters) {
        let found = match place {
            SourcePlace::Column(_) | SourcePlace::File(_) => continue,
            SourcePlace::Run { run, measure } => of_run(arguments, run, measure.as_deref())?,
            SourcePlace::Rules { framework, number } => live.by_rules(*framework, number)?,
            SourcePlace::Model { model, number } => {
                models.push((name, model, number.as_ref().unwrap_or(&usual)));
                continue;
            }
        };
        told.insert(name.clone(), found);
    }
    if models.is_empty() {
        arguments.asking.models.refuse_for_rules()?;
        refuse_flag_for_rules(arguments.asking.dry_run, "--dry-run")?;
        refuse_flag_for_rules(arguments.samples > 1, "--samples")?;
        return Ok(JudgeAnswers::All(told));
    }
    ask(arguments, &live, &models, told)
}

fn of_run(arguments: &Bench, run: &str, measure: Option<&str>) -> Result<Told> {
    block_on(&Stop::default(), async {
        let workspace = save_args::reader(arguments.asking.place()).await?;
        let asked = match measure {
            Some(measure) => workspace.told_by_run(run, Some(measure)).await,
            // The only measure of a run needs no name; of several it is the usual one.
            None => match workspace.told_by_run(run, None).await {
                Err(_) => workspace.told_by_run(run, Some(&arguments.measure)).await,
                told => told,
            },
        };
        workspace.close().await;
        Ok(asked?)
    })
}

fn ask(
    arguments: &Bench,
    live: &Live<'_>,
    models: &[(&String, &ModelName, &Number)],
    mut told: BTreeMap<String, Told>,
) -> Result<JudgeAnswers> {
    ensure!(arguments.samples > 0, "--samples must be at least 1");
    let asking = &arguments.asking;
    let (options, config) = (asking.to_options(), asking.models.providers.load()?);
    let stop = Stop::default();
    block_on(&stop, async {
        let session = Arc::new(AskSession::open(&options, config, stop.clone(), tell).await?);
        if asking.dry_run {
            let mut estimate = Estimate::default();
            for (_, model, _) in models {
                live.estimate(&session, model, &mut estimate).await?;
            }
            files::print(&estimate_lines(&estimate))?;
            return Ok(JudgeAnswers::Ended(Done::Fine));
        }
        for (name, model, number) in models {
            match live.by_model(&session, model, number).await {
                Ok(said) => told.insert((*name).clone(), said),
                Err(LiveError::Halt(halt)) => {
                    terminal::notice(&bill(&session.account()));
                    return Ok(JudgeAnswers::Ended(halted(&halt, asking.how_to_go_on())));
                }
                Err(error) => return Err(error.into()),
            };
        }
        terminal::notice(&bill(&session.account()));
        Ok(JudgeAnswers::All(told))
    })
}

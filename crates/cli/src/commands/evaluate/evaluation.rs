//! One evaluation: imports what is needed, plans, judges, and prints what came of it.

use std::time::Instant;

use anyhow::{Result, bail, ensure};
use assize_engine::compliance::Registry;
use assize_engine::compliance::bench::{Bench, Who};
use assize_engine::compliance::plan::{Plan, short};
use assize_engine::interview::Stop;
use assize_engine::store::Run;

use super::args::{Evaluation, Format};
use super::intake;
use super::model_args::ModelArguments;
use super::report::{self, Timing};
use super::session::{bill, halted, tell, with_registry};
use crate::exit::Done;
use crate::output::progress::Stage;
use crate::output::{files, terminal};

/// How a run that was worked on is shown.
pub(crate) struct Shown {
    pub(crate) format: Format,
    pub(crate) weakest: usize,
    pub(crate) allow_unscored: bool,
}

/// Plans and judges.
pub(super) fn run(arguments: &Evaluation) -> Result<Done> {
    let Some(criteria) = &arguments.criteria else {
        bail!("name the criteria: --criteria SET, or a file to import (CSV, XLSX, OSCAL JSON)");
    };
    ensure!(
        arguments.documents.is_some() || !arguments.files.is_empty(),
        "name documents: FILES, or --documents SET"
    );
    refuse_what_only_models_take(&arguments.judging.judge, &arguments.judging.models)?;
    with_registry(&arguments.database, async |registry, stop| {
        let criteria_set = intake::criteria(&registry, criteria).await?;
        let (document_set, documents) = match &arguments.documents {
            Some(name) => intake::set(&registry, name).await?,
            None => intake::files(&registry, &arguments.files).await?,
        };
        let models = &arguments.judging.models;
        let mut bench =
            Bench::open(&registry.store, &models.to_options(), stop.clone(), tell).await?;
        let who = arguments.judging.judge.clone();
        let template = match &who {
            Who::Rules => None,
            Who::Model(_) => {
                let named = arguments.settings.template.as_deref();
                Some(registry.template_for(&criteria_set, named).await?)
            }
        };
        let plan = Plan {
            criteria_set: &criteria_set,
            document_set: &document_set,
            documents,
            who,
            template,
            rubric: None,
            context_tokens: arguments.settings.context_tokens,
            masks_identifiers: arguments.settings.mask_identifiers,
            attempt: bench.attempt,
        };
        let run = registry.plan(plan).await?;
        let output = &arguments.output;
        let shown = Shown {
            format: output.format,
            weakest: output.weakest,
            allow_unscored: output.allow_unscored,
        };
        judge(&registry, run, &mut bench, &stop, &shown).await
    })
}

/// What makes no sense without a model is not passed over in silence.
fn refuse_what_only_models_take(judge: &Who, models: &ModelArguments) -> Result<()> {
    if *judge != Who::Rules {
        return Ok(());
    }
    for (is_given, flag) in [
        (models.budget.is_some(), "--budget"),
        (models.fresh, "--fresh"),
        (models.record.is_some(), "--record"),
        (models.replay.is_some(), "--replay"),
    ] {
        ensure!(!is_given, "{flag} is about models, and rules judge: name a model with --judge");
    }
    Ok(())
}

/// Judges what is missing of a run and prints what came of it.
pub(crate) async fn judge(
    registry: &Registry,
    run: Run,
    bench: &mut Bench,
    stop: &Stop,
    shown: &Shown,
) -> Result<Done> {
    let mut stage: Option<Stage> = None;
    let mut last = (0, 0);
    let begun = Instant::now();
    let ended = registry
        .work(&run.id, bench, None, |progress| {
            last = (progress.done, progress.planned);
            let planned = usize::try_from(progress.planned).unwrap_or(usize::MAX);
            let stage = stage.get_or_insert_with(|| Stage::of(planned, "judging"));
            stage.advance_to(usize::try_from(progress.done).unwrap_or(usize::MAX));
        })
        .await?;
    let seconds = begun.elapsed().as_secs_f64();
    drop(stage);
    bill(&bench.desk.account());
    let id = short(&run.id).to_owned();
    if let Some(halt) = &ended.halt {
        let is_gone = !stop.is_asked() && matches!(halt, assize_engine::interview::Halt::Store(_));
        let done = halted(halt, &id, last.0, last.1);
        if is_gone || last.0 == 0 {
            return Ok(done);
        }
        let overview = registry.overview(registry.find_run(run.id.as_str()).await?).await?;
        print(&overview, shown, None)?;
        return Ok(done);
    }
    let timing = Timing { seconds, judged: ended.judged };
    let overview = registry.overview(registry.find_run(run.id.as_str()).await?).await?;
    print(&overview, shown, Some(timing))?;
    terminal::remark(&timing.words());
    if shown.format == Format::Table {
        terminal::remark(&format!(
            "one criterion with its citations: assize runs show {id} --criterion {}; all of it: \
             assize export {id} -o report.xlsx",
            report::example(&overview)
        ));
    }
    Ok(report::conclude(&overview, shown.allow_unscored))
}

fn print(
    overview: &assize_engine::compliance::overview::Overview,
    shown: &Shown,
    timing: Option<Timing>,
) -> Result<()> {
    files::print(&match shown.format {
        Format::Table => report::text(overview, shown.weakest),
        Format::Json => crate::output::data::pretty(&report::data(overview, timing)),
    })
}

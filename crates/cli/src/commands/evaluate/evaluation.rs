//! One evaluation: imports what is needed, plans, judges, and prints what came of it.

use anyhow::{Result, bail, ensure};
use assize_engine::compliance::bench::{Bench, Who};
use assize_engine::compliance::plan::Plan;

use super::args::{Evaluation, Format};
use super::intake;
use super::model_args::ModelArguments;
use super::session::with_registry;
use super::work_on::{self, Shown};
use crate::exit::Done;
use crate::output::asking::tell;

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
        let mut bench = Bench::open(&registry.store, &models.to_options(), stop, tell).await?;
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
            is_json: output.format == Format::Json,
            weakest: output.weakest,
            allow_unscored: output.allow_unscored,
        };
        work_on::judge(&registry, run, &mut bench, &shown).await
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

//! One evaluation: imports what is needed, plans, judges, and prints what came of it.

use anyhow::{Result, bail, ensure};
use assize_engine::asking::JudgeName;
use assize_engine::compliance::plan::Plan;

use super::args::{Evaluation, Format};
use super::intake;
use super::session::{session_over, with_registry};
use super::work_on::{self, Shown};
use crate::exit::Done;

/// Plans and judges.
pub(super) fn run(arguments: &Evaluation) -> Result<Done> {
    let Some(criteria) = &arguments.criteria else {
        bail!("name the criteria: --criteria SET, or a file to import (CSV, XLSX, OSCAL JSON)");
    };
    ensure!(
        arguments.documents.is_some() || !arguments.files.is_empty(),
        "name documents: FILES, or --documents SET"
    );
    if arguments.judge == JudgeName::Rules {
        arguments.models.refuse_for_rules()?;
    }
    with_registry(&arguments.database, async |registry, stop| {
        let criteria_set = intake::criteria(&registry, criteria).await?;
        let (document_set, documents) = match &arguments.documents {
            Some(name) => intake::set(&registry, name).await?,
            None => intake::files(&registry, &arguments.files).await?,
        };
        let session = session_over(&registry, &arguments.models, stop).await?;
        let judge = arguments.judge.clone();
        let template = if judge == JudgeName::Rules {
            None
        } else {
            let named = arguments.settings.template.as_deref();
            Some(registry.template_for(&criteria_set, named).await?)
        };
        let plan = Plan {
            criteria_set: &criteria_set,
            document_set: &document_set,
            documents,
            judge,
            template,
            rubric: None,
            context_tokens: arguments.settings.context_tokens,
            masks_identifiers: arguments.settings.mask_identifiers,
            attempt: session.attempt,
        };
        let run = registry.plan(plan).await?;
        let output = &arguments.output;
        let shown = Shown {
            is_json: output.format == Format::Json,
            weakest: output.weakest,
            allow_unscored: output.allow_unscored,
        };
        work_on::judge(&registry, run, &session, &shown).await
    })
}

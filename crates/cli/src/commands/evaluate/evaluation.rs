//! One evaluation: imports what is needed, plans, judges, and prints what came of it.

use std::path::Path;

use anyhow::{Result, bail, ensure};
use assize_engine::asking::JudgeName;
use assize_engine::compliance::evaluate;

use super::args::Evaluation;
use super::intake;
use super::session::{session_over, with_workspace};
use super::work_on::{self, RunDisplay};
use crate::database_args::Format;
use crate::exit::Done;
use crate::output::terminal::remark;

/// Plans and judges.
pub(super) fn run(arguments: &Evaluation) -> Result<Done> {
    let Some(criteria) = &arguments.criteria else {
        bail!(
            "no criteria given: use --criteria with a set, or a file to import (CSV, XLSX, OSCAL \
             JSON)"
        );
    };
    ensure!(
        arguments.documents.is_some() || !arguments.files.is_empty(),
        "no documents given: use FILES, or --documents SET"
    );
    if arguments.request.judge == Some(JudgeName::Rules) {
        arguments.models.refuse_for_rules()?;
    }
    let path = Path::new(criteria);
    let by_columns = arguments.columns.is_given() || arguments.rows.skip_unusable;
    ensure!(
        !by_columns || path.is_file(),
        "--map, --sheet and --skip-unusable only apply to a criteria file, and `{criteria}` is not \
         a file"
    );
    let mut evaluation = evaluate::Evaluation {
        criteria: criteria.clone(),
        criteria_file: path.is_file().then(|| intake::criteria_file(path)).transpose()?,
        documents: match &arguments.documents {
            Some(name) => name.clone(),
            None => intake::set_name(&arguments.files),
        },
        document_files: intake::documents(&arguments.files)?,
        request: arguments.request.clone(),
    };
    with_workspace(&arguments.database, async |workspace, stop| {
        let session = session_over(&workspace, &arguments.models, stop).await?;
        if by_columns {
            let (file, name) = (intake::criteria_file(path)?, intake::stem(path));
            let reading = arguments.columns.to_reading(arguments.rows);
            let set = (name.as_str(), "");
            workspace.import_criteria_file_by(&file, &reading, set, &mut intake::tell).await?;
            evaluation.criteria = name;
        }
        if arguments.request.judge.is_none() {
            let judge = workspace.default_judge(&evaluation.criteria).await?;
            if judge == JudgeName::Rules {
                arguments.models.refuse_for_rules()?;
            } else {
                remark(&format!("judged by {judge}, the default of this set"));
            }
            evaluation.request.judge = Some(judge);
        }
        let options = arguments.models.to_options();
        let since = match &arguments.changed_since {
            Some(name) => Some(workspace.find_compliance_run(name).await?),
            None => None,
        };
        let (attempt, tell) = (session.attempt, &mut intake::tell);
        let run = workspace.begin_changed(evaluation, attempt, since.as_ref(), tell).await?;
        if arguments.queueing.queue {
            let run = workspace.find_run(run.id.as_str()).await?;
            return arguments.queueing.hand_over(&workspace, &run, options.budget).await;
        }
        let output = &arguments.output;
        let shown = RunDisplay {
            is_json: output.format == Format::Json,
            weakest: output.weakest,
            allow_unscored: output.allow_unscored,
        };
        work_on::judge(&workspace, run, &session, &shown).await
    })
}

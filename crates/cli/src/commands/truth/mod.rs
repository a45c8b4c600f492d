//! `assize truth …`: what analysts would have answered.

mod analysts;
mod args;

use std::path::Path;

use anyhow::{Context, Result, ensure};
use assize_engine::compliance::criteria::structure;
use assize_engine::compliance::intake::{read_truth_by, truth_template};
use assize_engine::compliance::truth::{Named, TruthFile};

pub(crate) use args::Arguments;
use args::{Import, List, Template};

use super::evaluate::intake;
use super::evaluate::session::{with_existing, with_reader};
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};
use crate::output::terminal::{notice, one_line};

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments {
        Arguments::Import(arguments) => import(arguments),
        Arguments::Template(arguments) => template(arguments),
        Arguments::List(arguments) => list(arguments),
        Arguments::Agreement(arguments) => analysts::agreement(arguments),
        Arguments::Adjudicate(arguments) => analysts::adjudicate(arguments),
        Arguments::Keep(arguments) => analysts::keep(arguments),
    }
}

fn import(arguments: &Import) -> Result<Done> {
    let path = &arguments.file;
    let reading = arguments.columns.to_reading(arguments.rows);
    let read = read_truth_by(&intake::bytes(path)?, &intake::file_name(path), &reading)
        .with_context(|| format!("{} cannot be imported", path.display()))?;
    let name = intake::file_name(path);
    for words in &read.notices {
        notice(&format!("{name}: {words}"));
    }
    // Before anything is refused: all of them are to be corrected at once.
    intake::unusable(&name, &read.problems);
    with_existing(&arguments.database, async |workspace, _| {
        let documents = workspace.document_set(&arguments.sets.documents).await?;
        let criteria = workspace.criteria_set(&arguments.sets.criteria).await?;
        let sets = (&documents, &criteria);
        let skip_unusable = reading.skip_unusable;
        let file = TruthFile { name: &name, read: &read, skip_unusable };
        let imported =
            workspace.import_truth_file(sets, &file, arguments.analyst.as_deref()).await?;
        intake::unusable(&name, &imported.problems[read.problems.len()..]);
        if imported.without_number > 0 {
            notice(&format!(
                "{} keys are N/A or needs information and have no number to compare with",
                imported.without_number
            ));
        }
        if imported.not_judged > 0 {
            notice(&format!(
                "{} rows without a score were skipped as not judged",
                imported.not_judged
            ));
        }
        ensure!(imported.kept > 0, "{} contains no usable truth keys", path.display());
        files::report(&format!("{} truth keys imported\n", imported.kept))
    })
}

fn template(arguments: &Template) -> Result<Done> {
    files::check(arguments.output.as_deref(), &[])?;
    with_reader(&arguments.database, async |workspace| {
        let set = workspace.document_set(&arguments.sets.documents).await?;
        let documents = workspace.current_documents(&set).await?;
        let names: Vec<String> = documents.into_iter().map(|entry| entry.name).collect();
        let criteria = workspace.criteria_set(&arguments.sets.criteria).await?;
        let items = workspace.criteria(&criteria).await?;
        let structure = structure(&criteria)?;
        let sections: Vec<String> =
            structure.sections().iter().map(|section| section.id.clone()).collect();
        let output = arguments.output.as_deref().unwrap_or(Path::new("-"));
        let name = intake::file_name(output);
        files::write(output, &truth_template(&names, &items, &sections, &name))?;
        Ok(Done::Fine)
    })
}

fn list(arguments: &List) -> Result<Done> {
    with_reader(&arguments.shown.database, async |workspace| {
        let documents = workspace.document_set(&arguments.sets.documents).await?;
        let criteria = workspace.criteria_set(&arguments.sets.criteria).await?;
        let keys = workspace.truth(&documents, &criteria).await?;
        let rows = keys.iter().map(|named| {
            vec![
                one_line(&named.document, 28),
                one_line(&named.criterion, 14),
                named.key.expected_score.to_string(),
                named.key.score_range.to_string(),
                one_line(named.key.analyst.as_deref().unwrap_or("–"), 16),
                if named.key.is_adjudicated { "adjudicated".to_owned() } else { String::new() },
            ]
        });
        let headings = columns("document | criterion | #expected | #tier | analyst | ");
        arguments.shown.format.print(&keys.iter().map(Named::held).collect::<Vec<_>>(), |_| {
            table(&headings, rows.collect())
        })
    })
}

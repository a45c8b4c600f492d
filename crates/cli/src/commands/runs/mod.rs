//! `assize runs …`: evaluations that were begun, shown, and gone on with.

mod args;
mod criterion;

use anyhow::Result;
use assize_engine::compliance::plan::short;
use assize_wire::text::pretty;

pub(crate) use args::Arguments;
use args::{Command, List, Resume, Show};

use super::criteria::Format;
use super::evaluate::session::{session_over, with_registry};
use super::evaluate::{report, work_on};
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::one_line;

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match &arguments.command {
        Command::List(arguments) => list(arguments),
        Command::Show(arguments) => show(arguments),
        Command::Resume(arguments) => resume(arguments),
    }
}

fn list(arguments: &List) -> Result<Done> {
    with_registry(&arguments.database, async |registry, _| {
        let mut all = Vec::new();
        let mut rows = Vec::new();
        for run in registry.store.runs().list(&registry.organisation).await? {
            let entry = registry.run_entry(&run).await?;
            rows.push(vec![
                short(&run.id).to_owned(),
                entry.created_at.format("%Y-%m-%d %H:%M").to_string(),
                entry.state.clone(),
                format!("{}/{}", entry.done, entry.planned),
                one_line(&entry.judge, 14),
                one_line(&format!("{} × {}", entry.document_set, entry.criteria_set), 26),
            ]);
            all.push(entry);
        }
        let headings = [
            words("run"),
            words("planned (UTC)"),
            words("state"),
            numbers("done"),
            words("judge"),
            words("documents × criteria"),
        ];
        files::print(&match arguments.format {
            Format::Json => pretty(&all),
            Format::Table => table(&headings, rows),
        })?;
        Ok(Done::Fine)
    })
}

fn show(arguments: &Show) -> Result<Done> {
    with_registry(&arguments.database, async |registry, _| {
        let run = registry.find_run(&arguments.run).await?;
        if let Some(id) = &arguments.criterion {
            let document = arguments.document.as_deref();
            let text = criterion::shown(&registry, &run, (id, document), arguments.format).await?;
            files::print(&text)?;
            return Ok(Done::Fine);
        }
        let mut overview = registry.overview(run).await?;
        if let Some(name) = &arguments.document {
            overview.only_document(name)?;
        }
        files::print(&match arguments.format {
            Format::Json => pretty(&overview.to_wire(None)),
            Format::Table => report::text(&overview, arguments.weakest),
        })?;
        Ok(Done::Fine)
    })
}

fn resume(arguments: &Resume) -> Result<Done> {
    with_registry(&arguments.database, async |registry, stop| {
        let run = registry.find_run(&arguments.run).await?;
        let session = session_over(&registry, &arguments.models, stop).await?;
        let shown = work_on::Shown {
            is_json: arguments.format == Format::Json,
            weakest: arguments.weakest,
            allow_unscored: arguments.allow_unscored,
        };
        work_on::judge(&registry, run, &session, &shown).await
    })
}

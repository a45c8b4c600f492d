//! `assize criteria …`: what documents are evaluated against, and how scores are given.

mod args;
mod configure;
mod edit;
mod templates;

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use assize_engine::compliance::criteria::{ImportEnded, rubric, structure};
use assize_engine::compliance::intake::{CatalogHead, write_criteria};
use assize_engine::compliance::wire::criteria_set;
use assize_engine::store::{CriteriaItem, CriteriaSet};
use assize_wire::compliance::CriteriaSetEntry;
use assize_wire::text::pretty;

pub(crate) use args::Arguments;
use args::{Export, Import, Show};

use super::evaluate::intake;
use super::evaluate::session::{with_reader, with_workspace};
pub(crate) use crate::database_args::Format;
use crate::database_args::ShowArguments;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table, words};
use crate::output::terminal::one_line;

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments {
        Arguments::Import(arguments) => import(arguments),
        Arguments::List(arguments) => list(arguments),
        Arguments::Show(arguments) => show(arguments),
        Arguments::Export(arguments) => export(arguments),
        Arguments::Rename(arguments) => edit::rename(arguments),
        Arguments::Archive(arguments) => edit::archive(arguments),
        Arguments::Delete(arguments) => edit::delete(arguments),
        Arguments::Rubric(arguments) => configure::rubric(arguments),
        Arguments::Structure(arguments) => configure::structure(arguments),
        Arguments::Template(arguments) => templates::run(arguments),
    }
}

fn import(arguments: &Import) -> Result<Done> {
    with_workspace(&arguments.database, async |workspace, _| {
        let name = arguments.name.clone().unwrap_or_else(|| intake::stem(&arguments.file));
        let file = intake::criteria_file(&arguments.file)?;
        let (reading, set) =
            (arguments.columns.to_reading(arguments.rows), (&*name, &*arguments.description));
        let ended =
            workspace.import_criteria_file_by(&file, &reading, set, &mut intake::tell).await?;
        let ImportEnded { added, changed, unchanged, removed, .. } = ended;
        let mut text = format!("{}: {added} added", one_line(&name, 40));
        for (count, word) in [(changed, "changed"), (unchanged, "unchanged"), (removed, "removed")]
        {
            if count > 0 {
                let _ = write!(text, ", {count} {word}");
            }
        }
        files::report(&format!("{text}\n"))
    })
}

fn list(arguments: &ShowArguments) -> Result<Done> {
    with_reader(&arguments.database, async |workspace| {
        let all = workspace.criteria_set_entries().await?;
        let row = |set: &CriteriaSetEntry| {
            vec![
                one_line(&set.name, 30),
                set.criteria.to_string(),
                set.tiers.to_string(),
                set.updated_at.format("%Y-%m-%d %H:%M").to_string(),
            ]
        };
        let rows = all.iter().map(row).collect();
        arguments.format.print(&all, |_| {
            table(&columns("criteria set | #criteria | #tiers | changed (UTC)"), rows)
        })
    })
}

fn show(arguments: &Show) -> Result<Done> {
    with_reader(&arguments.shown.database, async |workspace| {
        let set = workspace.criteria_set(&arguments.set).await?;
        let items = workspace.criteria(&set).await?;
        files::report(&match arguments.shown.format {
            Format::Json => pretty(&criteria_set(&set, &items)?),
            Format::Table => shown_text(&set, &items)?,
        })
    })
}

fn shown_text(set: &CriteriaSet, items: &[CriteriaItem]) -> Result<String> {
    let mut text = format!("{}: {} criteria\n", one_line(&set.name, 60), items.len());
    if !set.description.is_empty() {
        let _ = writeln!(text, "{}", one_line(&set.description, 200));
    }
    if let Some(judge) = &set.default_judge {
        let search = set.promoted_by.as_deref().map(|id| format!(", promoted by search {id}"));
        let _ = writeln!(text, "judged by {judge}{}", search.unwrap_or_default());
    }
    let sections = structure(set)?;
    let ids: Vec<&str> = sections.sections().iter().map(|section| section.id.as_str()).collect();
    let _ = writeln!(text, "{} tiers; sections: {}\n", rubric(set)?.tiers().len(), ids.join(", "));
    let rows = items
        .iter()
        .map(|item| vec![one_line(&item.criteria_id, 14), one_line(&item.requirement, 58)]);
    text.push_str(&table(&[words("criterion"), words("requirement")], rows.collect()));
    Ok(text)
}

fn export(arguments: &Export) -> Result<Done> {
    files::check(arguments.output.as_deref(), &[])?;
    with_reader(&arguments.which.database, async |workspace| {
        let set = workspace.criteria_set(&arguments.which.set).await?;
        let items = workspace.criteria(&set).await?;
        let output = arguments.output.as_deref().unwrap_or(Path::new("-"));
        let head = CatalogHead {
            title: set.name.clone(),
            version: "1".to_owned(),
            last_modified: set.updated_at.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
        };
        files::write(output, &write_criteria(&items, &intake::file_name(output), &head))?;
        Ok(Done::Fine)
    })
}

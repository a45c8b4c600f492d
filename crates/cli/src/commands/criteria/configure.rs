//! Rubric and response structure of a set: shown, set from a file, reset.

use std::fmt::Write;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result};
use assize_engine::compliance::ComplianceError;
use assize_engine::compliance::criteria;
use assize_methods::compliance::{ResponseStructure, Rubric};
use serde_json::Value;

use super::args::Configure;
use crate::commands::evaluate::session::{with_reader, with_workspace};
use crate::edit_args::WhichSet;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};
use crate::output::terminal::{one_line, quiet};

/// The tiers that turn scores into labels.
pub(super) fn rubric(arguments: &Configure) -> Result<Done> {
    match arguments {
        Configure::Show(show) => with_reader(&show.shown.database, async |workspace| {
            let rubric = criteria::rubric(&workspace.criteria_set(&show.set).await?)?;
            show.shown.format.print(&rubric, rubric_text)
        }),
        Configure::Set { set, file, database } => {
            let rubric = Rubric::from_json(Some(&json(file)?)).map_err(ComplianceError::from)?;
            with_workspace(database, async |workspace, _| {
                let mut found = workspace.criteria_set(set).await?;
                workspace.set_rubric(&mut found, Some(&rubric)).await?;
                files::report(&rubric_text(&rubric))
            })
        }
        Configure::Reset(WhichSet { set, database }) => {
            with_workspace(database, async |workspace, _| {
                let mut found = workspace.criteria_set(set).await?;
                workspace.set_rubric(&mut found, None).await?;
                files::report(&rubric_text(&Rubric::default()))
            })
        }
    }
}

fn rubric_text(rubric: &Rubric) -> String {
    let rows = rubric.tiers().iter().map(|tier| {
        let status = rubric.status(f64::from(tier.min));
        vec![
            status.tier.to_string(),
            format!("{}-{}", tier.min, tier.max),
            one_line(&tier.label, 24),
            status.colour,
        ]
    });
    let headings = columns("#tier | #score | label | colour");
    let mut text = table(&headings, rows.collect());
    let _ = writeln!(text, "\n{}\n{}", quiet("As shown in a prompt:"), rubric.prompt_text());
    text
}

/// The sections that a judge writes.
pub(super) fn structure(arguments: &Configure) -> Result<Done> {
    match arguments {
        Configure::Show(show) => with_reader(&show.shown.database, async |workspace| {
            let structure = criteria::structure(&workspace.criteria_set(&show.set).await?)?;
            show.shown.format.print(&structure, structure_text)
        }),
        Configure::Set { set, file, database } => {
            let structure = ResponseStructure::from_json(Some(&json(file)?));
            let structure = structure.map_err(ComplianceError::from)?;
            with_workspace(database, async |workspace, _| {
                let mut found = workspace.criteria_set(set).await?;
                workspace.set_structure(&mut found, Some(&structure)).await?;
                files::report(&structure_text(&structure))
            })
        }
        Configure::Reset(WhichSet { set, database }) => {
            with_workspace(database, async |workspace, _| {
                let mut found = workspace.criteria_set(set).await?;
                workspace.set_structure(&mut found, None).await?;
                files::report(&structure_text(&ResponseStructure::default()))
            })
        }
    }
}

fn structure_text(structure: &ResponseStructure) -> String {
    let rows = structure.sections().iter().map(|section| {
        let required = if section.required { "required" } else { "optional" };
        vec![
            section.id.clone(),
            section.kind.word().to_owned(),
            required.to_owned(),
            one_line(&section.description, 40),
        ]
    });
    table(&columns("section | type |  | what to write"), rows.collect())
}

fn json(path: &Path) -> Result<Value> {
    let mut text = String::new();
    if path == Path::new("-") {
        std::io::stdin().read_to_string(&mut text).context("could not read standard input")?;
    } else {
        text = std::fs::read_to_string(path)
            .with_context(|| format!("could not read {}", path.display()))?;
    }
    serde_json::from_str(&text).with_context(|| format!("{} is not valid JSON", path.display()))
}

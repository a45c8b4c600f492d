//! `assize runs verdicts`: what holds for the documents of a run taken together.

use std::fmt::Write;

use anyhow::Result;
use assize_methods::compliance::set_verdicts::{SetOutcome, SetVerdict};
use assize_wire::text::pretty;
use assize_wire::verdicts::SetVerdicts;

use super::args::ShownRun;
use super::with_existing;
use crate::commands::criteria::Format;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{one_line, strong};

/// Prints the verdicts.
pub(super) fn run(arguments: &ShownRun) -> Result<Done> {
    with_existing(&arguments.which.database, async |registry| {
        let run = registry.find_run(&arguments.which.run).await?;
        let overview = registry.overview(run).await?;
        let found = registry.set_verdicts_view(&overview).await?;
        files::print(&match arguments.format {
            Format::Json => pretty(&found),
            Format::Table => text(&found),
        })?;
        Ok(Done::Fine)
    })
}

fn text(found: &SetVerdicts) -> String {
    let report = &found.report;
    let overall = match (report.score, &report.status) {
        (Some(score), Some(status)) => format!("{score:.1}, {}", status.label),
        _ => "no score".to_owned(),
    };
    let mut text = format!(
        "{}\n{} of {} criteria have a score; each is decided by its best document\n\n",
        strong(&format!("Run #{}, {} documents: {overall}", found.run, found.documents.len())),
        report.scored,
        report.verdicts.len()
    );
    let rows = report.verdicts.iter().map(|one| cells(one, &found.documents));
    let headings = [
        words("criterion"),
        words("category"),
        numbers("weight"),
        numbers("score"),
        words("verdict"),
        words("document"),
    ];
    text.push_str(&table(&headings, rows.collect()));
    if !report.categories.is_empty() {
        let rows = report.categories.iter().map(|one| {
            vec![
                one_line(&one.category, 32),
                number(one.score),
                one.status.as_ref().map_or_else(String::new, |status| one_line(&status.label, 20)),
                format!("{}/{}", one.scored, one.criteria),
            ]
        });
        let headings = [words("category"), numbers("score"), words("verdict"), numbers("scored")];
        let _ = write!(text, "\n{}", table(&headings, rows.collect()));
    }
    text
}

fn cells(one: &SetVerdict, documents: &[String]) -> Vec<String> {
    let verdict = match (&one.status, one.outcome) {
        (Some(status), _) => status.label.as_str(),
        (None, SetOutcome::NotApplicable) => "not applicable",
        (None, SetOutcome::NeedsInformation) => "needs information",
        (None, SetOutcome::Failed) => "failed",
        (None, _) => "not judged yet",
    };
    let document = one.document.and_then(|place| documents.get(place));
    vec![
        one_line(&one.criteria_id, 10),
        one_line(one.category.as_deref().unwrap_or("–"), 12),
        one.weight.to_string(),
        number(one.score),
        one_line(verdict, 16),
        one_line(document.map_or("–", String::as_str), 12),
    ]
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.1}"))
}

//! `assize runs verdicts`: what holds for the documents of a run taken together.

use std::fmt::Write;

use anyhow::Result;
use assize_methods::compliance::set_verdicts::{SetOutcome, SetVerdict};
use assize_wire::number::counted;
use assize_wire::verdicts::SetVerdicts;

use super::args::ShownRun;
use crate::commands::evaluate::session::with_reader;
use crate::exit::Done;
use crate::output::table::{columns, table};
use crate::output::terminal::{one_line, strong};

/// Prints the verdicts.
pub(super) fn run(arguments: &ShownRun) -> Result<Done> {
    with_reader(&arguments.which.database, async |workspace| {
        let run = workspace.find_compliance_run(&arguments.which.run).await?;
        let overview = workspace.overview(run).await?;
        let found = overview.set_verdicts();
        arguments.format.print(&found, text)
    })
}

fn text(found: &SetVerdicts) -> String {
    let report = &found.report;
    let documents = counted(found.documents.len(), "document", "documents");
    let all = counted(report.verdicts.len(), "criterion", "criteria");
    let head = format!("Run #{}, {documents}: {} of {all} met", found.run, report.met);
    let mean = report.score.map_or_else(|| "none".to_owned(), |mean| format!("{mean:.1}"));
    let mut text = format!(
        "{}\nmean by weight {mean}, of {} with a score; each takes its best document\n\n",
        strong(&head),
        report.scored,
    );
    let rows = report.verdicts.iter().map(|one| cells(one, &found.documents));
    let headings = columns("criterion | category | #weight | #score | verdict | document");
    text.push_str(&table(&headings, rows.collect()));
    text.push_str(&contradictions(found));
    if !report.categories.is_empty() {
        let rows = report.categories.iter().map(|one| {
            vec![
                one_line(&one.category, 32),
                number(one.score),
                format!("{} of {}", one.met, one.criteria),
                one.scored.to_string(),
            ]
        });
        let headings = columns("category | #mean | #met | #scored");
        let _ = write!(text, "\n{}", table(&headings, rows.collect()));
    }
    text
}

/// What one document states and another denies, with the documents and what follows.
fn contradictions(found: &SetVerdicts) -> String {
    let name = |place: &usize| found.documents.get(*place).map_or("–", String::as_str);
    let mut text = String::new();
    for one in found.report.verdicts.iter().filter(|one| !one.contradicted_by.is_empty()) {
        let stating = one.document.as_ref().map_or("–", name);
        let denying: Vec<&str> = one.contradicted_by.iter().map(name).collect();
        let _ = write!(
            text,
            "\n{} is contradicted: {} states it\n",
            one_line(&one.criteria_id, 20),
            one_line(stating, 36)
        );
        for document in denying {
            let _ = writeln!(text, "  {} denies it", one_line(document, 60));
        }
        for cap in &one.caps {
            let _ = writeln!(text, "  at most {}, because {}", cap.at_most, cap.because);
        }
    }
    text
}

fn cells(one: &SetVerdict, documents: &[String]) -> Vec<String> {
    let verdict = match (&one.status, one.outcome) {
        (Some(_), _) if !one.contradicted_by.is_empty() => "contradicted",
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

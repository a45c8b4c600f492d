//! One line for each document and criterion.
//!
//! A text that a spreadsheet would take for a formula gets one apostrophe in
//! front. So that nothing is lost, a text that already has apostrophes in front
//! of such a beginning gets one more: taking one away always gives the text back.

use std::io::Write;

use ::csv::{Terminator, WriterBuilder};

use crate::report::{Report, Row, State};
use crate::text::{self, looks_like_formula, plain};
use crate::{ExportError, Section, SectionValue};

/// The columns before those of the sections.
const COLUMNS: [&str; 20] = [
    "document",
    "criteria_id",
    "requirement",
    "state",
    "ai_state",
    "failure_reason",
    "ai_score",
    "ai_confidence",
    "override_score",
    "override_state",
    "override_by",
    "override_at",
    "override_reason",
    "overrides_before",
    "effective_score",
    "status",
    "tier",
    "citations_found",
    "citations_not_found",
    "citations",
];

/// One more, in a run where documents contradict each other; without one, the columns are those that
/// people's scripts know.
const CONTRADICTED: &str = "contradicted_by";

/// One more, in a run with documents that hide text or speak to the judge.
const FINDINGS: &str = "document_findings";

/// Writes a header and one record for each row: UTF-8, lines end with CRLF (RFC 4180).
pub fn write(report: &Report, out: impl Write) -> Result<(), ExportError> {
    let written = section_names(report, |row| &row.sections);
    let rewritten = section_names(report, |row| {
        row.current_override.as_ref().map_or(&[], |made| &made.sections)
    });
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(out);
    let is_contradicted = report.rows.iter().any(|row| !row.contradicted_by.is_empty());
    let has_findings = report.documents.iter().any(|document| !document.findings.is_empty());
    let findings = |row: &Row| {
        let own = report.documents.iter().find(|document| document.name == row.document);
        cell(&own.map(|document| document.findings.join("\n")).unwrap_or_default())
    };
    let header = COLUMNS
        .iter()
        .chain(is_contradicted.then_some(&CONTRADICTED))
        .chain(has_findings.then_some(&FINDINGS))
        .map(ToString::to_string)
        .chain(written.iter().map(|name| format!("section: {}", plain(name))))
        .chain(rewritten.iter().map(|name| format!("override section: {}", plain(name))));
    writer.write_record(header)?;
    for row in &report.rows {
        let made = row.current_override.as_ref().map_or(&[][..], |made| &made.sections);
        let sections = written.iter().map(|name| section(&row.sections, name));
        let overridden = rewritten.iter().map(|name| section(made, name));
        let against = is_contradicted.then(|| cell(&row.contradicted_by.join("\n")));
        let noticed = has_findings.then(|| findings(row));
        let cells = leading(row).into_iter().chain(against).chain(noticed);
        writer.write_record(cells.chain(sections).chain(overridden))?;
    }
    writer.flush()?;
    Ok(())
}

/// The cells of a row before those of its sections.
fn leading(row: &Row) -> [String; COLUMNS.len()] {
    let made = row.current_override.as_ref();
    let found = row.citations.iter().filter(|citation| citation.found).count();
    let before: Vec<_> = row.override_history.iter().map(text::override_line).collect();
    let citations: Vec<_> = row
        .citations
        .iter()
        .map(|citation| format!("“{}” ({})", citation.quote, text::place(citation)))
        .collect();
    [
        cell(&row.document),
        cell(&row.criteria_id),
        cell(&row.requirement),
        row.effective_state().name().to_owned(),
        row.state.name().to_owned(),
        cell(row.state.reason()),
        number(row.ai_score),
        number(row.ai_confidence),
        number(made.and_then(|made| made.score)),
        made.and_then(|made| made.state.as_ref()).map_or("", State::name).to_owned(),
        cell(made.map_or("", |made| &made.who)),
        cell(made.map_or("", |made| &made.when)),
        cell(made.map_or("", |made| &made.why)),
        cell(&before.join("\n")),
        number(row.effective_score),
        cell(row.status.as_ref().map_or("", |status| &status.label)),
        number(row.status.as_ref().map(|status| status.tier)),
        found.to_string(),
        row.citations.iter().filter(|citation| citation.is_missing()).count().to_string(),
        cell(&citations.join("\n")),
    ]
}

/// The names of all sections, in the order in which they first come.
pub(crate) fn section_names<'a>(
    report: &'a Report,
    sections: impl Fn(&'a Row) -> &'a [Section],
) -> Vec<&'a str> {
    let mut names: Vec<&str> = Vec::new();
    for section in report.rows.iter().flat_map(sections) {
        if !names.contains(&section.name.as_str()) {
            names.push(&section.name);
        }
    }
    names
}

/// The cell of a section; numbers are left as they are.
fn section(sections: &[Section], name: &str) -> String {
    match text::section(sections, name) {
        Some(SectionValue::Number(value)) => value.to_string(),
        Some(value) => cell(&text::value(value)),
        None => String::new(),
    }
}

/// A text that no spreadsheet calculates.
fn cell(text: &str) -> String {
    let text = plain(text);
    if looks_like_formula(&text) { format!("'{text}") } else { text }
}

/// A number as it is; nothing where there is none.
fn number(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

//! Answers checked one by one: what was found, where, and what excused it.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use assize_engine::gate::{FIELDS, read_by};
use assize_engine::input::Source;
use assize_methods::gate::{Gate, GateReport};
use assize_wire::gate::{Checked, CheckedAnswer};
use assize_wire::text::pretty;

use super::model::{self, ModelAnswers};
use super::{Arguments, Format, holds_records};
use crate::exit::Done;
use crate::output::{files, terminal};

const MATCHED_CHARACTERS_MAX: usize = 80;

/// Checks the answers of a file and prints what was found.
pub(super) fn run(arguments: &Arguments, gate: &Gate, file: &Path) -> Result<Done> {
    let answers: Vec<(String, String)> = if holds_records(file) {
        let map = arguments.columns.to_map(&FIELDS)?;
        let answers = read_by(file, "source", &map, arguments.columns.sheet.as_deref())?;
        answers.into_iter().map(|answer| (answer.id, answer.response)).collect()
    } else {
        let source = Source::open(file)?;
        vec![(file.display().to_string(), source.text()?.to_owned())]
    };
    let mut reports: Vec<GateReport> =
        answers.iter().map(|(_, answer)| gate.check(answer)).collect();
    let texts: Vec<(&str, &str)> = answers.iter().map(|(id, text)| (&**id, &**text)).collect();
    let asked = match model::run(arguments, &texts, &mut reports)? {
        ModelAnswers::Ended(done) => return Ok(done),
        asked => asked,
    };
    let ids = answers.into_iter().map(|(id, _)| id);
    let reports: Vec<(String, GateReport)> = ids.zip(reports).collect();
    let failed = reports.iter().filter(|(_, report)| !report.passed).count();
    let text = match arguments.format {
        Format::Text => render(&reports, failed),
        Format::Json => {
            let answer = |(id, report): &(String, GateReport)| CheckedAnswer {
                id: id.clone(),
                report: report.clone(),
            };
            let answers: Vec<_> = reports.iter().map(answer).collect();
            pretty(&Checked { checked: answers.len(), failed, answers })
        }
    };
    files::print(&text)?;
    let done = if failed == 0 { Done::Fine } else { Done::ThresholdMissed };
    Ok(model::end(arguments, &asked, done))
}

fn render(reports: &[(String, GateReport)], failed: usize) -> String {
    let mut text = String::new();
    for (id, report) in reports {
        let verdict = if report.passed { "PASS" } else { "FAIL" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{verdict} {}", terminal::strong(&terminal::one_line(id, 60)));
        for finding in &report.findings {
            let context = &finding.context;
            let because = match (context.excused, context.rule.as_str()) {
                (true, rule) => format!("excused: {rule}"),
                (false, "none") => "nothing excuses it".to_owned(),
                (false, rule) => format!("{rule} does not excuse it"),
            };
            let seen = if context.seen.is_empty() {
                String::new()
            } else {
                format!(" ({})", terminal::one_line(&context.seen, MATCHED_CHARACTERS_MAX))
            };
            let _ = writeln!(
                text,
                "  {}..{} {} {}: \"{}\"\n      {}",
                finding.start,
                finding.end,
                finding.category,
                finding.rule,
                terminal::one_line(&finding.matched, MATCHED_CHARACTERS_MAX),
                terminal::quiet(&format!("{because}{seen}")),
            );
        }
    }
    let _ = writeln!(text, "{} checked, {failed} failed", reports.len());
    text
}

//! The gate measured on labelled answers, as tables.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, ensure};
use assize_engine::gate::{
    Evaluation, FIELDS, Figures, HeldOut, Label, Share, SpanFigures, Stages, check, evaluate,
    labelled, read_by,
};
use assize_engine::thresholds::Relation;
use assize_methods::gate::Gate;
use assize_wire::text::pretty;

use super::model::{self, ModelAnswers};
use super::{Arguments, Format};
use crate::commands::thresholds;
use crate::exit::Done;
use crate::output::table::{Heading, columns, numbers, table, words};
use crate::output::{files, terminal};

/// Measures and prints; a limit that was set and missed ends with 1.
pub(super) fn run(arguments: &Arguments, gate: &Gate, file: &Path) -> Result<Done> {
    let map = arguments.columns.to_map(&FIELDS)?;
    let sheet = arguments.columns.sheet.as_deref();
    let answers = read_by(file, &arguments.hold_out, &map, sheet)?;
    let unlabelled = answers.iter().filter(|answer| answer.label.is_none()).count();
    ensure!(unlabelled < answers.len(), "{}: no record has a `label`", file.display());
    if unlabelled > 0 {
        terminal::notice(&format!("{unlabelled} records have no label and are skipped"));
    }
    let answers = labelled(answers);
    let mut reports = check(gate, &answers);
    let texts: Vec<(&str, &str)> =
        answers.iter().map(|answer| (&*answer.id, &*answer.response)).collect();
    let asked = match model::run(arguments, &texts, &mut reports)? {
        ModelAnswers::Ended(done) => return Ok(done),
        asked => asked,
    };
    let evaluation = evaluate(gate, &answers, &reports);
    let text = match arguments.format {
        Format::Text => render(&evaluation, &arguments.hold_out),
        Format::Json => pretty(&evaluation),
    };
    files::print(&text)?;
    let overall = evaluation.overall;
    let value = |share: Option<Share>, default| Some(share.map_or(default, |share| share.value));
    // Where nothing is unsafe nothing can be missed, and where nothing is safe nothing can be
    // stopped wrongly.
    let (recall, rate) = (value(overall.recall, 1.0), value(overall.false_positive_rate, 0.0));
    let (least, most) = (arguments.min_recall, arguments.max_false_positive_rate);
    let done = thresholds::limits(&[
        ("recall", recall, Relation::AtLeast, least),
        ("false_positive_rate", rate, Relation::AtMost, most),
    ]);
    Ok(model::end(arguments, &asked, done))
}

fn render(evaluation: &Evaluation, hold_out: &str) -> String {
    let mut text = String::new();
    let mut section = |title: &str, body: String| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}\n{body}", terminal::strong(title));
    };
    section("Overall", figures(std::iter::once(("all answers", evaluation.overall))));
    if let Some(found) = &evaluation.stages {
        section(
            "Stage by stage",
            stages(found, evaluation.without_model.unwrap_or(evaluation.overall)),
        );
    }
    if let Some(without) = evaluation.without_model {
        let rows = [("without the model", without), ("with it", evaluation.overall)];
        section("What the model adds", figures(rows));
    }
    if let Some((tuned, other)) = evaluation.halves {
        let rows = [("tuning half", tuned), ("test half", other)];
        section("Halves by prompt", figures(rows));
    }
    section("By gate category", gate_categories(evaluation));
    section("By category in the file", figures(named(&evaluation.by_category)));
    section("By source", figures(named(&evaluation.by_source)));
    if evaluation.by_kind.len() <= KINDS_MAX {
        section("By kind of answer", kinds(evaluation));
    }
    match &evaluation.held_out {
        Some(parts) => section(&format!("One {hold_out} held out at a time"), held_out(parts)),
        None => section(
            &format!("One {hold_out} held out at a time"),
            format!(
                "not possible: there is only one {hold_out} (choose another field with --hold-out \
                 FIELD)\n"
            ),
        ),
    }
    if let Some(identifiers) = &evaluation.identifiers {
        section("Identifiers of the high-risk tier", spans(identifiers));
    }
    section(&format!("Wrong: {}", evaluation.wrong.len()), wrong(evaluation));
    text
}

/// Each stage, and both at other thresholds of the second.
fn stages(found: &Stages, both: Figures) -> String {
    let rows = [("rules", found.rules), ("learned", found.learned), ("both", both)];
    let mut text = figures(rows);
    let curve = found.curve.iter().map(|point| {
        let mark = if point.is_used { " (used)" } else { "" };
        (format!("{:+.2}{mark}", point.threshold), point.both)
    });
    let curve: Vec<(String, Figures)> = curve.collect();
    let _ = write!(
        text,
        "both stages, at other thresholds of the classifier\n{}",
        figures(named(&curve))
    );
    text
}

/// A file in which every answer is a kind of its own needs no table of kinds.
const KINDS_MAX: usize = 20;

fn share(share: Option<Share>) -> String {
    share.map_or_else(
        || "–".to_owned(),
        |share| {
            let Share { part, whole, value, low, high } = share;
            format!("{value:.3} [{low:.3}, {high:.3}] {part}/{whole}")
        },
    )
}

/// A share without its counts.
fn rate(share: Option<Share>) -> String {
    let text = |Share { value, low, high, .. }| format!("{value:.3} [{low:.3}, {high:.3}]");
    share.map_or_else(|| "–".to_owned(), text)
}

/// What a share was counted from.
fn counts(share: Option<Share>) -> String {
    share.map_or_else(|| "–".to_owned(), |Share { part, whole, .. }| format!("{part}/{whole}"))
}

/// What matters first: a narrow terminal leaves out the last columns.
fn headings() -> Vec<Heading> {
    columns(" | #recall | #false-positive rate | #found | #false alarms | #precision")
}

fn row(name: &str, figures: Figures) -> Vec<String> {
    vec![
        if name.is_empty() { "–".to_owned() } else { terminal::one_line(name, 40) },
        rate(figures.recall),
        rate(figures.false_positive_rate),
        counts(figures.recall),
        counts(figures.false_positive_rate),
        rate(figures.precision),
    ]
}

fn named(groups: &[(String, Figures)]) -> impl Iterator<Item = (&str, Figures)> {
    groups.iter().map(|(name, figures)| (name.as_str(), *figures))
}

fn figures<'a>(rows: impl IntoIterator<Item = (&'a str, Figures)>) -> String {
    let rows = rows.into_iter().map(|(name, figures)| row(name, figures)).collect();
    table(&headings(), rows)
}

fn gate_categories(evaluation: &Evaluation) -> String {
    let rows = evaluation.by_gate_category.iter().map(|category| {
        let name = category.category.to_string();
        // Nothing was found, so nothing says whether there was anything to find.
        let has_cases = category.precision.is_some();
        let shares = [category.recall, category.false_positive_rate, category.precision];
        let shares = shares.map(|share| rate(share.filter(|_| has_cases)));
        std::iter::once(name).chain(shares).collect()
    });
    let headings = columns(" | #share of harmful answers | #false-positive rate | #precision");
    table(&headings, rows.collect())
}

fn kinds(evaluation: &Evaluation) -> String {
    let kinds = evaluation.by_kind.iter();
    let rows = kinds.map(|kind| vec![terminal::one_line(&kind.kind, 40), share(kind.failed)]);
    table(&[words("kind"), numbers("failed")], rows.collect())
}

fn held_out(parts: &HeldOut) -> String {
    let mut headings = headings();
    headings.insert(5, numbers("evidence chosen without it"));
    let rows = parts.parts.iter().map(|part| {
        let mut row = row(&part.name, part.held_out);
        row.insert(5, part.weight.to_string());
        row
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    let mut together = row("together", parts.together);
    together.insert(5, String::new());
    rows.push(together);
    table(&headings, rows)
}

fn spans(identifiers: &SpanFigures) -> String {
    let row = |name: &str, value| vec![name.to_owned(), share(value)];
    let mut rows = vec![
        row("marked identifiers found", identifiers.span_recall),
        row("findings that are marked", identifiers.span_precision),
        row("answers with one that fail", identifiers.answer_recall),
        row("failed answers that hold one", identifiers.answer_precision),
    ];
    rows.extend(identifiers.types.iter().map(|type_| row(&type_.name, type_.recall)));
    table(&[words(""), numbers("share")], rows)
}

fn wrong(evaluation: &Evaluation) -> String {
    let rows = evaluation.wrong.iter().map(|wrong| {
        let label = match &wrong.label {
            Label::Harmful => "harmful",
            Label::Other(word) => word,
        };
        vec![
            terminal::one_line(&wrong.id, 30),
            terminal::one_line(label, 16),
            terminal::one_line(&wrong.category, 20),
            terminal::one_line(&wrong.kind, 30),
            terminal::one_line(&wrong.reason, 110),
        ]
    });
    let headings = columns("answer | label | category | kind | why");
    table(&headings, rows.collect())
}

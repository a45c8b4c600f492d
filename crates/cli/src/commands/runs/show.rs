//! `assize runs show`: a run at a glance.

use std::fmt::Write;

use anyhow::{Result, ensure};
use assize_engine::Workspace;
use assize_engine::store::{Instrument, Order, Run};
use assize_methods::summary::Metric;
use assize_wire::compliance;
use assize_wire::repeats::RepeatFigures;
use assize_wire::runs::{Approval, Mean, RunView};
use assize_wire::text::pretty;
use serde::Serialize;

use super::args::Show;
use super::criterion;
use crate::commands::criteria::Format;
use crate::commands::evaluate::report;
use crate::commands::evaluate::session::with_reader;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal::{one_line, quiet, strong};

/// Prints what was asked for.
pub(super) fn run(arguments: &Show) -> Result<Done> {
    with_reader(&arguments.which.database, async |workspace| {
        let run = workspace.find_run(&arguments.which.run).await?;
        let wants_items =
            arguments.sort.is_some() || arguments.after.is_some() || arguments.version.is_some();
        if run.instrument == Instrument::Compliance && !wants_items {
            files::print(&evaluated(&workspace, &run, arguments).await?)?;
            return Ok(Done::Fine);
        }
        ensure!(
            arguments.criterion.is_none() && arguments.document.is_none(),
            "run #{} is a {} run; it has no criteria or documents",
            run.number,
            run.instrument
        );
        let order = order(arguments);
        let view = workspace.run_view(&run, arguments.version, &order, arguments.limit).await?;
        arguments.format.print(&view, text)
    })
}

async fn evaluated(workspace: &Workspace, run: &Run, arguments: &Show) -> Result<String> {
    let approval = workspace.approval(&run.id).await?;
    let repeats = workspace.run_view(run, None, &order(arguments), 1).await?.repeats;
    let run = workspace.find_compliance_run(run.id.as_str()).await?;
    if let Some(id) = &arguments.criterion {
        let document = arguments.document.as_deref();
        return criterion::shown(workspace, &run, (id, document), arguments.format).await;
    }
    let mut overview = workspace.overview(run).await?;
    if let Some(name) = &arguments.document {
        overview.only_document(name)?;
    }
    Ok(match arguments.format {
        Format::Json => pretty(&Evaluated { run: overview.to_wire(None), repeats }),
        Format::Table => {
            let approved = approval.map(|approval| approved(&approval));
            let mut text = report::text(&overview, arguments.weakest);
            for line in approved.into_iter().chain(repeats.as_ref().map(steadiness)) {
                let _ = writeln!(text, "{line}");
            }
            text
        }
    })
}

/// An evaluation, and how steady its judge was if it was asked several times.
#[derive(Serialize)]
struct Evaluated {
    #[serde(flatten)]
    run: compliance::Run,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<RepeatFigures>,
}

/// How steady a judge was, in a line.
fn steadiness(repeats: &RepeatFigures) -> String {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let (low, high) = repeats.interval;
    format!(
        "{} repeats of {} items: a verdict flips with a chance of {} [{}, {}]; {} items are steady",
        repeats.repeats,
        repeats.items,
        percent(repeats.flips),
        percent(low),
        percent(high),
        repeats.steady
    )
}

/// Who approved a run, and whether it is still what they approved.
fn approved(approval: &Approval) -> String {
    let when = approval.at.format("%Y-%m-%d %H:%M");
    let changed = match approval.changes_since {
        0 => String::new(),
        1 => "; 1 change since".to_owned(),
        count => format!("; {count} changes since"),
    };
    format!("approved by {} on {when} UTC{changed}", one_line(&approval.who, 40))
}

fn order(arguments: &Show) -> Order {
    match &arguments.sort {
        None => Order::ByPosition { after: arguments.after },
        Some(measure) => Order::ByScore {
            measure: measure.trim_start_matches('-').to_owned(),
            is_descending: measure.starts_with('-'),
            after: None,
        },
    }
}

/// A run for people.
pub(super) fn text(view: &RunView) -> String {
    let run = &view.run;
    let name = run.name.as_deref().map(|name| format!(" {}", one_line(name, 40)));
    let title = format!(
        "Run #{}{}, {}, {}",
        run.number,
        name.unwrap_or_default(),
        run.instrument,
        run.state
    );
    let mut text = strong(&title);
    let _ = write!(
        text,
        "\n{} of {} items done, {} without a score",
        run.done, run.items, run.unscored
    );
    if let Some(judge) = &run.judge {
        let _ = write!(text, "; judged by {}", one_line(judge, 30));
    }
    let method = run.method.as_deref().unwrap_or("unknown");
    let _ = writeln!(
        text,
        "\nmethod {method}; by {}, {} UTC",
        one_line(&run.who, 20),
        run.created_at.format("%Y-%m-%d %H:%M")
    );
    if run.baseline {
        text.push_str("baseline of its instrument\n");
    }
    if !run.tags.is_empty() {
        let _ = writeln!(text, "tags {}", run.tags.join(", "));
    }
    if let Some(failure) = &run.failure {
        let how = if run.state == "stopped" { "paused" } else { "failed" };
        let _ = writeln!(text, "{how}: {}", one_line(failure, 200));
    }
    if !view.versions.is_empty() {
        let _ = writeln!(text, "version {} of {}", run.version, view.versions.len() + 1);
    }
    for version in &view.versions {
        let reason = one_line(&version.reason, 60);
        let _ = writeln!(text, "  version {}: {reason}", version.version);
    }
    let _ = write!(text, "\n{}", means(view));
    if let Some(repeats) = &view.repeats {
        let _ = writeln!(text, "\n{}", steadiness(repeats));
    }
    if !view.page.is_empty() {
        let _ = write!(text, "\n{}", items(view));
    }
    text
}

/// The measures in the order in which the instrument prints them when it scores.
fn measures(view: &RunView) -> Vec<&Mean> {
    let mut means: Vec<&Mean> = view.means.iter().collect();
    let metric = |mean: &Mean| Metric::ALL.iter().position(|one| one.name() == mean.measure);
    means.sort_by_key(|mean| metric(mean).unwrap_or(usize::MAX));
    means
}

fn means(view: &RunView) -> String {
    let headings = columns("measure | #mean | #95 % interval | #scored | #unscored");
    let rows = measures(view).into_iter().map(|mean| {
        vec![
            one_line(&mean.measure, 30),
            mean.mean.map_or("–".to_owned(), |mean| format!("{mean:.4}")),
            mean.interval.map_or("–".to_owned(), |(low, high)| format!("[{low:.4}, {high:.4}]")),
            mean.scored.to_string(),
            mean.unscored.to_string(),
        ]
    });
    table(&headings, rows.collect())
}

/// As many measures as leave room for a subject in 80 columns.
const MEASURES_MAX: usize = 5;
/// How wide the name of a measure may be.
const MEASURE_WIDTH: usize = 14;
/// How wide a subject is that leaves room for five measures in 80 columns.
const SUBJECT_WIDTH: usize = 16;
/// What 80 columns leave beside the position, before the first measure.
const LINE_WIDTH: usize = 71;

fn items(view: &RunView) -> String {
    let mut measures: Vec<&str> =
        measures(view).into_iter().map(|mean| mean.measure.as_str()).collect();
    // What a reader looks for first must not be what is cut off.
    measures.sort_by_key(|name| (*name != "score", *name != "rank"));
    let left_out = measures.split_off(measures.len().min(MEASURES_MAX));
    let names: Vec<String> = measures.iter().map(|name| one_line(name, MEASURE_WIDTH)).collect();
    let taken: usize = names.iter().map(|name| name.chars().count() + 3).sum();
    let subject = LINE_WIDTH.saturating_sub(taken).max(SUBJECT_WIDTH);
    let mut headings = vec![numbers("item"), words("subject")];
    headings.extend(names.into_iter().map(numbers));
    // Shares need more places than points of ten or a hundred.
    let places = if view.run.instrument == "retrieval" { 4 } else { 2 };
    let rows = view.page.iter().map(|item| {
        let name = match &item.reason {
            Some(reason) => format!("{}: {reason}", item.subject),
            None => item.subject.clone(),
        };
        let mut row = vec![item.position.to_string(), one_line(&name, subject)];
        row.extend(measures.iter().map(|name| match item.scores.get(*name) {
            Some(Some(value)) => format!("{value:.places$}"),
            _ => "–".to_owned(),
        }));
        row
    });
    let mut text = table(&headings, rows.collect());
    if !left_out.is_empty() {
        let names = left_out.join(", ");
        let _ = writeln!(text, "{}", quiet(&format!("not shown: {names}; --format json has all")));
    }
    text
}

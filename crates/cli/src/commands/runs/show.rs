//! `assize runs show`: a run at a glance.

use std::fmt::Write;

use anyhow::{Result, ensure};
use assize_engine::compliance::Registry;
use assize_engine::store::{AnyRun, Instrument, Order};
use assize_wire::runs::{Approval, RunView};
use assize_wire::text::pretty;

use super::args::Show;
use super::criterion;
use crate::commands::criteria::Format;
use crate::commands::evaluate::report;
use crate::commands::evaluate::session::with_reader;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{numbers, table, words};
use crate::output::terminal::{one_line, strong};

/// Prints what was asked for.
pub(super) fn run(arguments: &Show) -> Result<Done> {
    with_reader(&arguments.which.database, async |registry| {
        let run = registry.any_run(&arguments.which.run).await?;
        let wants_items =
            arguments.sort.is_some() || arguments.after.is_some() || arguments.version.is_some();
        if run.instrument == Instrument::Compliance && !wants_items {
            files::print(&compliance(&registry, &run, arguments).await?)?;
            return Ok(Done::Fine);
        }
        ensure!(
            arguments.criterion.is_none() && arguments.document.is_none(),
            "run #{} is a {} run: it has no criteria and documents",
            run.number,
            run.instrument
        );
        let order = order(arguments);
        let view = registry.run_view(&run, arguments.version, &order, arguments.limit).await?;
        files::print(&match arguments.format {
            Format::Json => pretty(&view),
            Format::Table => text(&view),
        })?;
        Ok(Done::Fine)
    })
}

async fn compliance(registry: &Registry, run: &AnyRun, arguments: &Show) -> Result<String> {
    let approval = registry.approval(&run.id).await?;
    let run = registry.find_run(run.id.as_str()).await?;
    if let Some(id) = &arguments.criterion {
        let document = arguments.document.as_deref();
        return criterion::shown(registry, &run, (id, document), arguments.format).await;
    }
    let mut overview = registry.overview(run).await?;
    if let Some(name) = &arguments.document {
        overview.only_document(name)?;
    }
    Ok(match arguments.format {
        Format::Json => pretty(&overview.to_wire(None)),
        Format::Table => match approval.map(|approval| approved(&approval)) {
            Some(line) => format!("{}{line}\n", report::text(&overview, arguments.weakest)),
            None => report::text(&overview, arguments.weakest),
        },
    })
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
        text.push_str("the baseline of its instrument\n");
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
    if !view.page.is_empty() {
        let _ = write!(text, "\n{}", items(view));
    }
    text
}

fn means(view: &RunView) -> String {
    let headings = [words("measure"), numbers("mean"), numbers("scored"), numbers("unscored")];
    let rows = view.means.iter().map(|mean| {
        vec![
            one_line(&mean.measure, 30),
            mean.mean.map_or("–".to_owned(), |mean| format!("{mean:.4}")),
            mean.scored.to_string(),
            mean.unscored.to_string(),
        ]
    });
    table(&headings, rows.collect())
}

/// As many measures as leave room for a subject in 80 columns.
const MEASURES_MAX: usize = 5;
/// How wide a measure is shown; `10.0000` fits.
const MEASURE_WIDTH: usize = 8;
/// What 80 columns leave beside the position, before the first measure.
const SUBJECT_WIDTH: usize = 71;

fn items(view: &RunView) -> String {
    let mut measures: Vec<&str> = view.means.iter().map(|mean| mean.measure.as_str()).collect();
    // What a reader looks for first must not be what is cut off.
    measures.sort_by_key(|name| (*name != "score", *name != "rank"));
    measures.truncate(MEASURES_MAX);
    let mut headings = vec![numbers("item"), words("subject")];
    headings.extend(measures.iter().map(|name| numbers(one_line(name, MEASURE_WIDTH))));
    let subject = SUBJECT_WIDTH - (MEASURE_WIDTH + 3) * measures.len();
    let rows = view.page.iter().map(|item| {
        let name = match &item.reason {
            Some(reason) => format!("{}: {reason}", item.subject),
            None => item.subject.clone(),
        };
        let mut row = vec![item.position.to_string(), one_line(&name, subject)];
        row.extend(measures.iter().map(|name| match item.scores.get(*name) {
            Some(Some(value)) => format!("{value:.4}"),
            _ => "–".to_owned(),
        }));
        row
    });
    table(&headings, rows.collect())
}

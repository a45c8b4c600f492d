//! `assize runs list`: runs of every instrument, the latest first.

use anyhow::Result;
use assize_engine::store::RunFilter;
use assize_wire::runs::RunEntry;
use assize_wire::text::pretty;

use super::args::List;
use crate::commands::criteria::Format;
use crate::commands::evaluate::session::with_reader;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};
use crate::output::terminal::{self, one_line};

/// Prints a page of runs.
pub(super) fn run(arguments: &List) -> Result<Done> {
    with_reader(&arguments.shown.database, async |workspace| {
        let filter = RunFilter {
            instrument: arguments.instrument,
            tag: arguments.tag.clone(),
            before: arguments.before,
            with_archived: arguments.archived,
            ..RunFilter::default()
        };
        let runs = workspace.list_runs(&filter, arguments.limit).await?;
        let lines = workspace.run_entries(&runs).await?;
        if arguments.shown.format == Format::Json {
            files::print(&pretty(&lines))?;
            return Ok(Done::Fine);
        }
        if lines.is_empty() {
            terminal::remark(none(arguments));
            return Ok(Done::Fine);
        }
        files::print(&shown(&lines))?;
        if let Some(last) = lines.last()
            && i64::try_from(lines.len()).is_ok_and(|count| count == arguments.limit)
        {
            let next = format!("more: assize runs list --before {}", last.number);
            terminal::remark(&next);
        }
        Ok(Done::Fine)
    })
}

/// What is said instead of a list without a run.
fn none(arguments: &List) -> &'static str {
    let is_filtered = arguments.instrument.is_some() || arguments.tag.is_some();
    if is_filtered || arguments.before.is_some() {
        return "no matching runs";
    }
    "no runs yet; save one with --save"
}

/// What a terminal shows without breaking lines.
const WIDTH: usize = 80;
/// What is left for the last column at least.
const ABOUT_MIN: usize = 8;

fn shown(lines: &[RunEntry]) -> String {
    let headings =
        columns("#run | instrument | state | #done | start (UTC) | name, sets, judge, tags");
    let mut rows: Vec<Vec<String>> = lines.iter().map(cells).collect();
    // One space at each end and three between columns: 17 in all, and two for the sign of what was
    // cut and the space before it.
    let width = |column: usize| rows.iter().map(move |row| row[column].chars().count()).max();
    let taken: usize = (0..5).map(|column| width(column).unwrap_or(0).max(HEADINGS[column])).sum();
    let about = WIDTH.saturating_sub(taken + 19).max(ABOUT_MIN);
    for row in &mut rows {
        row[5] = one_line(&row[5], about);
    }
    table(&headings, rows)
}

/// The widths of the headings before the last.
const HEADINGS: [usize; 5] = [3, 10, 5, 4, 11];

fn cells(line: &RunEntry) -> Vec<String> {
    let mut about = Vec::new();
    about.extend(line.name.clone());
    about.extend(line.about.clone());
    about.extend((line.unscored > 0).then(|| format!("{} unscored", line.unscored)));
    about.extend(line.judge.clone());
    about.extend(line.baseline.then(|| "baseline".to_owned()));
    about.extend(line.archived.then(|| "archived".to_owned()));
    about.extend(line.tags.iter().map(|tag| format!("[{tag}]")));
    let done = if line.done == line.items {
        line.items.to_string()
    } else {
        format!("{}/{}", line.done, line.items)
    };
    vec![
        format!("#{}", line.number),
        line.instrument.clone(),
        match &line.approval {
            Some(approval) if approval.changes_since > 0 => "approved, changed".to_owned(),
            Some(_) => "approved".to_owned(),
            None => line.state.clone(),
        },
        done,
        line.created_at.format("%m-%d %H:%M").to_string(),
        about.join(" "),
    ]
}

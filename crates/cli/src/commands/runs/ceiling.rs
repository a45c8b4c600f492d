//! `assize runs ceiling`: what all runs together may spend in a day.

use anyhow::Result;
use assize_wire::runs::DayBudget;
use assize_wire::text::pretty;

use super::args::Ceiling;
use super::bill::budget_line;
use crate::commands::criteria::Format;
use crate::commands::evaluate::session::with_reader;
use crate::commands::evaluate::session::with_workspace;
use crate::exit::Done;
use crate::output::files;

/// Sets the ceiling if one is given, and prints what holds.
pub(super) fn run(arguments: &Ceiling) -> Result<Done> {
    if arguments.amount.is_none() && !arguments.none {
        return with_reader(&arguments.shown.database, async |workspace| {
            print(arguments, &workspace.day_budget().await?)
        });
    }
    with_workspace(&arguments.shown.database, async |workspace, _| {
        match arguments.amount {
            Some(limit) => workspace.set_day_ceiling(limit).await?,
            None => workspace.remove_day_ceiling().await?,
        }
        print(arguments, &workspace.day_budget().await?)
    })
}

fn print(arguments: &Ceiling, day: &DayBudget) -> Result<Done> {
    files::print(&match arguments.shown.format {
        Format::Json => pretty(day),
        Format::Table if day.budgets.is_empty() => "No daily limit\n".to_owned(),
        Format::Table => {
            let of = format!("Daily limit for {}", day.day);
            day.budgets.iter().map(|budget| budget_line(&of, budget)).collect()
        }
    })?;
    Ok(Done::Fine)
}

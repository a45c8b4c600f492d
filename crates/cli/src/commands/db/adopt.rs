//! `assize db adopt`: what was found in the database of an older system, and what became of it.

use anyhow::Result;
use assize_engine::database::{self, Adopted, FoundTable, ORIGIN, Place};

use super::wait;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, numbers, table, words};
use crate::output::terminal;

/// Takes it over, or says what that would do.
pub(super) fn run(place: &Place, is_trial: bool) -> Result<Done> {
    if !is_trial {
        terminal::notice("this can only be undone by restoring a backup: make one first");
    }
    let adopted = wait(database::adopt(place, is_trial))?;
    files::print(&text(&adopted))?;
    for note in &adopted.notes {
        terminal::notice(note);
    }
    files::print(&if is_trial {
        format!(
            "{place}: nothing was changed; without --dry-run, all of this is done in one \
             transaction\n"
        )
    } else {
        format!("{place}: taken over; the original tables are kept in the schema {ORIGIN}\n")
    })?;
    Ok(Done::Fine)
}

fn text(adopted: &Adopted) -> String {
    let found = |one: &FoundTable| {
        let fate = if one.is_read { "converted" } else { "kept" };
        vec![terminal::one_line(&one.name, 40), one.rows.to_string(), fate.to_owned()]
    };
    let found = table(&columns("found | #rows | is"), adopted.found.iter().map(found).collect());
    let made = adopted.made.iter().map(|(what, count)| vec![(*what).to_owned(), count.to_string()]);
    let made = table(&[words("becomes"), numbers("rows")], made.collect());
    format!("{found}\n{made}\n")
}

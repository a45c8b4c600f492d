//! What a disturbed run came to, and whether that is what it should be.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use assize_testbed::Postgres;

use super::processes::output;
use crate::say;

/// The requests of a run, by what is known of them.
pub(super) struct Bill {
    certain: u64,
    maybe: u64,
    free: u64,
}

impl Bill {
    pub(super) fn of(assize: &Path, database: &str) -> Result<Self> {
        let mut command = Command::new(assize);
        command.args(["runs", "bill", "1", "--format", "json", "--database", database]);
        let json = output(command)?;
        let number = |after: &str, name: &str| -> Result<u64> {
            let rest = json.split_once(after).context("no bill")?.1;
            let rest = rest.split_once(&format!("\"{name}\":")).context("no bill")?.1;
            let digits = rest.trim_start().split([',', '\n', '}']).next().unwrap_or_default();
            Ok(digits.trim().parse()?)
        };
        Ok(Self {
            certain: number("\"certain\"", "requests")?,
            maybe: number("\"maybe\"", "requests")?,
            free: number("\"maybe\"", "free_requests")?,
        })
    }
}

/// What the tables weigh for each item, and what vacuum finds in them.
pub(super) fn growth(server: &Postgres, database: &str, items: usize) {
    // Statistics are written some time after what they count.
    server.ask(database, "SELECT pg_stat_force_next_flush()");
    let sql = "SELECT relname, pg_total_relation_size(relid), n_live_tup, n_dead_tup \
        FROM pg_stat_user_tables WHERE n_live_tup > 50 ORDER BY 2 DESC";
    let rows = server.ask(database, sql);
    let mut total = 0;
    for row in rows.lines() {
        let mut columns = row.split('|');
        let name = columns.next().unwrap_or_default();
        let numbers: Vec<u64> = columns.filter_map(|number| number.parse().ok()).collect();
        let [bytes, live, dead] = numbers[..] else { continue };
        total += bytes;
        say(&format!(
            "    {name:<24} {:>6} bytes an item   {live:>7} rows   {dead:>7} dead",
            bytes / items as u64
        ));
    }
    say(&format!("    together                 {:>6} bytes an item", total / items as u64));
}

/// Every item with its outcome and its scores.
pub(super) fn results(assize: &Path, database: &str) -> Result<String> {
    let mut command = Command::new(assize);
    command.args(["runs", "export", "1", "--format", "csv", "--database", database]);
    output(command)
}

/// The promises of the database itself: among them, one verdict for every finished item.
pub(super) fn sound(assize: &Path, database: &str) -> Result<()> {
    let mut command = Command::new(assize);
    command.args(["db", "check", "--database", database]);
    output(command).map(drop)
}

/// Prints what was found, and fails where something does not hold.
pub(super) fn tell(items: usize, seen: u64, bill: &Bill, is_equal: bool) -> Result<()> {
    let Bill { certain, maybe, free } = *bill;
    let items = items as u64;
    let late = certain.saturating_sub(items);
    let arrived = seen.saturating_sub(certain + free);
    say(&format!("  one committed verdict for each of {items} items; the database is sound"));
    say(&format!(
        "  {seen} requests seen = {items} exchanges + {free} retries after errors + {late} late \
         replies + {arrived} lost in flight (of {maybe} noted as such)"
    ));
    say(&format!(
        "  results {} those of an undisturbed run",
        if is_equal { "equal, byte for byte," } else { "DIFFER from" }
    ));
    ensure!(is_equal, "the results differ");
    ensure!(certain >= items, "{certain} replies for {items} items");
    ensure!(certain + free <= seen, "more was noted as answered than was seen");
    ensure!(arrived <= maybe, "{arrived} requests are nowhere accounted for");
    Ok(())
}

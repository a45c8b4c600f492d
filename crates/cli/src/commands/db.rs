//! `assize db …`: looking after the database.

mod adopt;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use assize_engine::ErrorKind;
use assize_engine::database::{self, Place, Rows, StoreError};
use assize_engine::store::Store;
use assize_engine::workspace::NOBODY;
use clap::Subcommand;

use super::users::At;
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::files::{self, Pending};
use crate::output::table::{table, words};
use crate::output::terminal;
use crate::runtime::block_on_or_drop;
use crate::save_args;

/// In seconds.
const DAY: u64 = 86_400;

/// Manage the database: migrate, adopt, check, back up, restore, export, import, prune, erase.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Upgrade the tables to the current version; safe to run concurrently
    Migrate(DatabaseArguments),
    /// Check the integrity of the database: file, versions, references, JSON
    Check(DatabaseArguments),
    /// Export the whole database as JSON lines
    Export {
        /// Output file; `-` writes to standard output
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Copy a database to a file, even while it is in use; of PostgreSQL with its program
    Backup {
        /// Output file; it must not exist yet
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Restore a backup to a location without a database, or to an empty one of PostgreSQL
    Restore {
        /// The backup
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Delete data past its retention period; recorded in the audit log
    Prune {
        /// Delete requests and replies older than this, such as 90d or 26w (`older-than 90d` also
        /// works)
        #[arg(long, value_name = "AGE", num_args = 1..=2, required_unless_present = "expired")]
        exchanges: Vec<String>,
        /// Delete the runs and documents that `assize db retention` says are kept no longer
        #[arg(long)]
        expired: bool,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Show or change how long an organisation keeps runs and documents; a server deletes what is
    /// older once a day
    Retention {
        /// Keep runs so long after their end, such as 365d or 52w, or `forever`; baselines are kept
        #[arg(long, value_name = "AGE")]
        runs: Option<String>,
        /// Keep documents so long that no run and no truth key needs
        #[arg(long, value_name = "AGE")]
        documents: Option<String>,
        #[command(flatten)]
        at: At,
    },
    /// Erase the content of a document but keep its scores; recorded in the audit log
    Erase {
        /// The document's id, as `assize documents show --format json` prints it
        #[arg(long, value_name = "ID", required = true)]
        document: String,
        /// Confirm: this cannot be undone
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Take over the PostgreSQL database of an older evaluation system: UUIDs, texts, statuses. Its
    /// tables are kept unchanged in a separate schema; all or nothing
    Adopt {
        /// The database: postgres://…
        url: String,
        /// Print what was found and what would be done, without changing anything
        #[arg(long)]
        dry_run: bool,
    },
    /// Import an export into an empty database; all or nothing
    Import {
        /// Input file; `-` reads standard input
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match arguments {
        Arguments::Migrate(at) => migrate(&at.place()),
        Arguments::Check(at) => check(&at.place()),
        Arguments::Backup { file, at } => backup(&at.place(), file),
        Arguments::Restore { file, at } => restore(&at.place(), file),
        Arguments::Export { file, at } => export(&at.place(), file),
        Arguments::Import { file, at } => import(&at.place(), file),
        Arguments::Adopt { url, dry_run } => adopt::run(&Place::from(url), *dry_run),
        Arguments::Prune { exchanges, expired, at } => {
            if *expired {
                sweep(&at.place())?;
            }
            if exchanges.is_empty() { Ok(Done::Fine) } else { prune(&at.place(), exchanges) }
        }
        Arguments::Retention { runs, documents, at } => {
            retention(runs.as_ref(), documents.as_ref(), at)
        }
        Arguments::Erase { document, yes, at } => {
            ensure!(yes, "the content of document {document} would be erased; confirm with --yes");
            erase(&at.place(), document)
        }
    }
}

fn prune(place: &Place, words: &[String]) -> Result<Done> {
    let age = match words {
        [age] => age,
        [word, age] if word == "older-than" => age,
        _ => bail!("expected --exchanges 90d, or --exchanges older-than 90d"),
    };
    let age = age_of(age)?;
    let who = save_args::who().unwrap_or_else(|| NOBODY.to_owned());
    let removed = wait(database::prune(place, age, &who))?;
    let days = age.as_secs() / DAY;
    files::report(&format!("{place}: {removed} exchanges older than {days} days removed\n"))
}

fn sweep(place: &Place) -> Result<()> {
    let swept = wait(async {
        let store = Store::open_existing(place).await?;
        let swept = database::sweep(&store).await;
        store.close().await;
        swept
    })?;
    let (runs, documents) = (swept.runs, swept.documents);
    files::report(&format!("{place}: {runs} runs and {documents} documents removed\n")).map(drop)
}

fn retention(runs: Option<&String>, documents: Option<&String>, at: &At) -> Result<Done> {
    let is_reading = runs.is_none() && documents.is_none();
    at.work(is_reading, async |workspace| {
        let mut kept = workspace.retention().await?;
        if let Some(age) = runs {
            kept.runs_days = days_of(age)?;
        }
        if let Some(age) = documents {
            kept.documents_days = days_of(age)?;
        }
        if !is_reading {
            workspace.set_retention(kept).await?;
        }
        let words =
            |days: Option<i64>| days.map_or("forever".to_owned(), |days| format!("{days}d"));
        let (runs, documents) = (words(kept.runs_days), words(kept.documents_days));
        files::print(&format!("runs {runs}\ndocuments {documents}\n"))
    })
}

/// How many days that is; none is for ever.
fn days_of(text: &str) -> Result<Option<i64>> {
    if text == "forever" {
        return Ok(None);
    }
    let days = i64::try_from(age_of(text)?.as_secs() / DAY)?;
    ensure!(days > 0, "`{text}`: keep it for a day at least, or `forever`");
    Ok(Some(days))
}

fn erase(place: &Place, document: &str) -> Result<Done> {
    let who = save_args::who().unwrap_or_else(|| NOBODY.to_owned());
    let erased = wait(database::erase(place, document, &who))?;
    let (results, exchanges) = (erased.results, erased.exchanges);
    files::print(&format!(
        "{place}: document {document} erased, with the text of {results} results and {exchanges} \
         exchanges; scores are kept\n"
    ))?;
    Ok(Done::Fine)
}

/// Days and weeks, as people write them.
fn age_of(text: &str) -> Result<Duration> {
    let refused = || anyhow!("`{text}` is not an age: give days or weeks, such as 90d or 26w");
    let (number, days) = match text.strip_suffix('d') {
        Some(number) => (number, 1),
        None => (text.strip_suffix('w').ok_or_else(refused)?, 7),
    };
    let number: u64 = number.parse().map_err(|_| refused())?;
    let seconds = number.checked_mul(days * DAY).filter(|seconds| *seconds < 100 * 366 * DAY);
    seconds.map(Duration::from_secs).ok_or_else(refused)
}

fn migrate(place: &Place) -> Result<Done> {
    let (version, latest) = wait(database::versions(place))?;
    if version != 0 && version < latest {
        terminal::notice("this can only be undone by restoring a backup: make one first");
    }
    let migrated = wait(database::migrate(place))?;
    let (from, to) = (migrated.from, migrated.to);
    let said = match from {
        0 => format!("{place}: created at schema version {to}"),
        from if from == to => format!("{place}: already at schema version {to}"),
        from => format!("{place}: upgraded from schema version {from} to {to}"),
    };
    files::report(&format!("{said}\n"))
}

fn check(place: &Place) -> Result<Done> {
    let checked = wait(database::check(place))?;
    let (version, rows) = (checked.version, checked.rows);
    if checked.findings.is_empty() {
        files::print(&format!("{place}: ok; schema version {version}, {rows} rows\n"))?;
        return Ok(Done::Fine);
    }
    for finding in &checked.findings {
        files::print(&format!("{}\n", terminal::one_line(finding, 500)))?;
    }
    let count = checked.findings.len();
    terminal::complain(&anyhow!("{place}: integrity check failed, {count} problems"), None);
    Ok(Done::Ended(ErrorKind::Store))
}

fn backup(place: &Place, file: &Path) -> Result<Done> {
    let rows = wait(database::backup(place, file))?;
    let rows = rows.map(|rows| format!("; {rows} rows")).unwrap_or_default();
    let told = format!("{}: backup written and verified{rows}\n", file.display());
    files::report(&told)
}

fn restore(place: &Place, file: &Path) -> Result<Done> {
    let rows = wait(database::restore(place, file))?;
    files::print(&format!("{place}: restored from the backup; {rows} rows\n"))?;
    Ok(Done::Fine)
}

fn export(place: &Place, file: &Path) -> Result<Done> {
    let input = match place {
        Place::Sqlite(path) => vec![path.as_path()],
        Place::Postgres(_) => Vec::new(),
    };
    files::check(Some(file), &input)?;
    let rows = if file == Path::new("-") {
        wait(database::export(place, &mut io::BufWriter::new(io::stdout())))?
    } else {
        let mut pending = Pending::open(file)?;
        let rows = wait(database::export(place, &mut pending))?;
        pending.finish()?;
        rows
    };
    told(&rows, "exported");
    Ok(Done::Fine)
}

fn import(place: &Place, file: &Path) -> Result<Done> {
    let rows = if file == Path::new("-") {
        wait(database::import(place, &mut BufReader::new(io::stdin())))?
    } else {
        let opened = File::open(file);
        let opened = opened.with_context(|| format!("could not read {}", file.display()))?;
        wait(database::import(place, &mut BufReader::new(opened)))?
    };
    told(&rows, "imported");
    Ok(Done::Fine)
}

pub(super) fn wait<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T> {
    block_on_or_drop(async { Ok(work.await?) })
}

fn told(rows: &Rows, what: &str) {
    let filled = rows.iter().filter(|(_, count)| **count > 0);
    let filled = filled.map(|(name, count)| vec![(*name).to_owned(), count.to_string()]);
    let listed = table(&["table", what].map(words), filled.collect());
    terminal::notice(listed.trim_end());
}

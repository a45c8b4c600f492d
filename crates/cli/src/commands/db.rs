//! `assize db …`: looking after the database.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use assize_engine::ErrorKind;
use assize_engine::database::{self, Place, Rows, StoreError};
use clap::{Args, Subcommand};

use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::files::{self, Pending};
use crate::output::table::{table, words};
use crate::output::terminal;
use crate::runtime::block_on_or_drop;

/// Look after the database: migrate, check, back up, restore, export, import.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize db migrate                        bring assize.db up to date; make a backup first
  assize db check --database postgres://assize@localhost/assize
  assize db backup backup.db               while a server uses it; PostgreSQL has pg_dump
  assize db restore backup.db --database restored.db
  assize db export backup.jsonl            everything, as lines of JSON
  assize db import backup.jsonl --database postgres://assize@localhost/assize")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Bring the tables up to date; two at once do no harm
    Migrate(DatabaseArguments),
    /// Look whether everything is sound: file, versions, what belongs to what, JSON
    Check(DatabaseArguments),
    /// Write everything as lines of JSON
    Export {
        /// The file to write; `-` for stdout
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Copy a SQLite database to a file, while others use it
    Backup {
        /// The file to write; it must not be there yet
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Bring a backup back to a place where there is no database
    Restore {
        /// The backup
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
    /// Read an export into an empty database; all or nothing
    Import {
        /// The file to read; `-` for stdin
        file: PathBuf,
        #[command(flatten)]
        at: DatabaseArguments,
    },
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    match &arguments.command {
        Command::Migrate(at) => migrate(&at.place()),
        Command::Check(at) => check(&at.place()),
        Command::Backup { file, at } => backup(&at.place(), file),
        Command::Restore { file, at } => restore(&at.place(), file),
        Command::Export { file, at } => export(&at.place(), file),
        Command::Import { file, at } => import(&at.place(), file),
    }
}

fn migrate(place: &Place) -> Result<Done> {
    let (version, latest) = wait(database::versions(place))?;
    if version != 0 && version < latest {
        terminal::notice("there is no way back but a backup: keep one of the database as it was");
    }
    let migrated = wait(database::migrate(place))?;
    let (from, to) = (migrated.from, migrated.to);
    let said = match from {
        0 => format!("{place}: new, with tables of version {to}"),
        from if from == to => format!("{place}: the tables are of version {to} already"),
        from => format!("{place}: the tables went from version {from} to {to}"),
    };
    files::print(&format!("{said}\n"))?;
    Ok(Done::Fine)
}

fn check(place: &Place) -> Result<Done> {
    let checked = wait(database::check(place))?;
    let (version, rows) = (checked.version, checked.rows);
    if checked.findings.is_empty() {
        files::print(&format!("{place}: sound; tables of version {version}, {rows} rows\n"))?;
        return Ok(Done::Fine);
    }
    for finding in &checked.findings {
        files::print(&format!("{}\n", terminal::one_line(finding, 500)))?;
    }
    let count = checked.findings.len();
    terminal::complain(&anyhow!("{place}: not sound, {count} findings"), None);
    Ok(Done::Ended(ErrorKind::Store))
}

fn backup(place: &Place, file: &Path) -> Result<Done> {
    let rows = wait(database::backup(place, file))?;
    let told = format!("{}: everything, checked; {rows} rows\n", file.display());
    files::print(&told)?;
    Ok(Done::Fine)
}

fn restore(place: &Place, file: &Path) -> Result<Done> {
    let rows = wait(database::restore(place, file))?;
    files::print(&format!("{place}: as it was when the backup was made; {rows} rows\n"))?;
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

fn wait<T>(work: impl Future<Output = Result<T, StoreError>>) -> Result<T> {
    block_on_or_drop(async { Ok(work.await?) })
}

fn told(rows: &Rows, what: &str) {
    let filled = rows.iter().filter(|(_, count)| **count > 0);
    let filled = filled.map(|(name, count)| vec![(*name).to_owned(), count.to_string()]);
    let listed = table(&["table", what].map(words), filled.collect());
    terminal::notice(listed.trim_end());
}

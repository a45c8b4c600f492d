//! `assize audit …`: who changed what, and whether anybody changed that.

use anyhow::{Result, anyhow};
use assize_engine::ErrorKind;
use assize_engine::compliance::Registry;
use assize_engine::runs::people::audited;
use assize_engine::store::Flaw;
use assize_wire::text::line;
use clap::{Args, Subcommand, ValueEnum};

use super::evaluate::session::with_registry;
use super::users::At;
use crate::exit::Done;
use crate::output::{files, terminal};

/// Who changed what: verify the chain, export it.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  assize audit verify                          says how many entries there are, and the hash of the last
  assize audit verify --expect 1f3a…           also whether the chain still ends where it ended then
  assize audit export --format csv > audit.csv

Every entry holds the hash of itself and of the one before. Who can write to the database could write a whole new chain: keep
the hash that verify prints somewhere else. Exit code 3: the chain is broken.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Find a changed, missing or moved entry
    Verify {
        /// A hash that the chain had as its last, printed by an earlier verify
        #[arg(long, value_name = "HASH")]
        expect: Option<String>,
        #[command(flatten)]
        at: At,
    },
    /// Print every entry, the oldest first
    Export {
        /// Lines of JSON, or a table
        #[arg(long, value_enum, default_value_t = Format::Jsonl)]
        format: Format,
        #[command(flatten)]
        at: At,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One JSON object a line
    Jsonl,
    /// A table with commas
    Csv,
}

/// Entries that are in memory at once.
const PAGE: i64 = 1_000;

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let (Command::Verify { at, .. } | Command::Export { at, .. }) = &arguments.command;
    with_registry(&at.database, async |registry, _| {
        let registry = at.registry(registry).await?;
        match &arguments.command {
            Command::Verify { expect, .. } => verify(&registry, expect.as_deref()).await,
            Command::Export { format, .. } => export(&registry, *format).await,
        }
    })
}

async fn verify(registry: &Registry, expect: Option<&str>) -> Result<Done> {
    let chain = registry.store.audit().verify(&registry.organisation).await?;
    let flaw = match chain.flaw {
        Some(Flaw::Missing(place)) => Some(format!("entry {place} is missing")),
        Some(Flaw::Changed(place)) => Some(format!("entry {place} is not what was recorded there")),
        Some(Flaw::End { head, last }) => {
            Some(format!("the chain should end with entry {head}, and ends with {last}"))
        }
        None => None,
    };
    let flaw = match (flaw, expect) {
        (None, Some(hash)) if !holds(registry, hash).await? => {
            Some("no entry has the hash that was expected: the chain was written anew".to_owned())
        }
        (flaw, _) => flaw,
    };
    if let Some(flaw) = flaw {
        terminal::complain(&anyhow!("the audit is broken: {flaw}"), None);
        return Ok(Done::Ended(ErrorKind::Store));
    }
    files::print(&format!("{} entries, unbroken; the last is {}\n", chain.entries, chain.head))?;
    Ok(Done::Fine)
}

/// Whether an entry has that hash.
async fn holds(registry: &Registry, hash: &str) -> Result<bool> {
    let mut after = 0;
    loop {
        let page = registry.store.audit().chained(&registry.organisation, after, PAGE).await?;
        let Some(last) = page.last().and_then(|entry| entry.sequence) else { return Ok(false) };
        if page.iter().any(|entry| entry.hash.as_deref() == Some(hash)) {
            return Ok(true);
        }
        after = last;
    }
}

async fn export(registry: &Registry, format: Format) -> Result<Done> {
    let mut after = 0;
    if format == Format::Csv {
        let heads = [
            "sequence",
            "at",
            "who",
            "address",
            "action",
            "subject",
            "subject_id",
            "before",
            "after",
            "hash",
        ];
        files::print(&format!("{}\n", heads.join(",")))?;
    }
    loop {
        let page = registry.store.audit().chained(&registry.organisation, after, PAGE).await?;
        let Some(last) = page.last().and_then(|entry| entry.sequence) else {
            return Ok(Done::Fine);
        };
        after = last;
        for entry in page {
            let entry = audited(entry);
            files::print(&match format {
                Format::Jsonl => format!("{}\n", line(&entry)),
                Format::Csv => row(entry)?,
            })?;
        }
    }
}

fn row(entry: assize_wire::audit::AuditEntry) -> Result<String> {
    let json = |value: Option<serde_json::Value>| value.map(|value| value.to_string());
    let cells = [
        entry.sequence.to_string(),
        entry.at.to_rfc3339(),
        entry.who,
        entry.address.unwrap_or_default(),
        entry.action,
        entry.subject,
        entry.subject_id,
        json(entry.before).unwrap_or_default(),
        json(entry.after).unwrap_or_default(),
        entry.hash,
    ];
    // What a spreadsheet could take for a formula is disarmed.
    let cells = cells.map(|cell| {
        if cell.starts_with(['=', '+', '-', '@', '\t']) { format!("'{cell}") } else { cell }
    });
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(cells)?;
    Ok(String::from_utf8(writer.into_inner()?)?)
}

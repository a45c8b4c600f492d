//! `assize audit …`: who changed what, and whether anybody changed that.

use anyhow::{Result, anyhow};
use assize_engine::ErrorKind;
use assize_engine::Workspace;
use assize_engine::accounts::audit::AuditFormat;
use clap::{Args, Subcommand};

use super::evaluate::session::with_reader;
use super::users::At;
use crate::exit::Done;
use crate::output::{files, terminal};

/// How long a hash of the chain is.
const HASH_DIGITS: usize = 64;

/// Verify and export the audit log.
#[derive(Debug, Args)]
#[command(after_help = "\
Each entry contains a hash of itself and of the previous entry. Anyone with write access to the database could
rewrite the whole chain, so keep the hash that `verify` prints somewhere else. Exit code 3: the chain is
broken.")]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Verify that no entry was changed, removed or reordered, in every organisation unless one is
    /// named
    Verify {
        /// The last hash of the chain, as printed by an earlier `verify`
        #[arg(long, value_name = "HASH", value_parser = hash)]
        expect: Option<String>,
        #[command(flatten)]
        at: At,
    },
    /// Print every entry, oldest first
    Export {
        /// Output format
        #[arg(long, value_enum, default_value_t = AuditFormat::Jsonl)]
        format: AuditFormat,
        #[command(flatten)]
        at: At,
    },
}

/// A hash as `verify` prints it. What is none cannot have been in the chain, and says nothing
/// about it.
fn hash(text: &str) -> Result<String, String> {
    let is_hash = text.len() == HASH_DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hash {
        return Err(format!("a hash has {HASH_DIGITS} hexadecimal digits"));
    }
    Ok(text.to_ascii_lowercase())
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let (Command::Verify { at, .. } | Command::Export { at, .. }) = &arguments.command;
    with_reader(&at.database, async |workspace| match &arguments.command {
        Command::Verify { expect, .. } => {
            verify(&at.workspaces(workspace).await?, expect.as_deref()).await
        }
        Command::Export { format, .. } => export(&at.workspace(workspace).await?, *format).await,
    })
}

/// Goes through the chains of organisations. The expected hash may be in any of them.
async fn verify(workspaces: &[(String, Workspace)], expect: Option<&str>) -> Result<Done> {
    let mut flaws = Vec::new();
    let mut is_found = expect.is_none();
    for (name, workspace) in workspaces {
        let chain = workspace.audit_chain().await?;
        let of = if workspaces.len() > 1 { format!("{name}: ") } else { String::new() };
        match chain.flaw {
            Some(flaw) => flaws.push(format!("{of}{flaw}")),
            None => files::print(&format!(
                "{of}{} entries, chain intact; last hash {}\n",
                chain.entries, chain.head
            ))?,
        }
        if let Some(hash) = expect {
            is_found |= workspace.audit_holds(hash).await?;
        }
    }
    if !is_found {
        flaws.push("no entry has the expected hash: the chain was rewritten".to_owned());
    }
    for flaw in &flaws {
        terminal::complain(&anyhow!("the audit log is broken: {flaw}"), None);
    }
    Ok(if flaws.is_empty() { Done::Fine } else { Done::Ended(ErrorKind::Store) })
}

async fn export(workspace: &Workspace, format: AuditFormat) -> Result<Done> {
    let mut after = 0;
    while let Some((text, last)) = workspace.audit_piece(after, format).await? {
        files::print(&String::from_utf8(text)?)?;
        after = last;
    }
    Ok(Done::Fine)
}

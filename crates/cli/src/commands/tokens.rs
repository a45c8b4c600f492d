//! `assize tokens …`: what programs come in with over the network.

use anyhow::Result;
use assize_engine::Workspace;
use assize_engine::accounts::TokenRequest;
use assize_engine::store::Scope;
use clap::Subcommand;

use super::users::At;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};
use crate::output::terminal;

/// Manage API tokens: make, list, revoke.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Create a token and print its secret, which is shown only once
    Make {
        /// Name
        name: String,
        /// Scope
        #[arg(long, value_enum, default_value_t = Scope::Read)]
        scope: Scope,
        /// Days until the token expires
        #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=3650))]
        days: u32,
        #[command(flatten)]
        at: At,
    },
    /// List tokens, without their secrets
    List {
        #[command(flatten)]
        at: At,
    },
    /// Revoke a token
    Revoke {
        /// Id of the token, as shown by `tokens list`
        id: String,
        #[command(flatten)]
        at: At,
    },
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let (Arguments::Make { at, .. } | Arguments::List { at } | Arguments::Revoke { at, .. }) =
        arguments;
    let is_reading = matches!(arguments, Arguments::List { .. });
    at.work(is_reading, async |workspace| done(workspace, arguments).await)
}

async fn done(workspace: &Workspace, command: &Arguments) -> Result<()> {
    match command {
        Arguments::Make { name, scope, days, .. } => {
            let (name, scope) = (name.clone(), *scope);
            let made =
                workspace.make_token(TokenRequest { name, scope, days: Some(*days) }).await?;
            files::print(&format!("{}\n", made.secret))?;
            terminal::notice(&format!("{}: the secret is shown only once", made.token.id));
            Ok(())
        }
        Arguments::List { .. } => list(workspace).await,
        Arguments::Revoke { id, .. } => {
            workspace.revoke_token(id).await?;
            terminal::remark(&format!("{id} revoked"));
            Ok(())
        }
    }
}

async fn list(workspace: &Workspace) -> Result<()> {
    let rows = workspace.tokens().await?.into_iter().map(|token| {
        let day = |time: chrono::DateTime<chrono::Utc>| time.format("%Y-%m-%d").to_string();
        let until = match (token.revoked_at, token.expires_at) {
            (Some(_), _) => "revoked".to_owned(),
            (None, Some(until)) => day(until),
            (None, None) => "never".to_owned(),
        };
        vec![token.id.to_string(), token.name, token.scope.to_string(), until]
    });
    let headings = columns("id | name | scope | until");
    files::print(&table(&headings, rows.collect()))
}

//! `assize users …`: people who may come in over the network, for set-up without a browser.

use std::io::{self, BufRead};

use anyhow::{Context, Result, ensure};
use assize_engine::Workspace;
use assize_engine::accounts::secret;
use assize_engine::store::{Identity, Organisation, Role};
use clap::{Args, Subcommand};

use super::evaluate::session::{with_reader, with_workspace};
use crate::database_args::DatabaseArguments;
use crate::exit::Done;
use crate::output::files;
use crate::output::table::{columns, table};
use crate::output::terminal;

/// User accounts: add, list, role, link, disable, reset.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// Add a user
    Add {
        /// Login name
        name: String,
        /// Role
        #[arg(long, value_enum, default_value_t = Role::Viewer)]
        role: Role,
        /// Create the account without a password, for users who sign in through a proxy or identity
        /// provider
        #[arg(long, conflicts_with = "password_stdin")]
        without_password: bool,
        #[command(flatten)]
        password: PasswordArguments,
        #[command(flatten)]
        at: At,
    },
    /// List users and their roles
    List {
        #[command(flatten)]
        at: At,
    },
    /// Change the role of a user
    Role {
        /// User name
        name: String,
        /// Role
        #[arg(value_enum)]
        role: Role,
        #[command(flatten)]
        at: At,
    },
    /// Link an account to an identity at the identity provider, if the e-mail address does not
    /// match
    Link {
        /// User name
        name: String,
        /// The provider's issuer URL, as in its tokens
        #[arg(long, value_name = "URL")]
        issuer: String,
        /// The user's id at the provider: the `sub` claim of its tokens
        #[arg(long, value_name = "TEXT")]
        subject: String,
        #[command(flatten)]
        at: At,
    },
    /// Disable an account and sign the user out everywhere
    Disable {
        /// User name
        name: String,
        #[command(flatten)]
        at: At,
    },
    /// Re-enable an account
    Enable {
        /// User name
        name: String,
        #[command(flatten)]
        at: At,
    },
    /// Sign a user out of the organisation everywhere
    SignOut {
        /// User name
        name: String,
        #[command(flatten)]
        at: At,
    },
    /// Remove a user from the organisation for good; their decisions, ratings and runs stay under
    /// the name that is printed
    Remove {
        /// User name
        name: String,
        /// Confirm: this cannot be undone
        #[arg(long)]
        yes: bool,
        #[command(flatten)]
        at: At,
    },
    /// Reset a user's password and sign the user out everywhere
    Reset {
        /// User name
        name: String,
        /// Turn off the user's one-time codes instead; the password stays
        #[arg(long, conflicts_with = "password_stdin")]
        codes: bool,
        #[command(flatten)]
        password: PasswordArguments,
        #[command(flatten)]
        at: At,
    },
}

#[derive(Debug, Args)]
pub(crate) struct PasswordArguments {
    /// Read the password from the first line of standard input instead of generating one
    #[arg(long)]
    password_stdin: bool,
}

impl PasswordArguments {
    /// The password, and whether it was made and has to be shown.
    fn get(&self) -> Result<(String, bool)> {
        if !self.password_stdin {
            // 96 bits are enough for a password; more is not typed.
            return Ok((secret::random()?.chars().take(24).collect(), true));
        }
        let mut line = String::new();
        io::stdin().lock().read_line(&mut line).context("could not read a password")?;
        Ok((line.trim_end_matches(['\r', '\n']).to_owned(), false))
    }
}

/// Which database, and which organisation in it.
#[derive(Debug, Args)]
pub(crate) struct At {
    /// The organisation; created if it does not exist [default: the built-in one]
    #[arg(long, value_name = "NAME")]
    organisation: Option<String>,
    #[command(flatten)]
    pub(super) database: DatabaseArguments,
}

impl At {
    /// Does something in that organisation; reading makes no database.
    pub(super) fn work(
        &self,
        is_reading: bool,
        work: impl AsyncFnOnce(&Workspace) -> Result<()>,
    ) -> Result<Done> {
        let work = async |workspace: Workspace| {
            work(&self.workspace(workspace).await?).await?;
            Ok(Done::Fine)
        };
        if is_reading {
            return with_reader(&self.database, work);
        }
        with_workspace(&self.database, async |workspace, _| work(workspace).await)
    }

    /// The workspace of that organisation.
    pub(super) async fn workspace(&self, workspace: Workspace) -> Result<Workspace> {
        let Some(name) = &self.organisation else { return Ok(workspace) };
        let organisation = workspace.make_organisation(name).await?;
        Ok(Workspace { organisation, ..workspace })
    }

    /// The workspace of that organisation by its name; without a name, of every one there is.
    pub(super) async fn workspaces(
        &self,
        workspace: Workspace,
    ) -> Result<Vec<(String, Workspace)>> {
        if let Some(name) = &self.organisation {
            return Ok(vec![(name.clone(), self.workspace(workspace).await?)]);
        }
        let all = workspace.store.organisations().list().await?;
        let each =
            |one: Organisation| (one.name, Workspace { organisation: one.id, ..workspace.clone() });
        Ok(all.into_iter().map(each).collect())
    }
}

/// Runs the one that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<Done> {
    let (Arguments::Add { at, .. }
    | Arguments::List { at }
    | Arguments::Role { at, .. }
    | Arguments::Link { at, .. }
    | Arguments::Disable { at, .. }
    | Arguments::Enable { at, .. }
    | Arguments::SignOut { at, .. }
    | Arguments::Remove { at, .. }
    | Arguments::Reset { at, .. }) = arguments;
    let is_reading = matches!(arguments, Arguments::List { .. });
    at.work(is_reading, async |workspace| done(workspace, arguments).await)
}

async fn done(workspace: &Workspace, command: &Arguments) -> Result<()> {
    match command {
        Arguments::Add { name, role, without_password: true, .. } => {
            workspace.add_known_user(name, *role).await?;
            told(name, "added", None)
        }
        Arguments::Add { name, role, password, .. } => {
            let (password, is_made) = password.get()?;
            workspace.add_user(name, &password, *role).await?;
            told(name, "added", is_made.then_some(&password))
        }
        Arguments::List { .. } => list(workspace).await,
        Arguments::Role { name, role, .. } => {
            workspace.set_role(name, *role).await?;
            told(name, "has a new role", None)
        }
        Arguments::Link { name, issuer, subject, .. } => {
            workspace.link_identity(name, Identity { issuer, subject }).await?;
            told(name, "is linked to the identity provider", None)
        }
        Arguments::Disable { name, .. } => {
            workspace.set_disabled(name, true).await?;
            told(name, "is disabled", None)
        }
        Arguments::Enable { name, .. } => {
            workspace.set_disabled(name, false).await?;
            told(name, "is enabled again", None)
        }
        Arguments::SignOut { name, .. } => {
            workspace.end_sessions_of(name).await?;
            told(name, "is signed out", None)
        }
        Arguments::Remove { name, yes, .. } => {
            ensure!(yes, "{name} would be removed for good; confirm with --yes");
            let alias = workspace.remove_user(name).await?;
            terminal::remark(&format!("{name} is removed; what they did stays under this name:"));
            files::print(&format!("{alias}\n"))
        }
        Arguments::Reset { name, codes: true, .. } => {
            workspace.forget_codes(name).await?;
            told(name, "needs no one-time codes any more", None)
        }
        Arguments::Reset { name, password, .. } => {
            let (password, is_made) = password.get()?;
            workspace.set_password(name, &password).await?;
            told(name, "has a new password", is_made.then_some(&password))
        }
    }
}

fn told(name: &str, what: &str, password: Option<&String>) -> Result<()> {
    terminal::remark(&format!("{name} {what}"));
    if let Some(password) = password {
        files::print(&format!("{password}\n"))?;
        terminal::notice("the password is shown only once");
    }
    Ok(())
}

async fn list(workspace: &Workspace) -> Result<()> {
    let rows = workspace.users().await?.into_iter().map(|member| {
        let state = if member.user.is_disabled { "disabled" } else { "" };
        let since = member.user.created_at.format("%Y-%m-%d").to_string();
        vec![member.user.name, member.role.to_string(), since, state.to_owned()]
    });
    let headings = columns("name | role | since | ");
    files::print(&table(&headings, rows.collect()))
}

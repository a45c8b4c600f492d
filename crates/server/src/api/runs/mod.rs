//! Runs of all four instruments.

pub(crate) mod comments;
pub(crate) mod create;
pub(crate) mod edit;
pub(crate) mod export;
pub(crate) mod items;
pub(crate) mod list;
pub(crate) mod people;
pub(crate) mod rescore;

use assize_engine::Workspace;
use assize_engine::store::Run;

use crate::error::Result;

/// The run of a path: its number, name or id, or `latest`. What cannot be told apart, and what
/// belongs to somebody else, is not there.
pub(crate) async fn named(workspace: &Workspace, name: &str) -> Result<Run> {
    Ok(workspace.find_run(name).await?)
}

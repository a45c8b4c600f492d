//! Whether the record of changes is what was recorded.

use assize_store::{Flaw, StoreError};
use assize_wire::audit::AuditChain;
use async_recursion::async_recursion as boxed;

use crate::Workspace;

/// Goes through the chain of the organisation.
#[boxed]
pub async fn chain(workspace: &Workspace) -> Result<AuditChain, StoreError> {
    let chain = workspace.store.audit().verify(&workspace.organisation).await?;
    let flaw = chain.flaw.map(|flaw| match flaw {
        Flaw::Missing(place) => format!("entry {place} is missing"),
        Flaw::Changed(place) => format!("entry {place} was changed"),
        Flaw::End { head, last } => {
            format!("the chain should end with entry {head}, but ends with {last}")
        }
    });
    Ok(AuditChain { entries: chain.entries, head: chain.head, flaw })
}

//! People whom somebody else vouches for: a proxy that knows them, or a provider of identities.

use assize_store::Role;
use async_recursion::async_recursion as boxed;

use super::error::{AccountError, Result};
use super::sessions::SignedIn;
use crate::Workspace;

impl Workspace {
    /// Who has that name; one that nobody knows comes in with the role of newcomers, if there
    /// is one. Nobody if they may not come in.
    #[boxed]
    pub async fn vouched(&self, name: &str, newcomers: Option<Role>) -> Result<Option<SignedIn>> {
        let found = self.store.accounts().find(name).await?;
        let user = match (found, newcomers) {
            (Some(user), _) => user,
            (None, Some(role)) => match self.add_known_user(name, role).await {
                Ok(user) => user,
                // Two requests of a browser come at once; the other one was first.
                Err(AccountError::Exists(_)) => match self.store.accounts().find(name).await? {
                    Some(user) => user,
                    None => return Ok(None),
                },
                Err(error) => return Err(error),
            },
            (None, None) => return Ok(None),
        };
        if user.is_disabled {
            return Ok(None);
        }
        let member = self.first_membership(&user).await?;
        Ok(Some(SignedIn { user, organisation: member.organisation_id, role: member.role }))
    }
}

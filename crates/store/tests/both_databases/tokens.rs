//! A token does not outlive the one that it was made with, whoever makes one meanwhile.

use std::sync::Arc;

use assize_store::{ApiToken, OrganisationId, Scope, TokenId};
use chrono::Utc;

use crate::bed::on_both;

/// So many times tokens are made while the one above them is revoked.
const ROUNDS: usize = 1_000;

fn token(name: &str, parent: Option<&TokenId>) -> ApiToken {
    ApiToken {
        id: TokenId::of(&[name]),
        token_hash: name.to_owned(),
        organisation_id: OrganisationId::default_organisation(),
        name: name.to_owned(),
        scope: Scope::Admin,
        made_by: "ada".to_owned(),
        created_at: Utc::now(),
        expires_at: None,
        revoked_at: None,
        used_at: None,
        parent_id: parent.cloned(),
    }
}

on_both! {
    async fn of_tokens_made_while_one_is_revoked_none_is_left(bed) {
        let (store, ours) = (Arc::new(bed.open().await), OrganisationId::default_organisation());
        let mut made = 0;
        for round in 0..ROUNDS {
            let parent = store.tokens().insert(token(&format!("{round}"), None)).await.unwrap();
            let child = token(&format!("{round} child"), Some(&parent.id));
            let child = store.tokens().insert(child).await.unwrap();
            let making = [&parent.id, &child.id].map(|above| {
                let (store, name) = (Arc::clone(&store), format!("{round} under {above}"));
                let one = token(&name, Some(above));
                tokio::spawn(async move { store.tokens().insert(one).await })
            });
            store.tokens().revoke(&ours, &parent.id, Utc::now()).await.unwrap();
            for one in making {
                made += usize::from(one.await.unwrap().is_ok());
            }
        }
        // Nothing gives a token back, so that one look sees what any round left; names tell which.
        let all = store.tokens().list(&ours).await.unwrap();
        assert_eq!(all.len(), 2 * ROUNDS + made);
        let left: Vec<_> = all.iter().filter(|one| one.revoked_at.is_none()).collect();
        assert!(left.is_empty(), "{left:?}");
        assert!(made > 0, "no token was made before its parent was revoked");
    }
}

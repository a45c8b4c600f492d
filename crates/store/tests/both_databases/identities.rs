//! Whom a provider of identities vouches for, and sign-ins that begin and end.

use assize_store::{Identity, OrganisationId, Role, SignInRequest, StoreError, User, UserId};
use chrono::TimeDelta;

use crate::bed::on_both;
use crate::samples::noon;

const ISSUER: &str = "https://id.example";

fn user(name: &str) -> User {
    User {
        id: UserId::of(&[name]),
        name: name.to_owned(),
        password_hash: None,
        is_disabled: false,
        created_at: noon(),
        code_secret: None,
    }
}

fn identity(subject: &str) -> Identity<'_> {
    Identity { issuer: ISSUER, subject }
}

on_both! {
    async fn an_identity_is_one_person_and_comes_with_them_or_not_at_all(bed) {
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let (ann, bob) = (user("ann"), user("bob"));
        store.accounts().insert(&ann, &ours, Role::Viewer).await.unwrap();
        assert_eq!(store.identities().find(identity("1")).await.unwrap(), None);
        store.identities().link(identity("1"), &ann.id, noon()).await.unwrap();
        assert_eq!(store.identities().find(identity("1")).await.unwrap(), Some(ann.clone()));
        let elsewhere = Identity { issuer: "https://other", subject: "1" };
        assert_eq!(store.identities().find(elsewhere).await.unwrap(), None);
        let taken = store.identities().insert(identity("1"), &bob, &ours, Role::Viewer).await;
        assert!(matches!(taken, Err(StoreError::Exists(_))), "{taken:?}");
        assert_eq!(store.accounts().find("bob").await.unwrap(), None, "neither of both");
        store.identities().insert(identity("2"), &bob, &ours, Role::Admin).await.unwrap();
        assert_eq!(store.identities().find(identity("2")).await.unwrap(), Some(bob.clone()));
        assert_eq!(store.identities().subjects(&bob.id, ISSUER).await.unwrap(), ["2"]);
        assert_eq!(store.accounts().memberships(&bob.id).await.unwrap()[0].role, Role::Admin);
        assert_eq!(store.check().await.unwrap().findings, Vec::<String>::new());
    }

    async fn a_sign_in_ends_once_in_its_browser_and_in_time(bed) {
        let store = bed.open().await;
        let request = |state: &str| SignInRequest {
            state_hash: state.to_owned(),
            browser_hash: "browser".to_owned(),
            return_path: "/runs".to_owned(),
            expires_at: noon() + TimeDelta::minutes(10),
        };
        let identities = store.identities();
        identities.begin(&request("a"), noon()).await.unwrap();
        let later = noon() + TimeDelta::minutes(9);
        assert_eq!(identities.end(("a", "other"), later).await.unwrap(), None);
        assert_eq!(identities.end(("b", "browser"), later).await.unwrap(), None);
        let path = Some("/runs".to_owned());
        assert_eq!(identities.end(("a", "browser"), later).await.unwrap(), path);
        assert_eq!(identities.end(("a", "browser"), later).await.unwrap(), None, "once");
        identities.begin(&request("c"), noon()).await.unwrap();
        let late = noon() + TimeDelta::minutes(10);
        assert_eq!(identities.end(("c", "browser"), late).await.unwrap(), None, "too late");
    }
}

//! An organisation keeps an administrator, whoever takes one away at the same time.

use std::sync::Arc;

use assize_store::{OrganisationId, Role, Store, StoreError, User, UserId};
use chrono::Utc;

use crate::bed::on_both;

/// So many times several people are taken away at once.
const ROUNDS: u64 = 1_000;
const PEOPLE: u64 = 3;

async fn add(store: &Store, organisation: &OrganisationId, number: u64) -> UserId {
    let name = format!("person {number}");
    let id = UserId::of(&[&name]);
    let user = User {
        id: id.clone(),
        name,
        password_hash: None,
        is_disabled: false,
        created_at: Utc::now(),
        code_secret: None,
    };
    store.accounts().insert(&user, organisation, Role::Admin).await.unwrap();
    id
}

async fn administrators(store: &Store, organisation: &OrganisationId) -> usize {
    let all = store.accounts().list(organisation).await.unwrap();
    all.iter().filter(|one| one.role == Role::Admin && !one.user.is_disabled).count()
}

/// A number that looks like chance and is the same every time.
fn chance(seed: u64) -> u64 {
    let mixed = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}

on_both! {
    async fn of_people_taken_away_at_once_one_administrator_stays(bed) {
        let store = Arc::new(bed.open().await);
        let ours = OrganisationId::default_organisation();
        let mut people = Vec::new();
        for number in 0..PEOPLE {
            people.push(add(&store, &ours, number).await);
        }
        let mut refused = 0;
        for round in 0..ROUNDS {
            let taken = (0..PEOPLE).map(|number| {
                let (store, ours) = (Arc::clone(&store), ours.clone());
                let user = people[usize::try_from(number).unwrap()].clone();
                tokio::spawn(async move {
                    match chance(round * PEOPLE + number) % 3 {
                        0 => store.accounts().set_disabled(&user, true).await,
                        1 => store.accounts().set_role(&user, &ours, Role::Viewer).await.map(drop),
                        _ => store.accounts().set_role(&user, &ours, Role::Analyst).await.map(drop),
                    }
                })
            });
            for task in taken.collect::<Vec<_>>() {
                match task.await.unwrap() {
                    Ok(()) => {}
                    Err(StoreError::LastAdministrator) => refused += 1,
                    Err(error) => panic!("{error:?}"),
                }
            }
            assert_eq!(administrators(&store, &ours).await, 1, "round {round}");
            // Only what was taken is given back: most of the time goes into writing.
            for one in store.accounts().list(&ours).await.unwrap() {
                if one.user.is_disabled {
                    store.accounts().set_disabled(&one.user.id, false).await.unwrap();
                }
                if one.role != Role::Admin {
                    store.accounts().set_role(&one.user.id, &ours, Role::Admin).await.unwrap();
                }
            }
        }
        assert_eq!(refused, ROUNDS);
    }

    async fn who_administers_another_organisation_alone_is_not_disabled(bed) {
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let (one, _two) = (add(&store, &ours, 1).await, add(&store, &ours, 2).await);
        let theirs = assize_store::Organisation {
            id: OrganisationId::of(&["theirs"]),
            name: "theirs".into(),
            created_at: Utc::now(),
        };
        store.organisations().insert(&theirs).await.unwrap();
        store.accounts().set_role(&one, &theirs.id, Role::Admin).await.unwrap();
        let disabled = store.accounts().set_disabled(&one, true).await;
        assert!(matches!(disabled, Err(StoreError::LastAdministrator)), "{disabled:?}");
        let before = store.accounts().set_role(&one, &ours, Role::Viewer).await.unwrap();
        assert_eq!(before, Some(Role::Admin));
    }

    async fn of_organisations_made_at_once_whose_names_look_alike_one_is_made(bed) {
        let store = Arc::new(bed.open().await);
        for round in 0..20 {
            let names = [format!("acme {round}"), format!("Acme {round}"), format!("\u{430}cme {round}")];
            let making = names.map(|name| {
                let store = Arc::clone(&store);
                let id = OrganisationId::of(&[&name]);
                let one = assize_store::Organisation { id, name, created_at: Utc::now() };
                tokio::spawn(async move { store.organisations().insert(&one).await })
            });
            let mut made = 0;
            for one in making {
                match one.await.unwrap() {
                    Ok(()) => made += 1,
                    Err(StoreError::Exists(_)) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
            assert_eq!(made, 1, "round {round}");
        }
    }
}

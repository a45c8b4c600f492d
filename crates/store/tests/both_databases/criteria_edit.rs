//! One criterion changed, added, moved and removed, each with its entry in the audit.

use assize_store::{AuditEntry, CriteriaItem, MoveTo, OrganisationId, Removal, Store};
use serde_json::{Value, json};

use crate::bed::on_both;
use crate::samples::{noon, sample};

fn entry(organisation: &OrganisationId, action: &str) -> AuditEntry {
    AuditEntry::new(organisation, noon(), "ann", [action, "criteria set", "x"])
}

fn retired() -> Value {
    json!({"retired": true})
}

async fn names(store: &Store, organisation: &OrganisationId, set: &CriteriaItem) -> Vec<String> {
    let all = store.criteria_items().list(organisation, &set.criteria_set_id).await.unwrap();
    all.into_iter().map(|item| item.criteria_id).collect()
}

on_both! {
    async fn a_criterion_is_changed_once_and_a_run_keeps_what_was_planned(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, seen) = (&sample.organisation, &sample.items[1]);
        let planned = store.plans().criteria(ours, &sample.run.id).await.unwrap();
        let wanted = CriteriaItem {
            requirement: "Another one.".to_owned(),
            properties: Some(json!({"weight": 2.5, "category": "Doors"})),
            ..seen.clone()
        };
        assert!(store.change_criterion((seen, &wanted), &entry(ours, "one")).await.unwrap());
        assert!(!store.change_criterion((seen, &wanted), &entry(ours, "two")).await.unwrap());
        let items = store.criteria_items().list(ours, &sample.set.id).await.unwrap();
        assert_eq!(items[1], wanted);
        assert_eq!(store.plans().criteria(ours, &sample.run.id).await.unwrap(), planned);
        assert_eq!(planned[1].properties, seen.properties);
        // Whoever moves it does not stand in the way of whoever changes it.
        let moved = (&sample.set.id, &seen.id);
        let to = store.move_criterion(moved, MoveTo::Up, &retired(), &entry(ours, "three")).await;
        assert_eq!(to.unwrap(), Some(0));
        assert!(store.change_criterion((&wanted, seen), &entry(ours, "four")).await.unwrap());
        let noted = store.audit().chained(ours, 0, 100).await.unwrap();
        let actions: Vec<_> = noted.iter().map(|one| one.action.as_str()).collect();
        assert_eq!(actions[actions.len() - 3..], ["one", "three", "four"], "what is refused is not noted");
        let theirs = OrganisationId::from("organisation-theirs");
        assert!(store.change_criterion((seen, &wanted), &entry(&theirs, "x")).await.is_err());
    }

    async fn criteria_are_moved_whatever_their_numbers(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, set) = (&sample.organisation, &sample.set.id);
        let before = names(&store, ours, &sample.items[0]).await;
        // As a system before this one may have left them: all at the same place.
        let same: Vec<_> =
            sample.items.iter().map(|item| CriteriaItem { sort_order: 7, ..item.clone() }).collect();
        store.criteria_items().put_all(ours, set, &same).await.unwrap();
        let mut sorted = before.clone();
        sorted.sort();
        assert_eq!(names(&store, ours, &sample.items[0]).await, sorted);
        let first = sample.items.iter().find(|item| item.criteria_id == sorted[0]).unwrap();
        for (to, place, expected) in [
            (MoveTo::Down, 1, [1, 0, 2]),
            (MoveTo::Place(9), 2, [1, 2, 0]),
            (MoveTo::Down, 2, [1, 2, 0]),
            (MoveTo::Place(0), 0, [0, 1, 2]),
            (MoveTo::Up, 0, [0, 1, 2]),
        ] {
            let entry = entry(ours, "reorder");
            let moved = store.move_criterion((set, &first.id), to, &retired(), &entry).await.unwrap();
            let expected = expected.map(|place: usize| sorted[place].clone());
            assert_eq!((moved, names(&store, ours, first).await), (Some(place), expected.to_vec()));
        }
    }

    async fn what_nobody_used_is_removed_and_what_is_retired_comes_back(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let ours = &sample.organisation;
        let used = &sample.items[0];
        let removed = store.remove_criterion(used, &retired(), &entry(ours, "remove")).await;
        assert_eq!(removed.unwrap(), Removal::Used);
        let new = CriteriaItem::new(&sample.set.id, "NEW-1", "New.", 0);
        assert!(store.add_criterion(&new, &retired(), &entry(ours, "add")).await.unwrap());
        assert!(!store.add_criterion(&new, &retired(), &entry(ours, "add")).await.unwrap());
        assert_eq!(names(&store, ours, used).await.last().unwrap(), "NEW-1");
        let counted = store.views().set_uses(ours).await.unwrap();
        assert_eq!((counted[&sample.set.id].criteria, counted[&sample.set.id].last_run), (4, Some(sample.run.number)));
        let old = CriteriaItem { properties: Some(retired()), ..used.clone() };
        store.criteria_items().put_all(ours, &sample.set.id, &[old]).await.unwrap();
        let counted = store.views().set_uses(ours).await.unwrap();
        assert_eq!(counted[&sample.set.id].criteria, 3, "one that is only kept for runs does not count");
        let again = CriteriaItem { requirement: "Back.".to_owned(), ..used.clone() };
        assert!(store.add_criterion(&again, &retired(), &entry(ours, "back")).await.unwrap());
        let last = store.criteria_items().list(ours, &sample.set.id).await.unwrap().pop().unwrap();
        assert_eq!((&last.id, last.requirement.as_str()), (&used.id, "Back."));
        let removed = store.remove_criterion(&new, &retired(), &entry(ours, "remove")).await;
        assert_eq!(removed.unwrap(), Removal::Done);
        assert_eq!(names(&store, ours, used).await.len(), 3);
    }
}

//! The chain of the audit: a changed, removed or moved row is found.

use assize_store::{AuditEntry, Flaw, Organisation, OrganisationId, Store};
use chrono::TimeDelta;
use serde_json::json;

use crate::bed::on_both;
use crate::raw::Raw;
use crate::samples::{noon, sample};

/// Five entries of one organisation, one of another between them.
async fn five(store: &Store) -> OrganisationId {
    let [ours, theirs] = ["ours", "theirs"].map(|name| OrganisationId::of(&[name]));
    for (id, name) in [(&ours, "ours"), (&theirs, "theirs")] {
        let row = Organisation { id: id.clone(), name: name.into(), created_at: noon() };
        store.organisations().insert(&row).await.unwrap();
    }
    for place in 0..5 {
        let at = noon() + TimeDelta::seconds(place);
        let id = format!("rubric-{place}");
        let entry = AuditEntry::new(&ours, at, "ada", ["update", "criteria set", &id]);
        // Numbers, order of keys and NUL as a database may change them.
        let after = json!({"z": 1.0, "a": [1, 2.5, 1e20], "text": "a\u{0}b"});
        store.audit().record(&entry.with(None, Some(after))).await.unwrap();
        let other = AuditEntry::new(&theirs, at, "bob", ["delete", "run", &id]);
        store.audit().record(&other).await.unwrap();
    }
    ours
}

on_both! {
    async fn an_unbroken_chain_verifies_and_goes_on(bed) {
        let store = bed.open().await;
        let ours = five(&store).await;
        let chain = store.audit().verify(&ours).await.unwrap();
        assert_eq!((chain.entries, &chain.flaw), (5, &None));
        let entries = store.audit().chained(&ours, 0, 10).await.unwrap();
        assert_eq!(entries.last().unwrap().hash.as_deref(), Some(chain.head.as_str()));
        // The same entry twice is one.
        let again = AuditEntry { sequence: None, hash: None, ..entries[4].clone() };
        store.audit().record(&again).await.unwrap();
        assert_eq!(store.audit().verify(&ours).await.unwrap(), chain);
        store.close().await;
    }

    async fn a_run_that_is_made_is_in_the_chain(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let entries = store.audit().chained(&sample.organisation, 0, 10).await.unwrap();
        let made: Vec<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
        assert_eq!(made, ["create"]);
        assert_eq!(entries[0].subject_id, sample.run.id.as_str());
        assert_eq!(store.audit().verify(&sample.organisation).await.unwrap().flaw, None);
        store.close().await;
    }

    async fn a_changed_row_is_found(bed) {
        let store = bed.open().await;
        let ours = five(&store).await;
        let mut raw = Raw::connect(&bed.place).await;
        raw.execute("UPDATE audit SET who = 'eve' WHERE subject_id = 'rubric-2' AND who = 'ada'").await;
        let flaw = store.audit().verify(&ours).await.unwrap().flaw;
        assert_eq!(flaw, Some(Flaw::Changed(3)));
        store.close().await;
    }

    async fn a_removed_row_is_found_also_at_the_end(bed) {
        let store = bed.open().await;
        let ours = five(&store).await;
        let mut raw = Raw::connect(&bed.place).await;
        raw.execute("DELETE FROM audit WHERE subject_id = 'rubric-4' AND who = 'ada'").await;
        let flaw = store.audit().verify(&ours).await.unwrap().flaw;
        assert_eq!(flaw, Some(Flaw::End { head: 5, last: 4 }));
        raw.execute("DELETE FROM audit WHERE subject_id = 'rubric-1' AND who = 'ada'").await;
        let flaw = store.audit().verify(&ours).await.unwrap().flaw;
        assert_eq!(flaw, Some(Flaw::Missing(2)));
        store.close().await;
    }

    async fn rows_that_changed_places_are_found(bed) {
        let store = bed.open().await;
        let ours = five(&store).await;
        let mut raw = Raw::connect(&bed.place).await;
        for (from, to) in [(2, 99), (3, 2), (99, 3)] {
            let sql = format!("UPDATE audit SET sequence = {to} WHERE sequence = {from} AND who = 'ada'");
            raw.execute(&sql).await;
        }
        let flaw = store.audit().verify(&ours).await.unwrap().flaw;
        assert_eq!(flaw, Some(Flaw::Changed(2)));
        store.close().await;
    }
}

//! The revision of a database: the same while nobody writes, another one after any write.

use assize_store::{OrganisationId, Revision, RunFilter, Store};
use chrono::Utc;

use crate::bed::on_both;
use crate::samples::sample;

/// The revision once two looks agree, with a question between them: PostgreSQL does things of
/// its own in a fresh database.
async fn settled(store: &Store) -> Revision {
    for _ in 0..100 {
        let before = store.revision().await.unwrap();
        let filter = RunFilter::default();
        store.runs().page(&OrganisationId::default_organisation(), &filter, 10).await.unwrap();
        if store.revision().await.unwrap() == before {
            return before;
        }
    }
    panic!("the revision changes though nobody writes");
}

on_both! {
    async fn a_revision_stays_until_somebody_writes_whoever_it_is(bed) {
        let store = bed.open().await;
        // Another process has a store of its own over the same database.
        let other = bed.open().await;
        let before = settled(&store).await;
        let sample = sample(&other, "ours").await;
        assert_ne!(store.revision().await.unwrap(), before);
        let planned = settled(&store).await;
        let run = other.runs().get(&sample.organisation, &sample.run.id).await.unwrap();
        let run = run.unwrap();
        other.runs().archive(&run, Some(Utc::now())).await.unwrap();
        assert_ne!(store.revision().await.unwrap(), planned);
        let archived = settled(&store).await;
        store.runs().archive(&run, None).await.unwrap();
        assert_ne!(store.revision().await.unwrap(), archived);
    }
}

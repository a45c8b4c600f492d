//! The database goes away in the middle of the work.

use assize_store::retention::By;
use assize_store::{Finished, Place, Store, StoreError};
use assize_testbed::Postgres;

use crate::bed::Bed;
use crate::raw::Raw;
use crate::samples::{HOLD, Sample, sample};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_stops_is_a_clear_error_and_what_was_committed_is_kept() {
    let server = Postgres::start();
    let place = Place::from(server.database());
    let store = Store::open(&place).await.unwrap();
    let sample = sample(&store, "ours").await;
    let (ours, run) = (&sample.organisation, &sample.run.id);
    sample.commit(&store, &[sample.result(0, 0, 73.0)]).await.unwrap();
    let claimed = store.leases().claim(run, "test", 1, HOLD).await.unwrap().remove(0);
    let finished = Finished { claimed, verdict: sample.result(0, 1, 50.0).verdict };
    server.stop();
    let errors = [
        sample.commit(&store, &[sample.result(0, 1, 50.0)]).await.unwrap_err(),
        store.finish(finished.clone()).await.unwrap_err(),
        store.results().list(ours, run).await.unwrap_err(),
        store.find_reply("k").await.unwrap_err(),
    ];
    for error in errors {
        assert!(matches!(error, StoreError::Unreachable(_)), "{error:?}");
        assert!(error.to_string().contains("committed data is safe"), "{error}");
    }
    let unopened = Store::open(&place).await.unwrap_err();
    assert!(matches!(unopened, StoreError::Unopened { .. }), "{unopened:?}");

    // The same store goes on when the server does.
    server.resume();
    assert_eq!(store.results().list(ours, run).await.unwrap().len(), 1);
    assert!(store.finish(finished).await.unwrap());
}

/// SQLite takes a transaction back by itself when the disk is full. A trigger that does the same
/// needs no disk, and can be taken away again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_sqlite_took_back_by_itself_does_not_end_all_writing() {
    let bed = Bed::sqlite();
    let store = bed.open().await;
    let sample = sample(&store, "ours").await;
    let failed = Store::failed_writes();
    let mut raw = Raw::connect(&bed.place).await;
    for event in ["INSERT ON setup_links", "UPDATE ON audit_heads"] {
        let trigger = format!(
            "CREATE TRIGGER full AFTER {event} BEGIN SELECT RAISE(ROLLBACK, 'the disk is full'); END"
        );
        raw.execute(&trigger).await;
        for _ in 0..3 {
            let (tried, decided) = (store.try_write().await, prune(&store, &sample).await);
            assert_ne!(tried.is_ok(), decided.is_ok(), "{tried:?} {decided:?}");
            let told = format!("{:?}", tried.and(decided));
            assert!(told.contains("the disk is full"), "{told}");
        }
        raw.execute("DROP TRIGGER full").await;
        store.try_write().await.unwrap();
        prune(&store, &sample).await.unwrap();
    }
    assert!(Store::failed_writes() >= failed + 6);
}

/// Something that is written in several statements.
async fn prune(store: &Store, sample: &Sample) -> Result<(), StoreError> {
    let by = By { organisation: &sample.organisation, who: "ada", at: chrono::Utc::now() };
    store.prune_exchanges(std::time::Duration::from_hours(24), by).await.map(drop)
}

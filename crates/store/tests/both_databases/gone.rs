//! The database goes away in the middle of the work.

use assize_store::{Finished, Place, Store, StoreError};
use assize_testbed::Postgres;

use crate::samples::{HOLD, sample};

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

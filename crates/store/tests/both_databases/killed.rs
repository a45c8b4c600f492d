//! Killed at a random moment, twenty times: every pair ends with one whole result.

use std::env;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use assize_store::{Claimed, Finished, Open, OrganisationId, Place, RunFilter, RunState, Store};
use futures_util::future::try_join_all;

use crate::bed::Bed;
use crate::samples::{running, sample_of, verdict_of};

const KILLS: u64 = 20;
/// Long enough for a commit on a machine that does other things too.
const LEASE: Duration = Duration::from_secs(5);
/// Set in a process that is there to be killed: where the store is.
const VICTIM: &str = "ASSIZE_TEST_VICTIM";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_on_sqlite() {
    if !is_victim().await {
        kill_twenty_times(&Bed::sqlite(), "killed::killed_on_sqlite").await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_on_postgres() {
    if !is_victim().await {
        kill_twenty_times(&Bed::postgres(), "killed::killed_on_postgres").await;
    }
}

/// The test is its own victim: it starts itself again, with a variable that says so.
async fn is_victim() -> bool {
    let Ok(place) = env::var(VICTIM) else { return false };
    work_to_the_end(&Store::open(&place).await.unwrap()).await;
    true
}

async fn kill_twenty_times(bed: &Bed, test: &str) {
    let store = bed.open().await;
    let sample = sample_of(&store, "ours", 20, 60).await;
    let (ours, run) = (&sample.organisation, &sample.run.id);
    let mut moment = 0x5eed_u64;
    for _ in 0..KILLS {
        moment = moment.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let mut victim = victim(bed, test);
        tokio::time::sleep(Duration::from_millis(20 + (moment >> 33) % 150)).await;
        victim.kill().unwrap();
        victim.wait().unwrap();
        // Whatever is there is whole, at every moment.
        let committed = store.runs().get(ours, run).await.unwrap().unwrap().items_done;
        let results = store.results().list(ours, run).await.unwrap();
        assert!(
            i64::try_from(results.len()).unwrap() >= committed,
            "{} of {committed}",
            results.len()
        );
        assert!(results.iter().all(|one| one.score.is_some() && one.ai_citations.is_some()));
    }
    let mut survivor = victim(bed, test);
    let ended = tokio::task::spawn_blocking(move || survivor.wait()).await.unwrap().unwrap();
    assert!(ended.success());
    let results = store.results().list(ours, run).await.unwrap();
    assert_eq!(results.len(), 1_200);
    let document = sample.document(7);
    let evidence = store.results().ledgers_of_document(ours, run, document).await.unwrap();
    assert_eq!(evidence.len(), 60);
    assert_eq!(store.leases().open(run).await.unwrap(), Open::default());
    // Nobody said so: the last commit did.
    let done = store.runs().get(ours, run).await.unwrap().unwrap();
    assert_eq!((done.state, done.items_done), (RunState::Done, 1_200));
    assert_eq!(store.check().await.unwrap().findings, [""; 0]);
}

fn victim(bed: &Bed, test: &str) -> Child {
    let place = match &bed.place {
        Place::Sqlite(path) => path.to_str().unwrap(),
        Place::Postgres(url) => url,
    };
    Command::new(env::current_exe().unwrap())
        .args([test, "--exact"])
        .env(VICTIM, place)
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

async fn work_to_the_end(store: &Store) {
    let ours = OrganisationId::of(&["ours"]);
    let run = store.runs().page(&ours, &RunFilter::default(), 1).await.unwrap().remove(0).id;
    // Refused when an earlier victim came to the end before it was killed.
    let _ = running(store, &ours, &run).await;
    loop {
        // Whoever was killed held some items; they return when the lease runs out.
        let claimed = store.leases().claim(&run, "victim", 8, LEASE).await.unwrap();
        if claimed.is_empty() && store.leases().open(&run).await.unwrap() == Open::default() {
            return;
        }
        if claimed.is_empty() {
            tokio::time::sleep(LEASE / 2).await;
        }
        let finish = async |claimed: Claimed| {
            store.finish(Finished { claimed, verdict: verdict_of(73.5) }).await
        };
        let ours = try_join_all(claimed.into_iter().map(finish)).await.unwrap();
        assert!(ours.into_iter().all(|is_ours| is_ours));
    }
}

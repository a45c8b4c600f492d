//! Two who work on one run: never the same item, and nothing from whoever lost the lease.

use std::collections::BTreeSet;
use std::time::Duration;

use assize_store::{Claimed, Finished, Open, RunState, Store};

use crate::bed::on_both;
use crate::samples::{HOLD, Sample, running, sample, sample_of, verdict_of};

const SHORT: Duration = Duration::from_millis(300);

fn finished(claimed: &Claimed, score: f64) -> Finished {
    Finished { claimed: claimed.clone(), verdict: verdict_of(score) }
}

async fn begun(store: &Store) -> Sample {
    let sample = sample(store, "ours").await;
    running(store, &sample.organisation, &sample.run.id).await.unwrap();
    sample
}

on_both! {
    async fn two_who_claim_get_different_items_in_order(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let run = &sample.run.id;
        let one = store.leases().claim(run, "one", 4, HOLD).await.unwrap();
        let two = store.leases().claim(run, "two", 4, HOLD).await.unwrap();
        let places = |claimed: &[Claimed]| claimed.iter().map(|c| c.position).collect::<Vec<_>>();
        assert_eq!((places(&one), places(&two)), (vec![0, 1, 2, 3], vec![4, 5]));
        assert_ne!(one[0].token, two[0].token);
        assert_eq!(one[1].subject, "policy-01.md AC-2");
        assert_eq!(one[3].document_id.as_ref(), Some(sample.document(1)));
        assert_eq!(one[3].criteria_item_id.as_ref(), Some(sample.item(0)));
        assert_eq!(store.leases().claim(run, "three", 4, HOLD).await.unwrap(), []);
        assert_eq!(store.leases().open(run).await.unwrap(), Open { claimable: 0, held: 6 });
    }

    async fn whoever_lost_the_lease_commits_nothing(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let run = &sample.run.id;
        let slow = store.leases().claim(run, "slow", 1, SHORT).await.unwrap().remove(0);
        tokio::time::sleep(SHORT * 2).await;
        let quick = store.leases().claim(run, "quick", 1, HOLD).await.unwrap().remove(0);
        assert_eq!((quick.position, quick.attempts), (slow.position, 2));
        let tokens = BTreeSet::from([slow.token]);
        assert_eq!(store.leases().heartbeat(run, &tokens, HOLD).await.unwrap(), 0);
        assert!(!store.finish(finished(&slow, 10.0)).await.unwrap());
        assert_eq!(store.finish_all(&[finished(&slow, 10.0)]).await.unwrap(), 0);
        assert_eq!(store.results().list(&sample.organisation, run).await.unwrap(), []);
        assert!(store.finish(finished(&quick, 90.0)).await.unwrap());
        // Even the one who finished cannot do so again.
        assert!(!store.finish(finished(&quick, 50.0)).await.unwrap());
        assert!(!store.finish(finished(&slow, 10.0)).await.unwrap());
        let results = store.results().list(&sample.organisation, run).await.unwrap();
        assert_eq!(results.len(), 1);
        assert_eq!(results[0].ai_score_value, Some(90.0));
        let any = store.runs().get(&sample.organisation, run).await.unwrap().unwrap();
        assert_eq!((any.items, any.items_done, any.items_unscored), (6, 1, 0));
    }

    async fn a_heartbeat_holds_on_and_a_release_gives_back(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let run = &sample.run.id;
        let held = store.leases().claim(run, "held", 6, SHORT).await.unwrap();
        let tokens = BTreeSet::from([held[0].token]);
        assert_eq!(store.leases().heartbeat(run, &tokens, HOLD).await.unwrap(), 6);
        tokio::time::sleep(SHORT * 2).await;
        assert_eq!(store.leases().claim(run, "other", 6, HOLD).await.unwrap(), []);
        store.leases().release(run, &tokens).await.unwrap();
        let again = store.leases().claim(run, "other", 1, HOLD).await.unwrap();
        assert_eq!((again[0].position, again[0].attempts), (0, 1));
        assert!(!store.finish(finished(&held[0], 1.0)).await.unwrap());
    }

    async fn what_waits_and_how_long_it_is_held_is_counted_by_organisation(bed) {
        let store = bed.open().await;
        let ours = begun(&store).await;
        let theirs = sample_of(&store, "theirs", 1, 2).await;
        assert_eq!(store.workers().queues().await.unwrap().len(), 1, "theirs is not going on");
        running(&store, &theirs.organisation, &theirs.run.id).await.unwrap();
        let held = store.leases().claim(&ours.run.id, "steady", 5, HOLD).await.unwrap();
        store.leases().claim(&theirs.run.id, "gone", 1, SHORT).await.unwrap();
        tokio::time::sleep(SHORT * 2).await;
        let queues = store.workers().queues().await.unwrap();
        let counted: Vec<_> =
            queues.iter().map(|queue| (queue.organisation.as_str(), queue.items)).collect();
        assert_eq!(counted, [("theirs", 2), ("ours", 1)]);
        let (short, long) = (SHORT.as_secs_f64(), 30.0);
        assert!((short * 2.0..long).contains(&queues[1].lease_age_seconds), "{queues:?}");
        assert!((short..long).contains(&queues[0].lease_overdue_seconds), "{queues:?}");
        assert_eq!((queues[0].lease_age_seconds, queues[1].lease_overdue_seconds), (0.0, 0.0));
        // A sign of life makes a lease no younger; who gives it back and takes it again begins anew.
        let tokens = BTreeSet::from([held[0].token]);
        store.leases().heartbeat(&ours.run.id, &tokens, HOLD).await.unwrap();
        let age = async || store.workers().queues().await.unwrap()[1].lease_age_seconds;
        assert!(age().await >= short * 2.0);
        store.leases().release(&ours.run.id, &tokens).await.unwrap();
        store.leases().claim(&ours.run.id, "other", 5, HOLD).await.unwrap();
        assert!(age().await < short, "{}", age().await);
    }

    async fn only_a_run_that_runs_gives_out_items(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        assert_eq!(store.leases().claim(run, "early", 1, HOLD).await.unwrap(), []);
        running(&store, ours, run).await.unwrap();
        let claimed = store.leases().claim(run, "one", 1, HOLD).await.unwrap();
        // One who leaves while another works stops nothing; a person does.
        store.runs().leave(run, RunState::Stopped, None).await.unwrap();
        let state = async || store.runs().get(ours, run).await.unwrap().unwrap().state;
        assert_eq!(state().await, RunState::Running);
        store.runs().set_state(ours, run, RunState::Stopped, None).await.unwrap();
        assert_eq!(state().await, RunState::Stopped);
        assert_eq!(store.leases().claim(run, "two", 1, HOLD).await.unwrap(), []);
        // What was under way counts all the same: it is paid for.
        assert!(store.finish(finished(&claimed[0], 5.0)).await.unwrap());
    }

    async fn the_last_item_makes_the_run_done_whoever_finished_it(bed) {
        let store = bed.open().await;
        let sample = sample_of(&store, "ours", 5, 40).await;
        let run = &sample.run.id;
        running(&store, &sample.organisation, run).await.unwrap();
        let work = async |name: String| {
            let store = bed.open().await;
            loop {
                let claimed = store.leases().claim(run, &name, 3, HOLD).await.unwrap();
                if claimed.is_empty() {
                    break;
                }
                let finish = claimed.iter().map(|one| store.finish(finished(one, 50.0)));
                for is_ours in futures_util::future::join_all(finish).await {
                    assert!(is_ours.unwrap());
                }
            }
            store.close().await;
        };
        futures_util::future::join_all((0..4).map(|n| work(format!("worker {n}")))).await;
        let done = store.runs().get(&sample.organisation, run).await.unwrap().unwrap();
        assert_eq!((done.state, done.items_done), (RunState::Done, 200));
        assert!(done.ended_at.is_some());
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    }
}

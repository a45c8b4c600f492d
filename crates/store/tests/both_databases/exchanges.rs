//! Exchanges: the first reply stays, nothing is lost, many may use a store at once.

use assize_store::{Begun, Cost, Exchange, SendFailure, Sending, Store, Tally};
use chrono::{DateTime, TimeZone, Utc};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::bed::on_both;
use crate::raw::Raw;

fn noon() -> DateTime<Utc> {
    Utc.with_ymd_and_hms(2026, 11, 3, 12, 0, 0).unwrap()
}

const COST: Cost = Cost { tokens: 15, price_nanodollars: Some(1_500), is_estimated: false };

pub(crate) fn on_fire() -> SendFailure {
    SendFailure { class: "server", said: "on fire".into(), at: noon(), cost: Some(Cost::default()) }
}

fn exchange(key: &str, words: &str) -> Exchange {
    Exchange {
        key: key.into(),
        provider: "local".into(),
        model: "tiny".into(),
        attempt: 0,
        request: raw(&json!({"messages": ["Is it so? ‘naïve’ \u{1F600} {summary}"]})),
        reply: raw(&json!({"text": words})),
        input_tokens: 12,
        output_tokens: 3,
        counted: true,
        price_nanodollars: Some(1_500),
        created: noon(),
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    serde_json::value::to_raw_value(value).unwrap()
}

fn said(reply: Option<Box<RawValue>>) -> Option<Value> {
    reply.map(|reply| serde_json::from_str(reply.get()).unwrap())
}

async fn found(store: &Store, key: &str) -> Option<Value> {
    said(store.find_reply(key).await.unwrap())
}

async fn keep(store: &Store, key: &str, words: &str) -> Option<Value> {
    let sent = store.begin_send(Sending::new(key, noon())).await.unwrap().sent().unwrap();
    said(store.keep(sent, exchange(key, words), COST).await.unwrap())
}

on_both! {
    async fn an_exchange_is_found_again_as_it_was_kept_after_the_store_was_closed(bed) {
        let store = bed.open().await;
        assert_eq!(keep(&store, "k1", "yes").await, None);
        store.close().await;

        let store = bed.open().await;
        let kept = store.find_exchange("k1").await.unwrap().unwrap();
        assert_eq!(format!("{kept:?}"), format!("{:?}", exchange("k1", "yes")));
        assert_eq!(found(&store, "k1").await, Some(json!({"text": "yes"})));
        assert_eq!(found(&store, "k2").await, None);
        assert_eq!(store.highest_attempt().await.unwrap(), Some(0));
    }

    async fn the_first_reply_stays_and_whoever_comes_late_is_told_it(bed) {
        let (one, two) = (bed.open().await, bed.open().await);
        let late = two.begin_send(Sending::new("k", noon())).await.unwrap().sent().unwrap();
        assert_eq!(keep(&one, "k", "first").await, None);
        let told = two.keep(late, exchange("k", "second"), COST).await.unwrap();
        assert_eq!(said(told), Some(json!({"text": "first"})));
        assert_eq!(found(&two, "k").await, Some(json!({"text": "first"})));
        assert_eq!(one.tally().await.unwrap().failures["late"], 1);
    }

    async fn one_of_two_processes_asks_and_the_other_waits_until_it_has_a_reply_or_none(bed) {
        let (one, two) = (bed.open().await, bed.open().await);
        let asking = || Sending { is_exclusive: true, ..Sending::new("k", noon()) };
        let first = one.begin_send(asking()).await.unwrap().sent().unwrap();
        assert_eq!(two.begin_send(asking()).await.unwrap(), Begun::Held);
        // What is noted of it counts once: the second was not sent.
        assert_eq!(two.tally().await.unwrap().sends, 1);
        one.fail_send(first, on_fire()).await.unwrap();
        let second = two.begin_send(asking()).await.unwrap().sent().unwrap();
        assert_eq!(one.begin_send(asking()).await.unwrap(), Begun::Held);
        assert!(two.keep(second, exchange("k", "yes"), COST).await.unwrap().is_none());
        assert_eq!(found(&one, "k").await, Some(json!({"text": "yes"})));
    }

    async fn a_claim_runs_out_unless_it_is_held_on_to(bed) {
        let (one, two) = (bed.open().await, bed.open().await);
        let asking = || Sending { is_exclusive: true, ..Sending::new("k", noon()) };
        let mut raw = Raw::connect(&bed.place).await;
        let run_out = "UPDATE exchange_claims SET held_until = '2020-01-01T00:00:00.000+00:00'";
        let first = one.begin_send(asking()).await.unwrap().sent().unwrap();
        raw.execute(run_out).await;
        one.hold_send(&first).await.unwrap();
        assert_eq!(two.begin_send(asking()).await.unwrap(), Begun::Held);
        raw.execute(run_out).await;
        let taken = two.begin_send(asking()).await.unwrap().sent().unwrap();
        // The first one cannot hold on to what is another's now.
        one.hold_send(&first).await.unwrap();
        one.fail_send(first, on_fire()).await.unwrap();
        assert_eq!(one.begin_send(asking()).await.unwrap(), Begun::Held);
        two.fail_send(taken, on_fire()).await.unwrap();
        assert!(one.begin_send(asking()).await.unwrap().sent().is_some());
    }

    async fn the_tally_counts_replies_failures_and_what_has_no_ending(bed) {
        let store = bed.open().await;
        assert_eq!(store.tally().await.unwrap(), Tally::default());
        keep(&store, "k1", "yes").await;
        keep(&store, "k2", "no").await;
        let failed = store.begin_send(Sending::new("k3", noon())).await.unwrap().sent().unwrap();
        store.fail_send(failed, on_fire()).await.unwrap();
        let _lost = store.begin_send(Sending::new("k3", noon())).await.unwrap().sent().unwrap();

        let tally = store.tally().await.unwrap();
        assert_eq!((tally.exchanges, tally.sends, tally.open, tally.retries()), (2, 4, 1, 2));
        assert_eq!(tally.failures.into_iter().collect::<Vec<_>>(), [("server".to_owned(), 1)]);
        assert_eq!((tally.input_tokens, tally.output_tokens), (24, 6));
        assert_eq!((tally.price_nanodollars, tally.unpriced), (3_000, 0));
    }

    /// A hundred at once end up in statements of many rows; each must get its own reply back.
    async fn a_hundred_at_once_each_find_their_own(bed) {
        let store = bed.open().await;
        let keys: Vec<String> = (0..100).map(|number| format!("k{number}")).collect();
        futures_util::future::join_all(keys.iter().map(|key| keep(&store, key, key))).await;
        let all = futures_util::future::join_all(keys.iter().map(|key| found(&store, key))).await;
        for (key, reply) in keys.iter().zip(all) {
            assert_eq!(reply, Some(json!({"text": key})));
        }
        // Half of them again, and half anew: only those that were there come back.
        let mixed = (50..150).map(|number| async move { (number, format!("k{number}")) });
        let told = futures_util::future::join_all(mixed.map(async |mixed| {
            let (number, key) = mixed.await;
            (number, keep(&store, &key, "again").await)
        }));
        for (number, earlier) in told.await {
            assert_eq!(earlier.is_some(), number < 100, "{number}");
        }
        let tally = store.tally().await.unwrap();
        assert_eq!((tally.exchanges, tally.sends, tally.failures["late"]), (150, 200, 50));
    }

    async fn eight_may_open_a_fresh_file_at_once_and_none_loses_anything(bed) {
        let tasks = (0..8).map(|writer| {
            let place = bed.place.clone();
            tokio::spawn(async move {
                let store = Store::open(&place).await.unwrap();
                for number in 0..25 {
                    keep(&store, &format!("{writer}-{number}"), "yes").await;
                }
            })
        });
        for task in tasks.collect::<Vec<_>>() {
            task.await.unwrap();
        }
        let tally = bed.open().await.tally().await.unwrap();
        assert_eq!((tally.exchanges, tally.sends, tally.open), (200, 200, 0));
    }
}

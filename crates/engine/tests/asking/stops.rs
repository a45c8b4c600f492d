//! Ends before the end: a budget, a wish to stop, and going on from there.

use std::sync::Arc;
use std::time::Duration;

use assize_engine::asking::{Halt, Sender, Stop};
use assize_injector::Injector;
use assize_models::{Budget, Exhausted, Limit};

use crate::support::{judge, label_all, labels, settings, store, trial};

#[tokio::test]
async fn a_budget_holds_and_the_run_goes_on_from_there_with_another() {
    let folder = tempfile::tempdir().unwrap();
    let injector = Injector::start(labels()).await.unwrap();
    let store = store(folder.path()).await;
    let limit = Limit::Tokens(3_000);
    let stop = Stop::default();
    let sender = Sender::new(Some(Arc::clone(&store)), Budget::new(Some(limit), 0), stop.clone());
    let run = label_all(&sender, &judge(&injector.base_url(), settings(8)), 100, &stop).await;

    let Some(Halt::Budget(used_up @ Exhausted::Spent { .. })) = run.halt else {
        panic!("{:?}", run.halt)
    };
    assert!(used_up.to_string().starts_with("the budget of 3000 tokens is used up"), "{used_up}");
    let tally = store.tally().await.unwrap();
    let spent = tally.input_tokens + tally.output_tokens;
    assert!(spent <= 3_000 && spent > 1_500, "{spent}");
    assert_eq!(run.scored.len() as u64, tally.exchanges);
    assert!(run.unscored.is_empty());

    let sender = Sender::new(Some(Arc::clone(&store)), Budget::new(None, 0), stop.clone());
    let run = label_all(&sender, &judge(&injector.base_url(), settings(8)), 100, &stop).await;
    assert_eq!(run.scored.len(), 100);
    assert_eq!(injector.seen(), 100);
    assert_eq!(sender.account().from_store, tally.exchanges);
}

#[tokio::test]
async fn a_budget_in_dollars_holds_too() {
    // Every request may cost at most about 200 millionths of a dollar: 0.001 allows some.
    let limit: Limit = "$0.001".parse().unwrap();
    let trial = trial(labels(), 100, Some(limit)).await;
    trial.check(100);
    assert!(matches!(trial.run.halt, Some(Halt::Budget(_))), "{:?}", trial.run.halt);
    assert!(trial.tally.price_nanodollars <= 1_000_000, "{:?}", trial.tally);
    assert!(!trial.run.scored.is_empty());
}

#[tokio::test]
async fn a_polite_stop_brings_home_what_is_under_way_and_begins_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let script = labels().after(Duration::from_millis(100));
    let injector = Injector::start(script).await.unwrap();
    let judge = judge(&injector.base_url(), settings(8));
    let store = store(folder.path()).await;
    let stop = Stop::default();
    let sender = Sender::new(Some(Arc::clone(&store)), Budget::new(None, 0), stop.clone());
    let interrupt = async {
        while injector.seen() < 12 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        stop.ask();
    };
    let (run, ()) = tokio::join!(label_all(&sender, &judge, 100, &stop), interrupt);

    assert!(matches!(run.halt, Some(Halt::Asked)), "{:?}", run.halt);
    assert_eq!((injector.seen(), run.scored.len()), (16, 16));
    let tally = store.tally().await.unwrap();
    assert_eq!((tally.exchanges, tally.open), (16, 0));
}

#[tokio::test]
async fn a_second_wish_abandons_what_is_under_way_and_leaves_it_noted() {
    let folder = tempfile::tempdir().unwrap();
    let injector = Injector::start(labels().after(Duration::from_secs(30))).await.unwrap();
    let mut patient = settings(8);
    patient.timeouts.reply = Duration::from_mins(1);
    let judge = judge(&injector.base_url(), patient);
    let store = store(folder.path()).await;
    let stop = Stop::default();
    let sender = Sender::new(Some(Arc::clone(&store)), Budget::new(None, 0), stop.clone());
    let interrupt = async {
        while injector.seen() < 8 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        stop.ask();
        stop.ask();
    };
    let both = async { tokio::join!(label_all(&sender, &judge, 100, &stop), interrupt) };
    let (run, ()) = tokio::time::timeout(Duration::from_secs(10), both).await.unwrap();
    assert!(matches!(run.halt, Some(Halt::Asked)) && run.scored.is_empty());
    let tally = store.tally().await.unwrap();
    assert_eq!((tally.exchanges, tally.open, tally.sends), (0, 8, 8));
}

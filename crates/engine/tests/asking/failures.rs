//! Every row of the table of failures: what the user is told, what is kept, what was paid.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use assize_engine::asking::{Halt, Sender, Stop};
use assize_injector::{Fault, Injector, Script, When};
use assize_models::Budget;

use crate::support::{Trial, item, judge, label_all, labels, settings, store, trial, trial_with};

fn only(index: usize) -> When {
    When::matching(move |request| item(request) == index)
}

/// The first request for each item that ends in this digit.
fn first_of(digit: usize) -> When {
    let met = Mutex::new(BTreeSet::new());
    When::matching(move |request| {
        let item = item(request);
        item % 10 == digit && met.lock().unwrap().insert(item)
    })
}

fn every_tenth_item() -> When {
    When::matching(|request| item(request).is_multiple_of(10))
}

async fn all_of(items: usize, script: Script) -> Trial {
    let trial = trial(script, items, None).await;
    trial.check(items);
    assert!(trial.run.halt.is_none(), "{:?}", trial.run.halt);
    assert_eq!(trial.run.scored.len() + trial.run.unscored.len(), items);
    trial
}

#[tokio::test]
async fn without_faults_every_item_is_scored_and_every_token_paid_once() {
    let trial = all_of(40, labels()).await;
    assert_eq!((trial.run.scored.len(), trial.seen), (40, 40));
    // The server counts a token a byte, and the price is a dollar for a million of them.
    let tokens = trial.tally.input_tokens + trial.tally.output_tokens;
    assert_eq!(trial.tally.price_nanodollars, tokens * 1_000);
    assert!(tokens > 0 && trial.tally.unpriced == 0);
}

#[tokio::test]
async fn a_tenth_of_the_replies_cut_off_leaves_ninety_scored_and_ten_named() {
    let trial = all_of(100, labels().with(every_tenth_item(), Fault::CutMessage)).await;
    assert_eq!((trial.run.scored.len(), trial.run.unscored.len()), (90, 10));
    for (item, unscored) in &trial.run.unscored {
        assert_eq!(item % 10, 0);
        let expected = "local/tiny gave no readable reply in two attempts: \
                        the JSON object breaks off before its end";
        assert_eq!(unscored.because, expected);
        let raw = unscored.raw_reply.as_deref().unwrap();
        assert!(raw.starts_with("Here you are: {"), "{raw}");
        assert_eq!(unscored.exchanges.len(), 2);
    }
    // Each of the ten was asked a second time, and both replies are kept.
    assert_eq!((trial.tally.exchanges, trial.tally.retries()), (110, 0));
    assert_eq!(trial.sender.account().asked_again, 10);
}

#[tokio::test]
async fn a_reply_cut_off_once_is_asked_for_again_with_the_complaint() {
    let first = When::matching(|request| request.turns() == 2);
    let folder = tempfile::tempdir().unwrap();
    let injector = Injector::start(labels().with(first, Fault::OutOfTokens)).await.unwrap();
    let judge = judge(&injector.base_url(), settings(8));
    let stop = Stop::default();
    let sender = Sender::new(Some(store(folder.path()).await), Budget::new(None, 0), stop.clone());
    let run = label_all(&sender, &judge, 1, &stop).await;

    assert_eq!(run.scored.len(), 1);
    let [first, second] = &injector.requests()[..] else { panic!("two requests") };
    assert_eq!(first.body["max_tokens"], 100);
    assert_eq!(second.body["max_tokens"], 200);
    assert_eq!(second.body["messages"][2]["role"], "assistant");
    let complaint = second.last_message();
    assert!(complaint.contains("the JSON object breaks off before its end"), "{complaint}");
}

#[tokio::test]
async fn every_tenth_request_slowed_down_loses_and_duplicates_nothing() {
    let trial = all_of(100, labels().with(When::Every(10), Fault::slow_down(0.05))).await;
    assert_eq!(trial.run.scored.len(), 100);
    assert_eq!(trial.tally.exchanges, 100);
    assert_eq!(trial.tally.failures["rate_limited"], trial.seen / 10);
    assert_eq!(trial.tally.retries(), trial.seen / 10);
}

#[tokio::test]
async fn a_provider_that_slows_everyone_down_is_left_alone_until_it_said() {
    let begun = Instant::now();
    let script = labels().with(When::Numbers(1..=8), Fault::slow_down(0.4));
    let trial = all_of(20, script).await;
    assert_eq!((trial.run.scored.len(), trial.tally.retries()), (20, 8));
    assert!(begun.elapsed() >= Duration::from_millis(400), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn failures_of_the_server_and_of_the_line_are_tried_again() {
    let script = labels()
        .with(first_of(0), Fault::status(500, "on fire"))
        .with(first_of(1), Fault::CutBody)
        .with(first_of(2), Fault::Disconnect)
        .with(first_of(3), Fault::BrokenJson)
        .with(first_of(4), Fault::WebPage);
    let trial = all_of(60, script).await;
    assert_eq!((trial.run.scored.len(), trial.tally.exchanges), (60, 60));
    let failures = &trial.tally.failures;
    let count = |class: &str| failures[class];
    assert_eq!((count("server"), count("broken_off"), count("malformed")), (6, 12, 12));
    // What is not the protocol, or broke off after the sending, may have been paid for.
    assert_eq!(trial.sender.account().maybe_paid, 24);
}

#[tokio::test]
async fn one_item_that_always_fails_is_unscored_after_five_tries_and_the_others_are_not() {
    let trial = all_of(20, labels().with(only(3), Fault::status(500, "on fire"))).await;
    assert_eq!(trial.run.scored.len(), 19);
    let expected = "local/tiny did not answer: the provider failed (500): on fire";
    assert_eq!(trial.run.unscored[&3].because, expected);
    assert_eq!(trial.run.unscored[&3].raw_reply, None);
    assert_eq!((trial.tally.exchanges, trial.tally.failures["server"]), (19, 5));
}

#[tokio::test]
async fn silence_ends_after_three_time_outs_that_may_have_been_paid_for() {
    let mut hasty = settings(8);
    hasty.timeouts.reply = Duration::from_millis(500);
    let script = labels().with(only(2), Fault::Hang);
    let trial = trial_with(script, 4, None, hasty).await;
    trial.check(4);
    assert_eq!(trial.run.scored.len(), 3);
    let expected = "local/tiny did not answer: no response within 0.5 seconds";
    assert_eq!(trial.run.unscored[&2].because, expected);
    assert_eq!(trial.tally.failures["timed_out"], 3);
    assert_eq!(trial.sender.account().maybe_paid, 3);
}

#[tokio::test]
async fn what_the_provider_refuses_is_asked_once_and_named() {
    let script = labels()
        .with(only(1), Fault::status(413, "8192 tokens are the limit"))
        .with(only(2), Fault::status(400, "no such parameter"))
        .with(only(3), Fault::Filtered);
    let trial = all_of(8, script).await;
    assert_eq!((trial.run.scored.len(), trial.tally.exchanges, trial.seen), (5, 5, 8));
    let because = |item: usize| trial.run.unscored[&item].because.as_str();
    let begin = "local/tiny did not answer: ";
    assert_eq!(
        because(1),
        format!("{begin}the request is too long for the model: 8192 tokens are the limit")
    );
    assert_eq!(
        because(2),
        format!("{begin}the provider refused the request (400): no such parameter")
    );
    assert_eq!(
        because(3),
        format!("{begin}the provider refused the request: its content filter blocked the reply")
    );
}

#[tokio::test]
async fn an_empty_reply_is_asked_for_again_and_then_unscored() {
    let trial = all_of(2, labels().with(only(1), Fault::EmptyMessage)).await;
    let unscored = &trial.run.unscored[&1];
    assert!(
        unscored.because.ends_with("in two attempts: the reply is empty"),
        "{}",
        unscored.because
    );
    assert_eq!(trial.tally.exchanges, 3);
}

#[tokio::test]
async fn a_server_that_dies_half_way_and_comes_back_costs_no_item() {
    let folder = tempfile::tempdir().unwrap();
    let script = labels().after(Duration::from_millis(10));
    let mut injector = Injector::start(script).await.unwrap();
    let judge = judge(&injector.base_url(), settings(8));
    let store = store(folder.path()).await;
    let stop = Stop::default();
    let sender = Sender::new(Some(store.clone()), Budget::new(None, 0), stop.clone());
    let outage = async {
        while injector.seen() < 40 {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        injector.die().await;
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        injector.come_back().await.unwrap();
        injector
    };
    let (run, injector) = tokio::join!(label_all(&sender, &judge, 100, &stop), outage);

    assert!(run.halt.is_none(), "{:?}", run.halt);
    assert_eq!((run.scored.len(), run.unscored.len()), (100, 0), "{:?}", run.unscored);
    let tally = store.tally().await.unwrap();
    assert_eq!((tally.exchanges, tally.open), (100, 0));
    // The server saw all but those it refused while it was dead.
    assert!(injector.seen() <= tally.sends, "{} {tally:?}", injector.seen());
    // Those under way when it died broke off; those after them found nobody.
    let broken_off = tally.failures.get("broken_off").copied().unwrap_or(0);
    assert_eq!(tally.retries(), tally.failures["unreachable"] + broken_off);
}

#[tokio::test]
async fn a_server_that_is_not_there_ends_the_run_soon_and_says_why() {
    let begun = Instant::now();
    let folder = tempfile::tempdir().unwrap();
    let mut injector = Injector::start(labels()).await.unwrap();
    let judge = judge(&injector.base_url(), settings(8));
    injector.die().await;
    let stop = Stop::default();
    let store = store(folder.path()).await;
    let sender = Sender::new(Some(store.clone()), Budget::new(None, 0), stop.clone());
    let run = label_all(&sender, &judge, 1_000, &stop).await;

    let Some(Halt::Provider { model, source }) = run.halt else { panic!("{:?}", run.halt) };
    assert_eq!(model.to_string(), "local/tiny");
    assert!(source.to_string().starts_with("could not reach the provider: "), "{source}");
    assert!(run.scored.is_empty() && run.unscored.is_empty());
    assert_eq!(store.tally().await.unwrap().exchanges, 0);
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[tokio::test]
async fn a_wrong_key_ends_the_run_after_those_under_way() {
    let script = labels().with(When::Always, Fault::status(401, "invalid key"));
    let trial = trial(script, 1_000, None).await;
    trial.check(1_000);
    let Some(Halt::Provider { source, .. }) = &trial.run.halt else { panic!() };
    assert_eq!(source.to_string(), "the provider rejected the API key (401): invalid key");
    assert!(trial.seen <= 8, "{}", trial.seen);
    assert!(trial.run.unscored.is_empty());
}

//! What items go through: lost leases, retries, and what it all costs.

use std::time::Duration;

use assize_store::budgets::{day_scope, run_scope};
use assize_store::{
    Begun, BillPart, BudgetUnit, Claimed, Cost, Exchange, Finished, LOSSES_MAX, LOSSES_TOGETHER,
    NewVerdict, NoRoom, Rates, RetryFilter, RunState, SendFailure, Sending, Store, Taken,
};
use serde_json::json;
use serde_json::value::RawValue;

use crate::bed::on_both;
use crate::samples::{HOLD, Sample, noon, running, sample, verdict_of};

const SHORT: Duration = Duration::from_millis(150);

async fn begun(store: &Store) -> Sample {
    let sample = sample(store, "ours").await;
    running(store, &sample.organisation, &sample.run.id).await.unwrap();
    sample
}

fn finished(claimed: &Claimed, failure: Option<&str>) -> Finished {
    let verdict = failure.map_or_else(|| verdict_of(50.0), NewVerdict::failed);
    Finished { claimed: claimed.clone(), verdict }
}

fn sending(sample: &Sample, key: &str, tokens: u64, scopes: &[String]) -> Sending {
    Sending {
        item: Some((sample.run.id.clone(), 3)),
        asked: Some(("local".into(), "tiny".into())),
        ceiling: Cost { tokens, price_nanodollars: Some(tokens * 10), is_estimated: true },
        scopes: scopes.to_vec(),
        ..Sending::new(key, noon())
    }
}

fn exchange(key: &str) -> Exchange {
    Exchange {
        key: key.into(),
        provider: "local".into(),
        model: "tiny".into(),
        attempt: 4,
        request: RawValue::from_string("{}".into()).unwrap(),
        reply: RawValue::from_string("{}".into()).unwrap(),
        input_tokens: 1,
        output_tokens: 1,
        counted: true,
        price_nanodollars: None,
        created: noon(),
    }
}

on_both! {
    async fn an_item_that_loses_leases_is_given_out_alone_and_in_the_end_to_be_given_up(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let (run, leases) = (&sample.run.id, store.leases());
        for losses in 0..LOSSES_TOGETHER {
            let all = leases.claim(run, "mortal", 6, SHORT).await.unwrap();
            assert_eq!(all.iter().map(|one| one.losses).collect::<Vec<_>>(), vec![losses; 6]);
            assert_eq!(leases.claim_alone(run, "other", HOLD).await.unwrap(), None);
            tokio::time::sleep(SHORT * 3).await;
        }
        // Nobody gets it together with others any more.
        assert_eq!(leases.claim(run, "next", 6, HOLD).await.unwrap(), []);
        for losses in LOSSES_TOGETHER..=LOSSES_MAX {
            let alone = leases.claim_alone(run, "mortal", SHORT).await.unwrap().unwrap();
            assert_eq!((alone.position, alone.losses), (0, losses));
            tokio::time::sleep(SHORT * 3).await;
        }
    }

    async fn what_failed_is_tried_again_and_nothing_else(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let claimed = store.leases().claim(run, "one", 6, HOLD).await.unwrap();
        let reasons = [None, Some("no answer in time"), None, Some("unreadable"), None, None];
        for (claimed, reason) in claimed.iter().zip(reasons) {
            assert!(store.finish(finished(claimed, reason)).await.unwrap());
        }
        let any = async || store.runs().get(ours, run).await.unwrap().unwrap();
        let done = any().await;
        assert_eq!((done.state, done.items_done, done.items_unscored), (RunState::Done, 6, 2));
        let sent = store.begin_send(sending(&sample, "k", 1, &[])).await.unwrap().sent().unwrap();
        store.keep(sent, exchange("k"), Cost::default()).await.unwrap();

        let because = Some("in time".to_owned());
        let filter = RetryFilter { only_failed: true, because };
        let reopened = store.reopen(&done, &filter, ("ada", noon()), None).await.unwrap();
        assert_eq!((reopened.items, reopened.kept), (1, 0));
        let open = any().await;
        assert_eq!((open.state, open.items_done, open.items_unscored), (RunState::Stopped, 5, 1));
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
        running(&store, ours, run).await.unwrap();
        let again = store.leases().claim(run, "two", 6, HOLD).await.unwrap();
        // Attempt 4 was the highest that any reply was kept for.
        assert_eq!((again.len(), again[0].position, again[0].ask_attempt), (1, 1, Some(5)));
        assert!(store.finish(finished(&again[0], None)).await.unwrap());
        assert_eq!((any().await.state, any().await.items_unscored), (RunState::Done, 1));
        let before = store.retries_of(run, 1).await.unwrap();
        assert_eq!(before, [(noon(), Some("no answer in time".to_owned()))]);

        let none = RetryFilter { because: Some("nobody said this".into()), ..filter };
        assert_eq!(store.reopen(&any().await, &none, ("ada", noon()), None).await.unwrap().items, 0);
        assert_eq!(any().await.state, RunState::Done);
    }

    /// The answers of a council are judged together: where one has no score, all are open again,
    /// and what belongs to the run is as it was before it was held.
    async fn items_that_are_judged_together_are_tried_again_together(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let (ours, run, runs) = (&sample.organisation, &sample.run.id, store.runs());
        let claimed = store.leases().claim(run, "one", 6, HOLD).await.unwrap();
        let (planned, held) = (json!({"hearing": "Why?"}), json!({"hearing": "Why?", "record": 1}));
        // Whoever lost the lease writes nothing.
        assert!(!runs.set_material(run, claimed[0].token + 1, &planned).await.unwrap());
        assert!(runs.set_material(run, claimed[0].token, &held).await.unwrap());
        assert_eq!(runs.material(run).await.unwrap(), Some(held));
        assert_eq!(runs.progress(run).await.unwrap(), None);
        let steps = json!([{"stage": "answer", "state": "done"}]);
        runs.set_progress(run, &steps).await.unwrap();
        assert_eq!(runs.progress(run).await.unwrap(), Some(steps));
        for (place, claimed) in claimed.iter().enumerate() {
            let failure = (place == 4).then_some("no review of it counts");
            assert!(store.finish(finished(claimed, failure)).await.unwrap());
        }
        let any = async || runs.get(ours, run).await.unwrap().unwrap();
        let filter = RetryFilter::default();
        let again = store.reopen(&any().await, &filter, ("ada", noon()), Some(&planned)).await;
        assert_eq!(again.unwrap().items, 6);
        let open = any().await;
        assert_eq!((open.items_done, open.items_unscored), (0, 0));
        assert_eq!(runs.material(run).await.unwrap(), Some(planned.clone()));
        assert_eq!(runs.progress(run).await.unwrap(), None);
        // Where all have a score, nothing is opened.
        running(&store, ours, run).await.unwrap();
        for claimed in store.leases().claim(run, "two", 6, HOLD).await.unwrap() {
            assert!(store.finish(finished(&claimed, None)).await.unwrap());
        }
        let again = store.reopen(&any().await, &filter, ("ada", noon()), Some(&planned)).await;
        assert_eq!(again.unwrap().items, 0);
        assert_eq!(any().await.state, RunState::Done);
    }

    async fn a_bill_says_how_sure_it_is(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let send = async |key: &str| {
            store.begin_send(sending(&sample, key, 100, &[])).await.unwrap().sent().unwrap()
        };
        let (counted, guessed) = (send("a").await, send("b").await);
        let (refused, cut, _lost) = (send("c").await, send("d").await, send("e").await);
        let cost = Cost { tokens: 30, price_nanodollars: Some(300), is_estimated: false };
        store.keep(counted, exchange("a"), cost).await.unwrap();
        let cost = Cost { tokens: 40, price_nanodollars: None, is_estimated: true };
        store.keep(guessed, exchange("b"), cost).await.unwrap();
        let failure = |cost| SendFailure { class: "server", said: String::new(), at: noon(), cost };
        store.fail_send(refused, failure(Some(Cost::default()))).await.unwrap();
        store.fail_send(cut, failure(None)).await.unwrap();
        let bill = store.budgets().bill(&sample.run.id).await.unwrap();
        let part = |requests, tokens, price_nanodollars, unpriced| {
            BillPart { requests, tokens, price_nanodollars, unpriced }
        };
        assert_eq!(bill.certain, part(1, 30, 300, 0));
        assert_eq!(bill.estimated, part(1, 40, 0, 1));
        // One broke off, one was never heard of again: both may have been paid for.
        assert_eq!(bill.maybe, part(2, 200, 2_000, 0));
        assert_eq!((bill.free, bill.tokens()), (1, 270));
        assert_eq!(bill.models, [("local/tiny".to_owned(), part(5, 270, 2_300, 1))].into());
    }

    async fn a_budget_holds_across_processes_and_counts_what_came_before(bed) {
        let (one, two) = (bed.open().await, bed.open().await);
        let sample = begun(&one).await;
        let (run, budgets) = (&sample.run.id, one.budgets());
        let before = one.begin_send(sending(&sample, "a", 30, &[])).await.unwrap().sent().unwrap();
        let cost = Cost { tokens: 20, price_nanodollars: None, is_estimated: false };
        one.keep(before, exchange("a"), cost).await.unwrap();
        budgets.set_for_run(run, BudgetUnit::Tokens, 100).await.unwrap();
        let scopes = budgets.scopes(&sample.organisation, run, noon()).await.unwrap();
        assert_eq!(scopes, [run_scope(run)]);
        let spent = async || budgets.rows(&run_scope(run)).await.unwrap()[0].spent;
        assert_eq!(spent().await, 20);
        let fifty = |key: &str| sending(&sample, key, 50, &scopes);
        let first = one.begin_send(fifty("b")).await.unwrap().sent().unwrap();
        let full = Begun::NoRoom(NoRoom { scope: run_scope(run), is_unpriced: false });
        assert_eq!(two.begin_send(fifty("c")).await.unwrap(), full);
        assert_eq!(spent().await, 70);
        let cost = Cost { tokens: 10, price_nanodollars: None, is_estimated: true };
        one.keep(first, exchange("b"), cost).await.unwrap();
        assert_eq!(spent().await, 30);
        let second = two.begin_send(fifty("c")).await.unwrap().sent().unwrap();
        let failure = SendFailure { class: "broken_off", said: String::new(), at: noon(), cost: None };
        two.fail_send(second, failure).await.unwrap();
        assert_eq!(spent().await, 80);
        assert_eq!(one.begin_send(fifty("d")).await.unwrap(), full);
        assert_eq!(one.check().await.unwrap().findings, [""; 0]);
    }

    async fn what_a_provider_allows_is_shared(bed) {
        let (one, two) = (bed.open().await, bed.open().await);
        let rates = Rates { requests_a_minute: Some(240), tokens_a_minute: Some(6_000_000) };
        let name = ["local", "tiny"];
        let first = one.limits().take(name, &rates, 3, 10.0).await.unwrap();
        let second = two.limits().take(name, &rates, 3, 10.0).await.unwrap();
        // Four a second: three, and what is left, with what came meanwhile.
        assert_eq!(first, Taken::Requests(3));
        assert!(matches!(second, Taken::Requests(1..=3)), "{second:?}");
        let mut taken = 0;
        let begun = std::time::Instant::now();
        while taken < 8 {
            match one.limits().take(name, &rates, 1, 10.0).await.unwrap() {
                Taken::Requests(count) => taken += count,
                Taken::After(wait) => tokio::time::sleep(wait).await,
            }
        }
        // Eight more are two seconds' worth, of which one may have been there.
        assert!(begun.elapsed() >= Duration::from_millis(900), "{:?}", begun.elapsed());
        let other = one.limits().take(["local", "other"], &rates, 1, 10.0).await.unwrap();
        assert_eq!(other, Taken::Requests(1));

        assert_eq!(two.limits().paused(name).await.unwrap(), None);
        one.limits().pause(name, Duration::from_secs(30)).await.unwrap();
        one.limits().pause(name, Duration::from_secs(1)).await.unwrap();
        let wait = two.limits().paused(name).await.unwrap().unwrap();
        assert!((20..=30).contains(&wait.as_secs()), "{wait:?}");
        let refused = two.limits().take(name, &rates, 1, 10.0).await.unwrap();
        assert!(matches!(refused, Taken::After(wait) if wait.as_secs() >= 20), "{refused:?}");
        assert_eq!(one.check().await.unwrap().findings, [""; 0]);
    }

    async fn a_day_has_a_budget_too(bed) {
        let store = bed.open().await;
        let sample = begun(&store).await;
        let (ours, budgets) = (&sample.organisation, store.budgets());
        budgets.set_day_ceiling(ours, BudgetUnit::Nanodollars, Some(900), noon()).await.unwrap();
        let scopes = budgets.scopes(ours, &sample.run.id, noon()).await.unwrap();
        assert_eq!(scopes, [day_scope(ours, noon().date_naive())]);
        let send = async |key: &str| store.begin_send(sending(&sample, key, 50, &scopes)).await;
        assert!(send("a").await.unwrap().sent().is_some());
        let Begun::NoRoom(full) = send("b").await.unwrap() else { panic!("there is no room") };
        assert!(full.is_of_a_day() && !full.is_unpriced);
        let unpriced = Sending { ceiling: Cost { price_nanodollars: None, ..Cost::default() },
            ..sending(&sample, "c", 1, &scopes) };
        let Begun::NoRoom(full) = store.begin_send(unpriced).await.unwrap() else { panic!() };
        assert!(full.is_unpriced);
        budgets.set_day_ceiling(ours, BudgetUnit::Nanodollars, Some(1_000), noon()).await.unwrap();
        assert!(send("b").await.unwrap().sent().is_some());
        budgets.set_day_ceiling(ours, BudgetUnit::Nanodollars, None, noon()).await.unwrap();
        assert_eq!(budgets.scopes(ours, &sample.run.id, noon()).await.unwrap(), [""; 0]);
    }
}

on_both! {
    async fn what_a_document_said_is_erased_and_its_scores_stay(bed) {
        use assize_store::retention::By;
        let store = bed.open().await;
        let sample = begun(&store).await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        let claimed = store.leases().claim(run, "one", 6, HOLD).await.unwrap();
        for (index, claimed) in claimed.iter().enumerate() {
            let key = format!("k{index}");
            let sent = store.begin_send(sending(&sample, &key, 1, &[])).await.unwrap().sent().unwrap();
            store.keep(sent, exchange(&key), Cost::default()).await.unwrap();
            let mut one = finished(claimed, None);
            one.verdict.exchange_keys = Some(serde_json::json!([key]));
            assert!(store.finish(one).await.unwrap());
        }
        let by = By { organisation: ours, who: "ada", at: noon() };
        let erased = store.erase_document(sample.document(0), by).await.unwrap();
        assert_eq!((erased.results, erased.exchanges), (3, 3));
        let mut all = Vec::new();
        store.export(&mut all).await.unwrap();
        let all = String::from_utf8(all).unwrap();
        let said = all.lines().filter(|line| line.contains("\"table\":\"exchanges\"")).count();
        assert_eq!(said, 3);
        let results = store.results().list(ours, run).await.unwrap();
        assert!(results.iter().all(|result| result.ai_score_value == Some(50.0)));
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
        let audited = async || {
            let mut all = store.audit().list(ours, 9).await.unwrap();
            all.retain(|entry| entry.action != "create");
            all
        };
        assert_eq!(audited().await[0].action, "erase");
        let missing = store.erase_document(&"nowhere".into(), by).await.unwrap_err();
        assert!(missing.to_string().contains("nowhere"), "{missing}");

        // All of them were kept on a day in November 2026, and none was kept tomorrow.
        assert_eq!(store.prune_exchanges(Duration::from_hours(24 * 36_500), by).await.unwrap(), 0);
        assert_eq!(store.prune_exchanges(Duration::ZERO, by).await.unwrap(), 3);
        assert_eq!(audited().await.len(), 3);
    }
}

/// The files of a database in which some words stand.
fn files_with(path: &std::path::Path, words: &str) -> Vec<String> {
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap().map(Result::unwrap);
    let holds = |bytes: Vec<u8>| bytes.windows(words.len()).any(|part| part == words.as_bytes());
    files
        .filter(|file| holds(std::fs::read(file.path()).unwrap()))
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_erased_is_not_left_in_the_file_or_its_log() {
    use assize_store::retention::By;
    let bed = crate::bed::Bed::sqlite();
    let assize_store::Place::Sqlite(path) = &bed.place else { panic!("a file") };
    let store = bed.open().await;
    let sample = begun(&store).await;
    let words = "These words are to be forgotten.";
    let sql = format!(
        "UPDATE eval_documents SET content_text = '{words}' WHERE id = '{}'",
        sample.document(0)
    );
    crate::raw::Raw::connect(&bed.place).await.execute(&sql).await;
    assert!(!files_with(path, words).is_empty(), "it is there before");
    let by = By { organisation: &sample.organisation, who: "ada", at: noon() };
    store.erase_document(sample.document(0), by).await.unwrap();
    assert_eq!(files_with(path, words), [""; 0]);
    assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    store.close().await;
    assert_eq!(files_with(path, words), [""; 0]);
}

on_both! {
    async fn what_an_organisation_keeps_no_longer_goes_with_its_exchanges_and_the_audit_knows(bed) {
        use assize_store::retention::{By, Retention, Swept};
        let store = bed.open().await;
        let sample = begun(&store).await;
        let (ours, run) = (&sample.organisation, &sample.run.id);
        for (index, claimed) in store.leases().claim(run, "one", 6, HOLD).await.unwrap().iter().enumerate() {
            let key = format!("k{index}");
            let sent = store.begin_send(sending(&sample, &key, 1, &[])).await.unwrap().sent().unwrap();
            store.keep(sent, exchange(&key), Cost::default()).await.unwrap();
            let mut one = finished(claimed, None);
            one.verdict.exchange_keys = Some(serde_json::json!([key]));
            assert!(store.finish(one).await.unwrap());
        }
        let after = |days| By { organisation: ours, who: "retention", at: chrono::Utc::now() + chrono::TimeDelta::days(days) };
        let sweep = async |days| store.sweep(after(days)).await.unwrap();
        assert_eq!(sweep(1_000).await, Swept::default(), "for ever, unless somebody says so");
        let retention = Retention { runs_days: Some(30), documents_days: Some(20) };
        store.set_retention(retention, after(0)).await.unwrap();
        assert_eq!(store.retention(ours).await.unwrap(), retention);
        store.runs().leave(run, assize_store::RunState::Done, None).await.unwrap();
        // The run is not old enough, and needs its documents.
        assert_eq!(sweep(29).await, Swept::default());
        let set = (&sample.documents[0].entry.doc_set_id, sample.document(0));
        let documents = sample.documents.len() as u64;
        assert_eq!(sweep(31).await, Swept { runs: 1, documents });
        assert_eq!(store.runs().get(ours, run).await.unwrap(), None);
        assert!(store.documents().get(ours, set.1).await.unwrap().is_none());
        assert!(store.find_reply("k0").await.unwrap().is_none());
        let audited = store.audit().list(ours, 9).await.unwrap();
        let expired = audited.iter().filter(|entry| entry.action == "expire").count() as u64;
        assert_eq!(expired, 1 + documents);
        assert!(store.audit().verify(ours).await.unwrap().flaw.is_none());
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    }
}

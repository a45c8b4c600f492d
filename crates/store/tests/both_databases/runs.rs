//! Runs of any instrument: saved, found, listed in pages, computed again, removed.

use assize_store::views::Cell;
use assize_store::{
    Change, Consequences, Decision, DecisionKind, Instrument, ItemState, Label, NewItem, NewRun,
    NewVerdict, Order, OrganisationId, ResultOutcome, Run, RunFilter, RunId, RunState, RunVersion,
    Store, StoreError,
};
use serde_json::{Value, json};

use crate::bed::on_both;
use crate::samples::{noon, sample};

fn ours() -> OrganisationId {
    OrganisationId::default_organisation()
}

fn new_run(name: &str, instrument: Instrument) -> NewRun {
    NewRun {
        id: RunId::of(&[name]),
        organisation_id: ours(),
        instrument,
        name: Some(name.into()),
        criteria_set_id: None,
        doc_set_id: None,
        configuration: Some(json!({"framework": "twin_lock"})),
        configuration_hash: Some("c0ffee".into()),
        method_version: Some("twin_lock/1".into()),
        material: Some(json!({"question": "Why?"})),
        who: "ada".into(),
        created_at: noon(),
    }
}

fn verdict(score: Option<f64>) -> NewVerdict {
    let outcome = if score.is_some() { ResultOutcome::Scored } else { ResultOutcome::Failed };
    NewVerdict {
        outcome,
        reason: score.is_none().then(|| "no reply".into()),
        scores: vec![("coverage".into(), score), ("alignment".into(), score.map(|s| s / 3.0))],
        ledger: Some(json!({"value": score})),
        evidence: Some(json!({"claims": vec!["The ferry was late."; 100], "overlap": 0.1 + 0.2})),
        exchange_keys: None,
        assessment: None,
        created_at: noon(),
    }
}

/// Items whose scores are 0, 7, 4, 1, 8, 5, 2, 9, 6, 3 and so on; every eleventh has none.
fn items(count: usize) -> Vec<(NewItem, NewVerdict)> {
    let one = |place: usize| {
        let score = (place % 11 != 10).then(|| (place * 7 % 10) as f64);
        (NewItem { subject: format!("pair {place}"), material: None }, verdict(score))
    };
    (0..count).map(one).collect()
}

async fn get(store: &Store, number: i64) -> Run {
    store.runs().numbered(&ours(), number).await.unwrap().unwrap()
}

on_both! {
    async fn a_saved_run_is_found_by_number_name_and_id(bed) {
        let store = bed.open().await;
        let run = new_run("nightly", Instrument::Summary);
        assert_eq!(store.runs().save(&run, &items(22)).await.unwrap(), 1);
        let found = get(&store, 1).await;
        assert_eq!((found.state, found.instrument), (RunState::Done, Instrument::Summary));
        assert_eq!((found.items, found.items_done, found.items_unscored), (22, 22, 2));
        assert_eq!(found.configuration, run.configuration);
        let runs = store.runs();
        assert_eq!(runs.named(&ours(), "nightly").await.unwrap().as_ref(), Some(&found));
        assert_eq!(runs.get(&ours(), &run.id).await.unwrap().as_ref(), Some(&found));
        assert_eq!(runs.material(&run.id).await.unwrap(), run.material);
        let theirs = OrganisationId::from("x");
        assert_eq!(runs.numbered(&theirs, 1).await.unwrap(), None);
        assert_eq!(runs.named(&theirs, "nightly").await.unwrap(), None);
        let verdicts = store.verdicts().page(&run.id, 1, 0, 100).await.unwrap();
        assert_eq!(verdicts.len(), 22);
        assert_eq!(verdicts[3].evidence, verdict(Some(1.0)).evidence);
        assert_eq!(verdicts[10].reason.as_deref(), Some("no reply"));
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    }

    async fn what_is_compared_is_what_the_items_have_in_that_version(bed) {
        let store = bed.open().await;
        // Another process, which keeps what it read.
        let other = bed.open().await;
        let run = new_run("nightly", Instrument::Summary);
        store.runs().save(&run, &items(22)).await.unwrap();
        let found = get(&store, 1).await;
        let page = Order::ByPosition { after: None };
        let check = async |version: i64| {
            let items = store.run_items().page(&run.id, version, &page, 100).await.unwrap();
            let current = get(&other, 1).await;
            for _ in 0..2 {
                let scored = other.views().scored(&current, version).await.unwrap();
                for (place, item) in items.iter().enumerate() {
                    assert_eq!(scored.subjects[place], item.subject);
                    let values = scored.measures.iter().zip(scored.values(place));
                    let values = values.filter(|(_, cell)| **cell != Cell::Absent);
                    let values = values.map(|(name, cell)| (name.clone(), cell.value()));
                    assert_eq!(values.collect::<std::collections::BTreeMap<_, _>>(), item.scores);
                }
            }
        };
        check(1).await;
        let version = RunVersion {
            version: 2,
            configuration: None,
            method_version: None,
            reason: "harder".into(),
            who: "ada".into(),
            created_at: noon(),
        };
        let only = [(3, verdict(Some(0.5))), (4, verdict(None))];
        assert_eq!(store.verdicts().add_version(&found.id, &version, &only, None).await.unwrap(), 2);
        check(2).await;
        check(1).await;
    }

    async fn names_are_unique_and_a_number_is_never_given_twice(bed) {
        let store = bed.open().await;
        let runs = store.runs();
        runs.save(&new_run("a", Instrument::Summary), &items(1)).await.unwrap();
        runs.save(&new_run("b", Instrument::Council), &items(1)).await.unwrap();
        let mut again = new_run("a", Instrument::Council);
        again.id = RunId::of(&["another"]);
        let refused = runs.save(&again, &items(3)).await.unwrap_err();
        assert!(matches!(refused, StoreError::Exists(_)), "{refused:?}");
        let b = get(&store, 2).await;
        assert!(matches!(runs.rename(&b, Some("a")).await, Err(StoreError::Exists(_))));
        runs.rename(&b, Some("better")).await.unwrap();
        assert_eq!(get(&store, 2).await.name.as_deref(), Some("better"));
        runs.delete(&ours(), &b.id).await.unwrap();
        assert!(matches!(runs.delete(&ours(), &b.id).await, Err(StoreError::Missing { .. })));
        runs.save(&new_run("c", Instrument::Council), &items(1)).await.unwrap();
        // The refused one took its number back with it; the deleted one did not.
        assert_eq!(get(&store, 3).await.name.as_deref(), Some("c"));
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    }

    async fn lists_come_in_pages_by_instrument_and_tag(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "theirs").await;
        for number in 1..=7 {
            let instrument = if number % 2 == 0 { Instrument::Summary } else { Instrument::Council };
            let run = new_run(&format!("run {number}"), instrument);
            store.runs().save(&run, &items(1)).await.unwrap();
        }
        let numbers = async |filter: RunFilter, limit| {
            let page = store.runs().page(&ours(), &filter, limit).await.unwrap();
            page.iter().map(|run| run.number).collect::<Vec<_>>()
        };
        assert_eq!(numbers(RunFilter::default(), 3).await, [7, 6, 5]);
        assert_eq!(numbers(RunFilter { before: Some(5), ..RunFilter::default() }, 9).await, [4, 3, 2, 1]);
        let summaries = RunFilter { instrument: Some(Instrument::Summary), ..RunFilter::default() };
        assert_eq!(numbers(summaries, 9).await, [6, 4, 2]);
        let four = get(&store, 4).await;
        store.runs().tag(&four, "nightly").await.unwrap();
        store.runs().tag(&four, "nightly").await.unwrap();
        store.runs().tag(&four, "ci").await.unwrap();
        assert_eq!(store.runs().tags(&four.id).await.unwrap(), ["ci", "nightly"]);
        let tagged = RunFilter { tag: Some("nightly".into()), ..RunFilter::default() };
        assert_eq!(numbers(tagged.clone(), 9).await, [4]);
        store.runs().untag(&four, "nightly").await.unwrap();
        assert_eq!(numbers(tagged, 9).await, [0; 0]);
        // A compliance run is in the same list, with the number of its own organisation.
        let theirs = store.runs().page(&sample.organisation, &RunFilter::default(), 9).await.unwrap();
        assert_eq!((theirs.len(), theirs[0].number, theirs[0].items), (1, 1, 6));
        assert_eq!((theirs[0].instrument, theirs[0].who.as_str()), (Instrument::Compliance, "ada"));
    }

    async fn one_run_of_an_instrument_is_the_baseline(bed) {
        let store = bed.open().await;
        for (name, instrument) in [("a", Instrument::Summary), ("b", Instrument::Summary), ("c", Instrument::Council)] {
            store.runs().save(&new_run(name, instrument), &items(1)).await.unwrap();
        }
        let baselines = async || {
            let all = store.runs().page(&ours(), &RunFilter::default(), 9).await.unwrap();
            all.iter().filter(|run| run.is_baseline).map(|run| run.number).collect::<Vec<_>>()
        };
        store.runs().set_baseline(&get(&store, 1).await, true).await.unwrap();
        store.runs().set_baseline(&get(&store, 3).await, true).await.unwrap();
        assert_eq!(baselines().await, [3, 1]);
        store.runs().set_baseline(&get(&store, 2).await, true).await.unwrap();
        assert_eq!(baselines().await, [3, 2]);
        store.runs().set_baseline(&get(&store, 2).await, false).await.unwrap();
        assert_eq!(baselines().await, [3]);
    }

    async fn items_come_in_pages_by_place_and_by_score(bed) {
        let store = bed.open().await;
        let run = new_run("a", Instrument::Summary);
        store.runs().save(&run, &items(22)).await.unwrap();
        let page = async |order: Order, limit| store.run_items().page(&run.id, 1, &order, limit).await.unwrap();
        let first = page(Order::ByPosition { after: None }, 3).await;
        assert_eq!(first.iter().map(|item| item.position).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(first[1].scores["coverage"], Some(7.0));
        assert_eq!(first[1].scores["alignment"], Some(7.0 / 3.0));
        assert_eq!((first[1].state, first[1].outcome), (ItemState::Done, Some(ResultOutcome::Scored)));
        let rest = page(Order::ByPosition { after: Some(8) }, 2).await;
        assert_eq!(rest[1].subject, "pair 10");
        assert_eq!(rest[1].scores["coverage"], None);
        // By hand: place * 7 mod 10 is 9 at 7 and 17, 8 at 4 and 14, 0 at 0 and 20, 10 has none.
        let best = |after| Order::ByScore { measure: "coverage".into(), is_descending: true, after };
        let places = |items: Vec<assize_store::RunItem>| items.iter().map(|item| item.position).collect::<Vec<_>>();
        assert_eq!(places(page(best(None), 3).await), [7, 17, 4]);
        assert_eq!(places(page(best(Some((8.0, 4))), 2).await), [14, 1]);
        let worst = Order::ByScore { measure: "coverage".into(), is_descending: false, after: None };
        assert_eq!(places(page(worst, 3).await), [0, 20, 3]);
        // 0 to 9 twice; the places that have none would have been a 0 and a third 7.
        let means = store.verdicts().means(&run.id, 1).await.unwrap();
        assert_eq!(means["coverage"], (20, Some(90.0 / 20.0)));
    }

    async fn a_version_is_added_and_the_one_before_stays(bed) {
        let store = bed.open().await;
        let run = new_run("a", Instrument::Summary);
        store.runs().save(&run, &items(3)).await.unwrap();
        let version = RunVersion {
            version: 0,
            configuration: Some(json!({"framework": "judge_lock"})),
            method_version: Some("judge_lock/1".into()),
            reason: "another framework".into(),
            who: "bob".into(),
            created_at: noon(),
        };
        let again = |evidence: Option<Value>| NewVerdict { evidence, ..verdict(Some(9.0)) };
        let corrected = json!({"claims": []});
        let verdicts: Vec<_> = (0..3)
            .map(|place| (place, again((place == 1).then(|| corrected.clone()))))
            .collect();
        let number = store.verdicts().add_version(&run.id, &version, &verdicts, None).await.unwrap();
        assert_eq!((number, get(&store, 1).await.version), (2, 2));
        let scores = async |version| {
            let order = Order::ByPosition { after: None };
            let page = store.run_items().page(&run.id, version, &order, 9).await.unwrap();
            page.iter().map(|item| item.scores["coverage"]).collect::<Vec<_>>()
        };
        assert_eq!(scores(1).await, [Some(0.0), Some(7.0), Some(4.0)]);
        assert_eq!(scores(2).await, [Some(9.0); 3]);
        let second = store.verdicts().page(&run.id, 2, 0, 9).await.unwrap();
        assert_eq!(second[0].evidence, verdict(None).evidence);
        assert_eq!(second[1].evidence, Some(corrected));
        let first = store.verdicts().page(&run.id, 1, 0, 9).await.unwrap();
        assert_eq!(first[1].evidence, verdict(None).evidence);
        let versions = store.verdicts().versions(&run.id).await.unwrap();
        assert_eq!(versions, [RunVersion { version: 2, ..version.clone() }]);
        let bad = NewVerdict { scores: vec![("coverage".into(), Some(f64::NAN))], ..verdict(None) };
        let bad = NewVerdict { outcome: ResultOutcome::Scored, ..bad };
        let refused = store.verdicts().add_version(&run.id, &version, &[(0, bad)], None).await;
        assert!(matches!(refused, Err(StoreError::Refused(_))), "{refused:?}");
        assert_eq!(get(&store, 1).await.version, 2);
    }

    async fn what_people_decide_and_how_they_rate_is_kept_in_order(bed) {
        let store = bed.open().await;
        let run = new_run("a", Instrument::Summary);
        store.runs().save(&run, &items(3)).await.unwrap();
        let decision = |position, value: f64| Decision {
            position,
            sequence: 0,
            kind: DecisionKind::Score,
            target: "coverage".into(),
            change: Change { score: Some(value), ..Change::default() },
            is_current: true,
            author: "ada".into(),
            reason: "read it again".into(),
            created_at: noon(),
        };
        for one in [decision(2, 3.0), decision(0, 1.0), decision(2, 4.5)] {
            store.decisions().add(&run.id, &one, Consequences::default()).await.unwrap();
        }
        let kept = store.decisions().list(&run.id).await.unwrap();
        let places: Vec<_> = kept.iter().map(|d| (d.position, d.sequence, d.change.score, d.is_current)).collect();
        assert_eq!(places, [(0, 1, Some(1.0), true), (2, 1, Some(3.0), false), (2, 2, Some(4.5), true)]);
        let missing = store.decisions().add(&run.id, &decision(7, 1.0), Consequences::default()).await;
        assert!(matches!(missing, Err(StoreError::Missing { .. })), "{missing:?}");
        assert_eq!(store.decisions().list(&run.id).await.unwrap().len(), 3);
        let label = |rater: &str, value| Label {
            position: 1,
            rater: rater.into(),
            measure: "coverage".into(),
            value: Some(value),
            label: None,
            note: None,
            created_at: noon(),
        };
        store.labels().put(&run.id, &[label("bob", 7.0), label("ada", 8.0)]).await.unwrap();
        store.labels().put(&run.id, &[label("bob", 6.0)]).await.unwrap();
        assert_eq!(store.labels().list(&run.id).await.unwrap(), [label("ada", 8.0), label("bob", 6.0)]);
    }
}

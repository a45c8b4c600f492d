//! The model and a real store, told the same: every answer is the same.

use std::collections::BTreeSet;
use std::time::Duration;

use assize_store::{
    Claimed, Finished, Instrument, NewItem, NewRun, NewVerdict, OrganisationId, ResultOutcome,
    RunId, RunState, Store,
};
use chrono::Utc;

use super::chance::Chance;
use super::model::{Claim, Tables};

const ITEMS: usize = 8;
const STEPS: usize = 60;
const SEEDS: u64 = 25;
/// So long that no lease runs out by itself: the schedule decides when one does.
const HOLD: Duration = Duration::from_hours(1);
const MODEL_HOLD: u64 = 1_000_000;

fn verdict() -> NewVerdict {
    NewVerdict {
        outcome: ResultOutcome::Scored,
        reason: None,
        scores: Vec::new(),
        ledger: None,
        evidence: None,
        exchange_keys: None,
        assessment: None,
        created_at: Utc::now(),
    }
}

async fn planned(store: &Store, seed: u64) -> RunId {
    let organisation_id = OrganisationId::default_organisation();
    let id = RunId::at(Utc::now(), &["alike", &seed.to_string()]);
    let run = NewRun {
        id: id.clone(),
        organisation_id: organisation_id.clone(),
        instrument: Instrument::Summary,
        name: None,
        criteria_set_id: None,
        doc_set_id: None,
        configuration: None,
        configuration_hash: None,
        method_version: None,
        material: None,
        who: "nobody".into(),
        created_at: Utc::now(),
    };
    let item = |number| NewItem { subject: format!("item {number}"), material: None };
    let items: Vec<NewItem> = (0..ITEMS).map(item).collect();
    store.runs().plan(&run, &items).await.unwrap();
    let runs = store.runs();
    runs.set_state(&organisation_id, &id, RunState::Running, None).await.unwrap();
    id
}

/// Claims of both, side by side: the tokens differ, and nothing else does.
#[derive(Default)]
struct Both(Vec<(Claim, Claimed)>);

impl Both {
    fn add(&mut self, model: Vec<Claim>, real: Vec<Claimed>) {
        let places = |claims: &[Claim]| {
            claims.iter().map(|one| (one.position, one.losses)).collect::<Vec<_>>()
        };
        let found: Vec<_> =
            real.iter().map(|one| (usize::try_from(one.position).unwrap(), one.losses)).collect();
        assert_eq!(places(&model), found);
        self.0.extend(model.into_iter().zip(real));
    }
}

async fn compare(store: &Store, seed: u64) {
    let run = planned(store, seed).await;
    let (mut tables, mut chance) = (Tables::new(ITEMS, true), Chance::of(seed));
    let (mut both, leases) = (Both::default(), store.leases());
    for _ in 0..STEPS {
        tables.now += 1;
        let count = 1 + usize::try_from(chance.below(3)).unwrap();
        let picked = usize::try_from(chance.below(both.0.len() as u64)).unwrap();
        match (chance.below(6), both.0.get(picked).cloned()) {
            (0, _) => {
                let model = tables.claim(count, MODEL_HOLD, false);
                both.add(model, leases.claim(&run, "one", count, HOLD).await.unwrap());
            }
            (1, _) => {
                let model = tables.claim(1, MODEL_HOLD, true);
                let real = leases.claim_alone(&run, "one", HOLD).await.unwrap();
                both.add(model, real.into_iter().collect());
            }
            (2, Some((model, real))) => {
                let tokens = BTreeSet::from([real.token]);
                let ours = leases.heartbeat(&run, &tokens, HOLD).await.unwrap();
                assert_eq!(tables.heartbeat(model.token, MODEL_HOLD), ours);
            }
            (3, Some((model, real))) => {
                // A heartbeat for no time at all: the lease runs out.
                let tokens = BTreeSet::from([real.token]);
                let ours = leases.heartbeat(&run, &tokens, Duration::ZERO).await.unwrap();
                assert_eq!(tables.heartbeat(model.token, 0), ours);
                tokio::time::sleep(Duration::from_millis(3)).await;
            }
            (4, Some((model, real))) => {
                leases.release(&run, &BTreeSet::from([real.token])).await.unwrap();
                tables.release(model.token);
            }
            (_, Some((model, real))) => {
                let finished = Finished { claimed: real, verdict: verdict() };
                let is_ours = store.finish(finished).await.unwrap();
                assert_eq!(tables.finish(model, None), is_ours);
            }
            (_, None) => {}
        }
        let found = store.runs().get(&OrganisationId::default_organisation(), &run).await;
        let found = found.unwrap().unwrap();
        assert_eq!(usize::try_from(found.items_done).unwrap(), tables.items_done);
        assert_eq!(found.state == RunState::Done, tables.is_done);
    }
}

#[tokio::test]
async fn the_model_says_what_the_store_says() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("assize.db")).await.unwrap();
    for seed in 0..SEEDS {
        compare(&store, seed).await;
    }
    assert_eq!(store.check().await.unwrap().findings, [""; 0]);
}

/// The same on PostgreSQL, where rows are locked one by one.
#[tokio::test]
async fn the_model_says_what_the_server_says() {
    let database = assize_testbed::Postgres::shared().database();
    let store = Store::open(database.as_str()).await.unwrap();
    for seed in 0..SEEDS / 5 {
        compare(&store, seed).await;
    }
    assert_eq!(store.check().await.unwrap().findings, [""; 0]);
}

//! The figures of a server with something in its queue, by organisation.

use std::time::Duration;

use assize_engine::store::{Instrument, NewItem, NewRun, OrganisationId, RunId, RunState};
use chrono::Utc;

use crate::client::TestServer;

/// A run that is going on and that no worker takes up: a retrieval run is computed at once.
async fn queue(server: &TestServer, organisation: &OrganisationId, items: usize) -> RunId {
    let id = RunId::at(Utc::now(), &[organisation.as_str()]);
    let run = NewRun {
        id: id.clone(),
        organisation_id: organisation.clone(),
        instrument: Instrument::Retrieval,
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
    let items: Vec<NewItem> = (0..items).map(item).collect();
    let runs = server.state.store.runs();
    runs.plan(&run, &items).await.unwrap();
    runs.set_state(organisation, &id, RunState::Running, None).await.unwrap();
    id
}

/// The value of a figure.
fn figure(figures: &str, name: &str) -> f64 {
    let line = figures.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("{name}: {figures}")).parse().unwrap()
}

#[tokio::test]
async fn what_waits_and_how_long_it_is_held_is_told_in_all_and_by_organisation() {
    const HOLD: Duration = Duration::from_mins(1);
    const SHORT: Duration = Duration::from_millis(10);
    const WAIT: Duration = Duration::from_millis(600);
    let server = TestServer::open().await;
    let ours = OrganisationId::default_organisation();
    let workspace = server.workspace(&ours);
    let theirs = workspace.make_organisation("the \"others\"").await.unwrap();
    let (first, second) = (queue(&server, &ours, 5).await, queue(&server, &theirs, 3).await);
    let leases = server.state.store.leases();
    assert_eq!(leases.claim(&first, "steady", 2, HOLD).await.unwrap().len(), 2);
    // Whoever took this one is not heard of any more.
    assert_eq!(leases.claim(&second, "gone", 1, SHORT).await.unwrap().len(), 1);
    tokio::time::sleep(WAIT).await;
    let figures = server.get("/metrics").await.text;
    let value = |name: &str| figure(&figures, name);
    // Three of five wait, and all of three: a lease that ran out holds nothing.
    assert_eq!(value("assize_items_queued"), 6.0);
    let by = |name: &str, owner: &str| value(&format!("assize_{name}{{organisation=\"{owner}\"}}"));
    let others = "the \\\"others\\\"";
    assert_eq!(by("organisation_items_queued", "default"), 3.0);
    assert_eq!(by("organisation_items_queued", others), 3.0);
    for seconds in [
        value("assize_lease_age_seconds"),
        by("organisation_lease_age_seconds", "default"),
        value("assize_lease_overdue_seconds"),
    ] {
        assert!((0.5..30.0).contains(&seconds), "{seconds}: {figures}");
    }
    assert_eq!(by("organisation_lease_age_seconds", others), 0.0);
    // What is over is not told any more.
    let runs = server.state.store.runs();
    runs.set_state(&theirs, &second, RunState::Stopped, None).await.unwrap();
    let figures = server.get("/metrics").await.text;
    assert!(!figures.contains("others"), "{figures}");
    assert_eq!(figure(&figures, "assize_items_queued"), 3.0);
}

//! An export that is streamed has the bytes of a file, however many items it has.

use std::sync::{Arc, Mutex};

use assize_engine::Workspace;
use assize_engine::runs::Draft;
use assize_engine::runs::export::ExportFormat;
use assize_engine::store::{
    Instrument, NewItem, NewVerdict, OrganisationId, Place, ResultOutcome, Run,
};
use assize_server::router::router;
use assize_testbed::Postgres;
use axum::body::Body;
use chrono::Utc;
use futures_util::StreamExt;
use serde_json::json;
use tower::ServiceExt;

use crate::client::{TestServer, request};

async fn saved(workspace: &Workspace, count: usize) -> Run {
    let draft = Draft {
        instrument: Instrument::Retrieval,
        configuration: json!({}),
        method_version: "retrieval 1".to_owned(),
        material: None,
    };
    let items: Vec<(NewItem, NewVerdict)> = (0..count)
        .map(|place| {
            let item = NewItem { subject: format!("query, \"{place}\" – ü"), material: None };
            let verdict = NewVerdict {
                outcome: ResultOutcome::Scored,
                reason: None,
                scores: vec![("recall".to_owned(), Some(place as f64 / 7.0))],
                ledger: None,
                evidence: None,
                exchange_keys: None,
                assessment: None,
                created_at: Utc::now(),
            };
            (item, verdict)
        })
        .collect();
    workspace.save(draft, None, &items).await.unwrap()
}

async fn every_size(server: &TestServer, counts: &[usize]) {
    let workspace = server.workspace(&OrganisationId::default_organisation());
    for &count in counts {
        let run = saved(&workspace, count).await;
        for format in ExportFormat::offered(run.instrument) {
            let written = Mutex::new(Vec::new());
            let take = |piece: Vec<u8>| {
                written.lock().unwrap().extend(piece);
                std::future::ready(Ok(()))
            };
            let rows = workspace.export_run(&run, None, format, take).await.unwrap();
            assert_eq!(rows, count as u64);
            let written = String::from_utf8(written.into_inner().unwrap()).unwrap();
            let name = format.name();
            let api = format!("/api/v1/runs/{}/export?format={name}", run.number);
            let page = format!("/runs/{}/export?format={name}", run.number);
            for path in [api, page] {
                let answer = server.get(&path).await;
                assert_eq!(answer.status, 200, "{path}: {}", answer.text);
                assert!(answer.text == written, "{path} differs from the file at {count} items");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_files_on_sqlite() {
    every_size(&TestServer::open().await, &[10, 1_000, 100_000]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_are_files_on_postgresql() {
    let database = Postgres::start();
    let place = Place::from(database.database().as_str());
    let server = TestServer::with("127.0.0.1:0", |settings| settings.database = place).await;
    // A debug build takes minutes to save 100,000 items here; pieces are of a few hundred.
    every_size(&server, &[10, 1_000, 10_000]).await;
}

/// The database goes away in the middle of an export: whoever reads it must not take what came for
/// all of it.
#[tokio::test(flavor = "multi_thread")]
async fn an_export_that_cannot_go_on_is_cut_off_and_not_ended() {
    let database = Postgres::start();
    let place = Place::from(database.database().as_str());
    let server = TestServer::with("127.0.0.1:0", |settings| settings.database = place).await;
    let workspace = server.workspace(&OrganisationId::default_organisation());
    saved(&workspace, 10_000).await;
    for path in ["/api/v1/runs/1/export?format=jsonl", "/runs/1/export?format=csv"] {
        let asked = request("GET", path, &[], Body::empty());
        let answer = router(Arc::clone(&server.state)).oneshot(asked).await.unwrap();
        assert_eq!(answer.status(), 200, "{path}");
        let mut pieces = answer.into_body().into_data_stream();
        assert!(!pieces.next().await.unwrap().unwrap().is_empty());
        database.stop();
        let mut last = pieces.next().await;
        while matches!(last, Some(Ok(_))) {
            last = pieces.next().await;
        }
        assert!(matches!(last, Some(Err(_))), "{path} ended as if it were whole");
        database.resume();
    }
}

//! How fast results are written: 1,000 criteria against 20 documents, each result with a
//! ledger and two quotes. `cargo run --release -p assize-store --example results_load [URL]`;
//! without an address both databases are measured in temporary places.

use std::time::{Duration, Instant};

use assize_store::{
    Citation, Claimed, CriteriaItem, CriteriaItemId, CriteriaResult, CriteriaSet, DocSet, Document,
    DocumentEntry, DocumentId, Evidence, Finished, NewResult, OrganisationId, Place, ResultId,
    ResultOutcome, Run, RunId, RunState, Store, StoreError,
};
use assize_testbed::Postgres;
use chrono::{DateTime, Utc};
use serde_json::Value;

const DOCUMENTS: usize = 20;
const CRITERIA: i64 = 1_000;
/// Results that are handed over at once, as a run would.
const HANDED: usize = 256;
const HOLD: Duration = Duration::from_mins(1);

#[tokio::main]
async fn main() -> Result<(), StoreError> {
    if let Some(url) = std::env::args().nth(1) {
        return measure(&Place::from(url)).await;
    }
    let folder = tempfile::tempdir()?;
    measure(&Place::from(&folder.path().join("assize.db"))).await?;
    let server = Postgres::start();
    measure(&Place::from(server.database())).await
}

async fn measure(place: &Place) -> Result<(), StoreError> {
    let store = Store::open(place).await?;
    let now = Utc::now();
    let (run, documents, items) = plan(&store, now).await?;
    let organisation = &run.organisation_id;
    store.any_runs().set_state(organisation, &run.id, RunState::Running, None).await?;
    let begun = Instant::now();
    let mut count = 0;
    loop {
        let claimed = store.leases().claim(&run.id, "load", HANDED, HOLD).await?;
        if claimed.is_empty() {
            break;
        }
        let finished: Vec<_> = claimed.into_iter().map(|one| finished(&run, one, now)).collect();
        count += store.finish_all(&finished).await?;
    }
    say(place, "claimed, finished by 256", count, begun);
    let begun = Instant::now();
    let pending = store.runs().pending(organisation, &run.id).await?;
    say(place, "found none pending among", count - pending.len() as u64, begun);
    let begun = Instant::now();
    let listed = store.results().list(organisation, &run.id).await?;
    say(place, "listed", listed.len() as u64, begun);

    let mut again = run.clone();
    again.id = RunId::at(now, &["one by one"]);
    let ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
    store.runs().plan(&again, "load", &documents, &ids).await?;
    store.any_runs().set_state(organisation, &again.id, RunState::Running, None).await?;
    let begun = Instant::now();
    let mut count = 0;
    loop {
        let claimed = store.leases().claim(&again.id, "load", HANDED, HOLD).await?;
        if claimed.is_empty() {
            break;
        }
        count += claimed.len() as u64;
        let finish = claimed.into_iter().map(|one| store.finish(finished(&again, one, now)));
        futures_util::future::try_join_all(finish).await?;
    }
    say(place, "claimed, finished one by one", count, begun);
    store.close().await;
    Ok(())
}

fn finished(run: &Run, claimed: Claimed, now: DateTime<Utc>) -> Finished {
    let document = claimed.document_id.clone().expect("a compliance run");
    let item = claimed.criteria_item_id.clone().expect("a compliance run");
    let product = result(run, &document, &item, now).into();
    Finished { claimed, product }
}

async fn plan(
    store: &Store,
    now: DateTime<Utc>,
) -> Result<(Run, Vec<DocumentId>, Vec<CriteriaItem>), StoreError> {
    let organisation = OrganisationId::default_organisation();
    let set = CriteriaSet::new(&organisation, "load", now);
    store.criteria_sets().insert(&set).await?;
    let item = |number| CriteriaItem::new(&set.id, &format!("L-{number}"), "It is so.", number);
    let items: Vec<_> = (0..CRITERIA).map(item).collect();
    store.criteria_items().insert_all(&organisation, &set.id, &items).await?;
    let doc_set = DocSet::new(&organisation, "load", now);
    store.doc_sets().insert(&doc_set).await?;
    let mut documents = Vec::new();
    for number in 0..DOCUMENTS {
        let name = format!("{number}.txt");
        let document = Document {
            entry: DocumentEntry {
                id: DocumentId::of(&[doc_set.id.as_str(), &name]),
                doc_set_id: doc_set.id.clone(),
                name,
                media_type: "text/plain".into(),
                content_hash: None,
                byte_count: None,
                created_at: now,
                version: 1,
                archived_at: None,
            },
            content_text: "It is so. ".repeat(1_000),
            text_offsets: None,
        };
        store.documents().put(&organisation, &document, b"It is so.").await?;
        documents.push(document.entry.id);
    }
    let run = Run {
        id: RunId::at(now, &["batches"]),
        organisation_id: organisation,
        number: 0,
        criteria_set_id: set.id,
        doc_set_id: doc_set.id,
        state: RunState::Planned,
        configuration: Some(json(r#"{"judge": "rules"}"#)),
        configuration_hash: None,
        method_version: None,
        failure: None,
        created_at: now,
        started_at: None,
        ended_at: None,
    };
    let ids: Vec<_> = items.iter().map(|item| item.id.clone()).collect();
    store.runs().plan(&run, "load", &documents, &ids).await?;
    Ok((run, documents, items))
}

fn result(
    run: &Run,
    document: &DocumentId,
    item: &CriteriaItemId,
    now: DateTime<Utc>,
) -> NewResult {
    let quote = "Accounts are reviewed every year by their owners, who say so in writing.";
    let citation = Citation {
        quote: quote.into(),
        matched: "exact".into(),
        start_offset: Some(100),
        end_offset: Some(172),
        page: Some(3),
        similarity: Some(1.0),
    };
    let input = |number| format!(r#"{{"name": "passage {number}", "value": 0.5}}"#);
    let inputs: Vec<String> = (0..10).map(input).collect();
    let inputs = inputs.join(", ");
    NewResult {
        result: CriteriaResult {
            id: ResultId::in_run(&run.id, document, item),
            run_id: run.id.clone(),
            document_id: document.clone(),
            criteria_item_id: item.clone(),
            outcome: ResultOutcome::Scored,
            reason: None,
            ai_score_value: Some(73.25),
            ai_confidence: Some(85),
            ai_result: Some(json(&format!(r#"{{"explanation": "{}"}}"#, quote.repeat(3)))),
            ai_citations: Some(vec![quote, quote].into()),
            ai_status_id: None,
            judge: Some("rules".into()),
            model: None,
            prompt_template_id: None,
            created_at: now,
        },
        evidence: Evidence {
            ledger: Some(json(&format!(
                r#"{{"format": 1, "name": "score", "value": 73.25, "inputs": [{inputs}]}}"#
            ))),
            ..Evidence::default()
        },
        citations: vec![citation.clone(), citation],
    }
}

#[expect(clippy::print_stdout, reason = "an example that prints figures")]
fn say(place: &Place, what: &str, count: u64, begun: Instant) {
    let engine = match place {
        Place::Sqlite(_) => "SQLite",
        Place::Postgres(_) => "PostgreSQL",
    };
    let seconds = begun.elapsed().as_secs_f64();
    println!("{engine:10} {what:30} {count:6} results {seconds:7.2} s");
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).expect("the text above is JSON")
}

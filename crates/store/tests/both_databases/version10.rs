//! A filled database of version 10, as the program before runs for all instruments left it: no
//! row is lost or changed, and its runs are numbered and shareable like new ones.

use assize_store::{Instrument, OrganisationId, Place, ResultOutcome, RunFilter, RunState, Store};

use crate::bed::{Bed, on_both};
use crate::raw::Raw;
use crate::samples::HOLD;

const VERSION: i64 = 10;
const ROWS: &str = include_str!("version10.sql");

const TABLES: [&str; 21] = [
    "audit",
    "eval_citations",
    "eval_criteria_items",
    "eval_criteria_results",
    "eval_criteria_sets",
    "eval_doc_sets",
    "eval_document_originals",
    "eval_documents",
    "eval_opt_candidates",
    "eval_opt_runs",
    "eval_opt_truth_keys",
    "eval_overrides",
    "eval_prompt_templates",
    "eval_result_evidence",
    "eval_run_criteria",
    "eval_run_documents",
    "eval_runs",
    "eval_status_options",
    "exchanges",
    "organisations",
    "sends",
];

async fn filled(bed: &Bed) -> Raw {
    Store::migrate_to(&bed.place, VERSION).await.unwrap();
    let mut raw = Raw::connect(&bed.place).await;
    // The one word in which the two differ.
    let blob = match bed.place {
        Place::Sqlite(_) => "X'6869'",
        Place::Postgres(_) => "'\\x6869'",
    };
    raw.execute(&ROWS.replace("BLOB_hi", blob)).await;
    raw
}

/// A statement that gives every row of a table as one text, with the columns it has now.
async fn whole_rows(raw: &mut Raw, table: &str) -> String {
    let columns = match raw {
        Raw::Sqlite(_) => format!("SELECT name FROM pragma_table_info('{table}') ORDER BY name"),
        Raw::Postgres(_) => format!(
            "SELECT column_name::text FROM information_schema.columns \
             WHERE table_name = '{table}' ORDER BY column_name"
        ),
    };
    let columns = raw.texts(&columns).await;
    assert!(columns.len() > 1, "{table}");
    let texts: Vec<String> = columns
        .iter()
        .map(|column| format!("COALESCE(CAST(\"{column}\" AS TEXT), 'NULL')"))
        .collect();
    format!("SELECT {} FROM {table} ORDER BY 1", texts.join(" || ' | ' || "))
}

on_both! {
    async fn every_row_of_every_old_table_is_there_as_it_was(bed) {
        let mut raw = filled(&bed).await;
        let mut before = Vec::new();
        for table in TABLES {
            let sql = whole_rows(&mut raw, table).await;
            let rows = raw.texts(&sql).await;
            assert!(!rows.is_empty(), "nothing in {table}: the fixture must fill it");
            before.push((table, sql, rows));
        }
        drop(raw);
        let migrated = Store::migrate(&bed.place).await.unwrap();
        assert_eq!(migrated.from, VERSION);
        let mut raw = Raw::connect(&bed.place).await;
        for (table, sql, rows) in before {
            assert_eq!(raw.texts(&sql).await, rows, "{table}");
        }
        let store = bed.open().await;
        assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    }

    async fn old_runs_are_numbered_in_their_order_and_counted(bed) {
        drop(filled(&bed).await);
        Store::migrate(&bed.place).await.unwrap();
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let runs = store.any_runs().page(&ours, &RunFilter::default(), 9).await.unwrap();
        let seen: Vec<_> = runs
            .iter()
            .map(|run| (run.number, run.id.as_str(), run.state, run.items, run.items_done, run.items_unscored))
            .collect();
        assert_eq!(seen, [
            (2, "run-later", RunState::Stopped, 4, 1, 0),
            (1, "run-first", RunState::Done, 4, 4, 1),
        ]);
        assert!(runs.iter().all(|run| run.instrument == Instrument::Compliance));
        assert_eq!(runs[1].configuration.as_ref().unwrap()["judge"], "rules");
        let other = OrganisationId::from("organisation-other");
        let theirs = store.any_runs().page(&other, &RunFilter::default(), 9).await.unwrap();
        assert_eq!((theirs.len(), theirs[0].number), (1, 1));
        let order = assize_store::Order::ByPosition { after: None };
        let items = store.run_items().page(&runs[1].id, 1, &order, 9).await.unwrap();
        let seen: Vec<_> = items
            .iter()
            .map(|item| (item.subject.as_str(), item.outcome.unwrap(), item.scores["score"]))
            .collect();
        assert_eq!(seen, [
            ("a.txt AC-2", ResultOutcome::Scored, Some(81.5)),
            ("a.txt AC-3", ResultOutcome::Scored, Some(0.0)),
            ("b.txt AC-2", ResultOutcome::NotApplicable, None),
            ("b.txt AC-3", ResultOutcome::Scored, Some(33.333_333_333_333_336)),
        ]);
    }

    async fn an_old_run_that_was_stopped_goes_on_where_it_was(bed) {
        drop(filled(&bed).await);
        Store::migrate(&bed.place).await.unwrap();
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let run = store.any_runs().numbered(&ours, 2).await.unwrap().unwrap();
        store.any_runs().set_state(&ours, &run.id, RunState::Running, None).await.unwrap();
        let claimed = store.leases().claim(&run.id, "test", 9, HOLD).await.unwrap();
        let subjects: Vec<_> = claimed.iter().map(|item| item.subject.as_str()).collect();
        assert_eq!(subjects, ["a.txt AC-3", "b.txt AC-2", "b.txt AC-3"]);
    }

    async fn documents_of_one_name_are_versions_of_it(bed) {
        drop(filled(&bed).await);
        Store::migrate(&bed.place).await.unwrap();
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let documents = store.documents().list(&ours, &"docs".into()).await.unwrap();
        let seen: Vec<_> = documents
            .iter()
            .map(|document| (document.name.as_str(), document.version, document.id.as_str()))
            .collect();
        assert_eq!(seen, [("a.txt", 1, "d-1"), ("b.txt", 1, "d-2"), ("b.txt", 2, "d-0")]);
    }
}

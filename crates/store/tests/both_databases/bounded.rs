//! What a page reads does not grow with what else is stored: PostgreSQL counts the rows.

use std::time::Duration;

use assize_store::views::{ItemQuery, ItemSort, LineQuery};
use assize_store::{RunFilter, Store};

use crate::bed::Bed;
use crate::raw::Raw;
use crate::samples::{Sample, sample_of};

/// Results of one run, and runs like it.
const RESULTS: usize = 200;
const OTHERS: usize = 60;
/// What one page may read: a run several times, and never all of them.
const READ_MAX: i64 = 2_000;
/// PostgreSQL plans by a random sample of the rows, which misleads it once in a while: a page that
/// reads too much is read again with another sample.
const SAMPLES: usize = 3;

/// Copies the run of a sample, with all that came of it.
async fn multiplied(raw: &mut Raw) {
    raw.execute(&format!(
        "INSERT INTO runs (id, organisation_id, number, instrument, criteria_set_id, doc_set_id, \
         state, version, configuration, who, is_baseline, items, items_done, items_unscored, \
         created_at, ended_at) SELECT id || '/' || copy, organisation_id, number + copy, \
         instrument, criteria_set_id, doc_set_id, 'done', version, configuration, who, FALSE, \
         items, items_done, items_unscored, created_at, created_at \
         FROM runs, generate_series(1, {OTHERS}) AS copy; \
         INSERT INTO run_items (run_id, position, subject, document_id, criteria_item_id, state, \
         attempts) SELECT runs.id, position, subject, document_id, criteria_item_id, 'done', 1 \
         FROM run_items, runs WHERE runs.id LIKE '%/%'; \
         INSERT INTO verdicts (run_id, position, version, judged_outcome, outcome, created_at) \
         SELECT runs.id, position, verdicts.version, judged_outcome, outcome, verdicts.created_at \
         FROM verdicts, runs WHERE runs.id LIKE '%/%'; \
         INSERT INTO scores (run_id, position, version, measure, judged, value) \
         SELECT runs.id, position, scores.version, measure, judged, value \
         FROM scores, runs WHERE runs.id LIKE '%/%'; ANALYZE"
    ))
    .await;
}

/// Rows that were read of large tables so far; who reads says so when it goes.
async fn read_so_far(raw: &mut Raw) -> i64 {
    let here = "SELECT CAST(COUNT(*) AS TEXT) FROM pg_stat_activity \
        WHERE datname = current_database() AND application_name = 'assize'";
    while raw.texts(here).await != ["0"] {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let sql = "SELECT CAST(COALESCE(SUM(seq_tup_read + COALESCE(idx_tup_fetch, 0)), 0) AS TEXT) \
        FROM pg_stat_user_tables WHERE relname IN ('runs', 'run_items', 'verdicts', 'scores')";
    raw.texts(sql).await[0].parse().unwrap()
}

async fn page(store: &Store, sample: &Sample, which: &str) {
    let (ours, run) = (&sample.organisation, &sample.run);
    let views = store.views();
    let sorted = ItemSort::Measure("score".into(), true);
    let rows = match which {
        "runs" => store.runs().page(ours, &RunFilter::default(), 20).await.unwrap().len(),
        "items" => views.items(&run.id, 1, &ItemQuery::default(), 20).await.unwrap().len(),
        "sorted items" => {
            let query = ItemQuery { sort: sorted, ..ItemQuery::default() };
            views.items(&run.id, 1, &query, 20).await.unwrap().len()
        }
        "lines" => views.lines(ours, &run.id, &LineQuery::default(), 20).await.unwrap().len(),
        "cells" => views.matrix(run).await.unwrap().len().min(20),
        "counts" => views.line_counts(run, &[0.0, 50.0], 2.0).await.unwrap().tiers.len() * 10,
        "next" => views.next_unrated(&run.id, "ada", -1).await.unwrap().map_or(0, |_| 20),
        "result" => store.results().at(ours, &run.id, 7).await.unwrap().map_or(0, |_| 20),
        "queue" => store.workers().next_run(&[]).await.unwrap().map_or(20, |_| 20),
        other => panic!("{other}"),
    };
    assert_eq!(rows, 20, "{which}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_page_reads_more_because_there_are_other_runs() {
    let bed = Bed::postgres();
    let store = bed.open().await;
    let sample = sample_of(&store, "ours", RESULTS / 10, 10).await;
    sample.commit(&store, &sample.all_results()).await.unwrap();
    store.close().await;
    let mut raw = Raw::connect(&bed.place).await;
    multiplied(&mut raw).await;
    let pages =
        ["runs", "items", "sorted items", "lines", "cells", "counts", "next", "result", "queue"];
    for which in pages {
        let mut read = i64::MAX;
        for _ in 0..SAMPLES {
            let before = read_so_far(&mut raw).await;
            let store = bed.open().await;
            page(&store, &sample, which).await;
            store.close().await;
            read = read_so_far(&mut raw).await - before;
            if read <= READ_MAX {
                break;
            }
            raw.execute("ANALYZE").await;
        }
        assert!(read <= READ_MAX, "{which}: {read} rows were read");
    }
}

//! Everything out, and everything in again, from either database to the other.

use assize_store::{
    Change, Consequences, Decision, DecisionKind, Sending, Store, StoreError, TruthKey,
};
use chrono::TimeDelta;
use serde_json::json;

use crate::bed::{Bed, on_both};
use crate::exchanges::on_fire;
use crate::raw::Raw;
use crate::samples::{noon, sample, sample_of};

/// A store with something in nearly every table.
async fn filled(bed: &Bed) -> Store {
    let store = bed.open().await;
    let sample = sample_of(&store, "ours", 3, 120).await;
    let ours = &sample.organisation;
    let mut results = sample.all_results();
    results[0].assessment().sections = Some(json!({"zebra": 1.5, "a": [null, {"y": 1, "b": "ß"}]}));
    results[0].verdict.created_at = noon() + TimeDelta::microseconds(123_456);
    sample.commit(&store, &results).await.unwrap();
    let decision = Decision {
        position: 0,
        sequence: 0,
        kind: DecisionKind::Score,
        target: "score".into(),
        change: Change { score: Some(0.1 + 0.2), ..Change::default() },
        is_current: true,
        author: "ada".into(),
        reason: "because".into(),
        created_at: noon(),
    };
    store.decisions().add(&sample.run.id, &decision, Consequences::default()).await.unwrap();
    let key = TruthKey {
        id: TruthKey::id_of(sample.document(0), sample.item(0), None),
        organisation_id: ours.clone(),
        document_id: sample.document(0).clone(),
        criteria_item_id: sample.item(0).clone(),
        expected_score: 73.0,
        score_range: 4,
        response_sections: None,
        analyst: None,
        note: None,
        created_at: noon(),
        updated_at: noon(),
        is_adjudicated: false,
    };
    store.truth_keys().put(ours, &[key]).await.unwrap();
    store.prompt_templates().add(ours, "assess", "Judge.", noon()).await.unwrap();
    let sent = store.begin_send(Sending::new("k1", noon())).await.unwrap().sent().unwrap();
    store.fail_send(sent, on_fire()).await.unwrap();
    store
}

async fn exported(store: &Store) -> String {
    let mut bytes = Vec::new();
    store.export(&mut bytes).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

async fn there_and_back(here: Bed, there: Bed) {
    let first = exported(&filled(&here).await).await;
    let store = there.open().await;
    let counts = store.import(&mut first.as_bytes()).await.unwrap();
    assert_eq!((counts["verdicts"], counts["scores"]), (360, 360));
    assert_eq!(store.check().await.unwrap().findings, [""; 0]);
    let second = exported(&store).await;
    assert!(first == second, "the two exports differ");
    assert!(first.lines().count() > 360 + 360, "{}", first.lines().count());
    assert!(first.contains("\"2026-11-03T12:00:00.123456Z\""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_sqlite_to_postgres_nothing_changes() {
    there_and_back(Bed::sqlite(), Bed::postgres()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_postgres_to_sqlite_nothing_changes() {
    there_and_back(Bed::postgres(), Bed::sqlite()).await;
}

on_both! {
    async fn an_import_into_a_store_that_holds_something_is_refused(bed) {
        let store = filled(&bed).await;
        let lines = exported(&store).await;
        let refused = store.import(&mut lines.as_bytes()).await.unwrap_err();
        assert!(matches!(refused, StoreError::Refused(_)), "{refused:?}");
        assert!(refused.to_string().contains("import into an empty database"), "{refused}");
        assert_eq!(exported(&store).await, lines);
    }

    async fn half_a_file_and_a_wrong_line_change_nothing(bed) {
        let lines = exported(&filled(&Bed::sqlite()).await).await;
        let store = bed.open().await;
        let empty = exported(&store).await;
        let first = format!("{{\"assize_store\":{}}}", Store::latest_version());
        let cut = &lines[..lines.rfind("{\"rows\"").unwrap()];
        let broken = lines.replacen("\"outcome\":\"scored\"", "\"outcome\":7", 1);
        let newer = lines.replacen(&first, "{\"assize_store\":999}", 1);
        let unknown = lines.replacen("\"table\":\"sends\"", "\"table\":\"senders\"", 1);
        let words = [
            (cut, "is truncated"),
            (broken.as_str(), "verdicts.outcome is not valid"),
            (newer.as_str(), "line 1 of the import: the schema version is 999"),
            (unknown.as_str(), "no table senders"),
            ("Buy milk.", "line 1 of the import: not a line of an Assize export"),
            ("", "is truncated"),
        ];
        for (text, because) in words {
            let error = store.import(&mut text.as_bytes()).await.unwrap_err().to_string();
            assert!(error.contains(because), "{error}");
            assert_eq!(exported(&store).await, empty);
        }
    }

    async fn a_check_finds_what_leads_nowhere_and_what_was_not_planned(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        sample.commit(&store, &sample.all_results()).await.unwrap();
        let checked = store.check().await.unwrap();
        assert_eq!((checked.version, checked.findings), (Store::latest_version(), Vec::<String>::new()));
        let mut raw = Raw::connect(&bed.place).await;
        raw.without_looking().await;
        raw.execute("DELETE FROM run_documents WHERE position = 0").await;
        raw.execute("DELETE FROM eval_criteria_items WHERE criteria_id = 'AC-1'").await;
        raw.execute("INSERT INTO exchanges (key, send, provider, model, attempt, request, reply, \
            input_tokens, output_tokens, counted, created) VALUES ('bad', 1, 'p', 'm', 0, '{', \
            '{}', 0, 0, TRUE, '2026-11-03T12:00:00+00:00')").await;
        let findings = store.check().await.unwrap().findings;
        let expected = [
            "1 rows of run_criteria whose criteria_item_id refers to nothing",
            "2 rows of run_items whose criteria_item_id refers to nothing",
            "3 items of compliance runs that were not planned",
            "the request of exchange bad is not JSON",
        ];
        assert_eq!(findings, expected);
    }
}

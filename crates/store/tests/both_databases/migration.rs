//! From old tables to new ones, with nothing lost.

use assize_store::{
    CriteriaSetId, DocSetId, OrganisationId, Place, ResultOutcome, RunId, RunState, Store,
    StoreError,
};
use serde_json::json;

use crate::bed::{Bed, on_both};
use crate::raw::Raw;

/// The version before scores were given directly, and the latest.
const OLD: i64 = 2;
const LATEST: i64 = 21;

/// Rows as the old program left them: texts that are absent, empty, long, and full of quotes.
const OLD_ROWS: &str = r#"
INSERT INTO eval_criteria_sets (id, name, description, created_at, updated_at)
    VALUES ('set-1', 'NIST', 'Old set', '2025-01-02 03:04:05+00:00', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_criteria_items (id, criteria_set_id, criteria_id, requirement, description, sort_order)
    VALUES ('i-1', 'set-1', 'AC-2', 'Accounts', '', 1), ('i-2', 'set-1', 'AC-3', 'Access', '', 2);
INSERT INTO eval_status_options (id, criteria_set_id, name, score_value, sort_order)
    VALUES ('yes', 'set-1', 'Compliant', 100, 1), ('no', 'set-1', 'Non-Compliant', 0, 2);
INSERT INTO eval_doc_sets (id, name, created_at) VALUES ('docs', 'Old docs', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_documents (id, doc_set_id, name, content_text, created_at)
    VALUES ('d-1', 'docs', 'a.txt', 'Text A', '2025-01-02 03:04:05+00:00'),
           ('d-2', 'docs', 'b.txt', 'Text B', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_runs (id, criteria_set_id, doc_set_id, status, created_at)
    VALUES ('run-1', 'set-1', 'docs', 'completed', '2025-01-02 03:04:05+00:00'),
           ('run-2', 'set-1', 'docs', 'running', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_criteria_results
    (id, run_id, document_id, criteria_item_id, ai_status_id, ai_score_value, ai_confidence, ai_result, ai_citations, created_at)
    VALUES ('r-1', 'run-1', 'd-1', 'i-1', 'yes', 100, 90, 'It says "so",
and {"more": ''yes''} – naïve \ 😀', '["p. 1"]', '2025-01-02 03:04:05+00:00'),
           ('r-2', 'run-1', 'd-1', 'i-2', 'no', 0, NULL, '', NULL, '2025-01-02 03:04:05+00:00'),
           ('r-3', 'run-1', 'd-2', 'i-1', NULL, NULL, NULL, NULL, NULL, '2025-01-02 03:04:05+00:00'),
           ('r-4', 'run-1', 'd-2', 'i-2', 'yes', 100, 50, '{"already": "json"}', '[]', '2025-01-02 03:04:05+00:00');
"#;

async fn old(bed: &Bed) {
    Store::migrate_to(&bed.place, OLD).await.unwrap();
    Raw::connect(&bed.place).await.execute(OLD_ROWS).await;
}

on_both! {
    async fn old_rows_go_through_with_nothing_lost(bed) {
        old(&bed).await;
        let migrated = Store::migrate(&bed.place).await.unwrap();
        assert_eq!((migrated.from, migrated.to), (OLD, LATEST));
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let run = RunId::from("run-1");
        let results = store.results().list(&ours, &run).await.unwrap();
        let ids: Vec<_> = results.iter().map(|result| result.id.as_str()).collect();
        assert_eq!(ids, ["r-1", "r-2", "r-3", "r-4"]);
        let explained = "It says \"so\",\nand {\"more\": 'yes'} – naïve \\ 😀";
        assert_eq!(results[0].ai_result, Some(json!({"explanation": explained})));
        assert_eq!(results[1].ai_result, Some(json!({})));
        assert_eq!(results[2].ai_result, None);
        assert_eq!(results[3].ai_result, Some(json!({"explanation": "{\"already\": \"json\"}"})));
        let scores: Vec<_> = results.iter().map(|result| result.ai_score_value).collect();
        assert_eq!(scores, [Some(100.0), Some(0.0), None, Some(100.0)]);
        let statuses: Vec<_> = results.iter().map(|result| result.ai_status_id.as_deref()).collect();
        assert_eq!(statuses, [Some("yes"), Some("no"), None, Some("yes")]);
        assert_eq!(results[0].ai_citations, Some(json!(["p. 1"])));
        assert_eq!(results[0].ai_confidence, Some(90));
        assert_eq!(results[2].outcome, ResultOutcome::Failed);
        let mut raw = Raw::connect(&bed.place).await;
        let options = "SELECT name || ' ' || CAST(score_value AS INTEGER) FROM eval_status_options ORDER BY sort_order";
        assert_eq!(raw.texts(options).await, ["Compliant 100", "Non-Compliant 0"]);
    }

    async fn old_sets_documents_and_runs_are_read_like_new_ones(bed) {
        old(&bed).await;
        Store::migrate(&bed.place).await.unwrap();
        let store = bed.open().await;
        let ours = OrganisationId::default_organisation();
        let set = store.criteria_sets().get(&ours, &CriteriaSetId::from("set-1")).await.unwrap().unwrap();
        let rubric = set.scoring_rubric.unwrap();
        let tiers = rubric["tiers"].as_array().unwrap();
        let bounds: Vec<_> = tiers.iter().map(|tier| (tier["min"].as_i64(), tier["max"].as_i64())).collect();
        let expected = [(0, 20), (21, 40), (41, 60), (61, 80), (81, 100)];
        assert_eq!(bounds, expected.map(|(min, max)| (Some(min), Some(max))));
        let labels: Vec<_> = tiers.iter().map(|tier| tier["label"].as_str().unwrap()).collect();
        let expected = ["Non-Compliant", "Mostly Non-Compliant", "Partially Compliant",
            "Mostly Compliant", "Fully Compliant"];
        assert_eq!(labels, expected);
        assert_eq!(set.response_structure.unwrap()["sections"][0]["id"], "explanation");
        let documents = store.documents().list(&ours, &DocSetId::from("docs")).await.unwrap();
        let names: Vec<_> = documents.iter().map(|document| document.name.as_str()).collect();
        assert_eq!(names, ["a.txt", "b.txt"]);
        let document = store.documents().get(&ours, &documents[0].id).await.unwrap().unwrap();
        assert_eq!(document.content_text, "Text A");
        assert_eq!(store.documents().original(&ours, &documents[0].id).await.unwrap(), None);
        let run = store.runs().get(&ours, &RunId::from("run-1")).await.unwrap().unwrap();
        assert_eq!((run.state, run.configuration), (RunState::Done, None));
        assert_eq!(store.runs().pending(&ours, &run.id).await.unwrap(), []);
        assert_eq!(store.runs().progress(&ours, &run.id).await.unwrap().planned, 4);
        let left = store.runs().get(&ours, &RunId::from("run-2")).await.unwrap().unwrap();
        assert_eq!(left.state, RunState::Stopped);
    }

    async fn an_outdated_store_says_so_and_is_left_alone(bed) {
        old(&bed).await;
        let error = Store::open(&bed.place).await.unwrap_err();
        let StoreError::Outdated { version, wanted, .. } = &error else { panic!("{error:?}") };
        assert_eq!((*version, *wanted), (OLD, LATEST));
        assert!(error.to_string().contains("assize db migrate"), "{error}");
        let mut raw = Raw::connect(&bed.place).await;
        let versions = "SELECT CAST(MAX(version) AS TEXT) FROM _sqlx_migrations";
        assert_eq!(raw.texts(versions).await, ["2"]);
    }

    async fn eight_may_migrate_at_once_and_one_does(bed) {
        old(&bed).await;
        let tasks: Vec<_> = (0..8)
            .map(|_| {
                let place = bed.place.clone();
                tokio::spawn(async move { Store::migrate(place).await.unwrap().from })
            })
            .collect();
        let mut from = Vec::new();
        for task in tasks {
            from.push(task.await.unwrap());
        }
        from.sort_unstable();
        assert_eq!(from, [OLD, LATEST, LATEST, LATEST, LATEST, LATEST, LATEST, LATEST]);
        let mut raw = Raw::connect(&bed.place).await;
        let count = "SELECT CAST(COUNT(*) AS TEXT) FROM eval_criteria_results";
        assert_eq!(raw.texts(count).await, ["4"]);
    }

    async fn a_migration_that_cannot_be_finished_leaves_everything_as_it_was(bed) {
        old(&bed).await;
        let mut raw = Raw::connect(&bed.place).await;
        raw.execute("CREATE TABLE audit (mine TEXT)").await;
        let error = Store::migrate(&bed.place).await.unwrap_err();
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains("audit") || format!("{error:?}").contains("audit"), "{error:?}");
        let versions = "SELECT CAST(MAX(version) AS TEXT) FROM _sqlx_migrations";
        assert_eq!(raw.texts(versions).await, ["2"]);
        let old_text = "SELECT ai_result FROM eval_criteria_results WHERE id = 'r-4'";
        assert_eq!(raw.texts(old_text).await, ["{\"already\": \"json\"}"]);
        raw.execute("DROP TABLE audit").await;
        assert_eq!(Store::migrate(&bed.place).await.unwrap().to, LATEST);
    }
}

on_both! {
    async fn the_defaults_of_the_tables_are_those_of_the_methods(bed) {
        Store::migrate_to(&bed.place, OLD).await.unwrap();
        let mut raw = Raw::connect(&bed.place).await;
        raw.execute(OLD_ROWS).await;
        Store::migrate(&bed.place).await.unwrap();
        let ours = OrganisationId::default_organisation();
        let set = bed.open().await.criteria_sets().find(&ours, "NIST").await.unwrap().unwrap();
        let tiers = include_str!("../../../methods/defaults/compliance/tiers.toml");
        let tiers: serde_json::Value = toml::from_str(tiers).unwrap();
        assert_eq!(set.scoring_rubric, Some(tiers));
        let sections = include_str!("../../../methods/defaults/compliance/sections.toml");
        let sections: serde_json::Value = toml::from_str(sections).unwrap();
        assert_eq!(set.response_structure, Some(sections));
    }
}

/// A file of the first release, which knew only exchanges.
#[tokio::test]
async fn a_file_of_the_first_release_keeps_its_exchanges() {
    let bed = Bed::sqlite();
    Store::migrate_to(&bed.place, 1).await.unwrap();
    let mut raw = Raw::connect(&bed.place).await;
    raw.execute(
        "INSERT INTO sends (id, key, begun) VALUES (7, 'k', '2026-11-03T12:00:00.123456789+00:00'); \
         INSERT INTO exchanges VALUES ('k', 7, 'local', 'tiny', 0, '{\"a\":  1}', '{\"text\":\"yes\"}', \
         12, 3, TRUE, NULL, '2026-11-03T12:00:01.123456789+00:00')",
    )
    .await;
    assert!(matches!(Store::open(&bed.place).await, Err(StoreError::Outdated { version: 1, .. })));
    Store::migrate(&bed.place).await.unwrap();
    let store = bed.open().await;
    let kept = store.find_exchange("k").await.unwrap().unwrap();
    assert_eq!(kept.request.get(), "{\"a\":  1}");
    assert_eq!(store.find_reply("k").await.unwrap().unwrap().get(), "{\"text\":\"yes\"}");
    let tally = store.tally().await.unwrap();
    assert_eq!((tally.exchanges, tally.sends, tally.unpriced), (1, 1, 1));
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_named_without_its_password() {
    let place = Place::from("postgres://ada:secret@127.0.0.1:1/assize");
    let error = Store::open(&place).await.unwrap_err();
    assert_eq!(error.to_string(), "could not open the database postgres://ada@127.0.0.1:1/assize");
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}

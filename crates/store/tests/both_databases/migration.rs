//! Making the tables: once, by whoever comes first, and never over what somebody else made.

use assize_store::{CriteriaSet, OrganisationId, Place, Store, StoreError};
use serde_json::json;

use crate::bed::on_both;
use crate::raw::Raw;
use crate::samples::sample;

/// What an unreleased build left: the table of its steps, and rows of its own.
const UNRELEASED: &str = "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, \
    description TEXT NOT NULL, installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, \
    success BOOLEAN NOT NULL, checksum BYTEA NOT NULL, execution_time BIGINT NOT NULL); \
    INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
    VALUES (1, 'keep exchanges', TRUE, '', 0), (21, 'freeze weights', TRUE, '', 0); \
    CREATE TABLE eval_overrides (id TEXT); INSERT INTO eval_overrides VALUES ('mine')";

on_both! {
    async fn a_database_of_an_unreleased_build_is_refused_and_not_touched(bed) {
        if let Place::Sqlite(path) = &bed.place {
            std::fs::File::create(path).unwrap();
        }
        Raw::connect(&bed.place).await.execute(UNRELEASED).await;
        let refused = [
            Store::open(&bed.place).await.map(drop),
            Store::open_to_read(&bed.place).await.map(drop),
            Store::migrate(&bed.place).await.map(drop),
        ];
        for error in refused.map(Result::unwrap_err) {
            assert!(matches!(error, StoreError::Unreleased { .. }), "{error:?}");
            assert!(error.to_string().contains("unreleased build"), "{error}");
        }
        let mut raw = Raw::connect(&bed.place).await;
        assert_eq!(raw.texts("SELECT id FROM eval_overrides").await, ["mine"]);
        let versions = "SELECT CAST(MAX(version) AS TEXT) FROM _sqlx_migrations";
        assert_eq!(raw.texts(versions).await, ["21"]);
    }

    async fn eight_may_make_the_tables_at_once_and_one_does(bed) {
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
        let mut expected = [Store::latest_version(); 8];
        expected[0] = 0;
        assert_eq!(from, expected);
    }

    async fn the_defaults_of_the_tables_are_those_of_the_methods(bed) {
        let ours = OrganisationId::default_organisation();
        let store = bed.open().await;
        let mut raw = Raw::connect(&bed.place).await;
        raw.execute("INSERT INTO eval_criteria_sets (id, name, created_at, updated_at) \
            VALUES ('set', 'NIST', '2026-11-03T12:00:00+00:00', '2026-11-03T12:00:00+00:00')").await;
        let set: CriteriaSet = store.criteria_sets().find(&ours, "NIST").await.unwrap().unwrap();
        let tiers = include_str!("../../../methods/defaults/compliance/tiers.toml");
        let tiers: serde_json::Value = toml::from_str(tiers).unwrap();
        assert_eq!(set.scoring_rubric, Some(tiers));
        let sections = include_str!("../../../methods/defaults/compliance/sections.toml");
        let sections: serde_json::Value = toml::from_str(sections).unwrap();
        assert_eq!(set.response_structure, Some(sections));
    }

    /// Whoever knows SQL from the system that the tables come from finds its names.
    async fn the_names_of_the_origin_answer_its_questions(bed) {
        let store = bed.open().await;
        let sample = sample(&store, "ours").await;
        let mut new = sample.result(0, 1, 72.5);
        new.assessment().sections = Some(json!({"explanation": "So."}));
        sample.commit(&store, &[new]).await.unwrap();
        let mut raw = Raw::connect(&bed.place).await;
        let question = "SELECT CAST(result.ai_score_value AS TEXT) || ' ' || result.ai_confidence \
            || ' ' || item.criteria_id FROM eval_criteria_results AS result \
            JOIN eval_criteria_items AS item ON item.id = result.criteria_item_id \
            JOIN eval_runs AS run ON run.id = result.run_id \
            WHERE result.ai_status_id IS NULL AND run.criteria_set_id IS NOT NULL";
        assert_eq!(raw.texts(question).await, ["72.5 85 AC-2"]);
        let sections = match &bed.place {
            Place::Sqlite(_) => "SELECT json_extract(ai_result, '$.explanation') FROM eval_criteria_results",
            Place::Postgres(_) => "SELECT ai_result->>'explanation' FROM eval_criteria_results",
        };
        assert_eq!(raw.texts(sections).await, ["So."]);
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_named_without_its_password() {
    let place = Place::from("postgres://ada:secret@127.0.0.1:1/assize");
    let error = Store::open(&place).await.unwrap_err();
    assert_eq!(error.to_string(), "could not open the database postgres://ada@127.0.0.1:1/assize");
    assert!(!format!("{error:?}").contains("secret"), "{error:?}");
}

//! Both databases have the same tables, columns and rules.

use std::collections::BTreeSet;

use assize_store::Store;

use crate::bed::Bed;
use crate::raw::Raw;

const SQLITE_COLUMNS: &str = "SELECT master.name || '.' || info.name || ' ' || info.type || \
    CASE WHEN info.\"notnull\" = 1 THEN ' NOT NULL' ELSE '' END || \
    CASE WHEN info.dflt_value IS NULL THEN '' ELSE ' DEFAULT' END \
    FROM sqlite_schema AS master, pragma_table_info(master.name) AS info \
    WHERE master.type = 'table' AND master.name NOT LIKE 'sqlite%' \
    AND master.name <> '_sqlx_migrations'";

const POSTGRES_COLUMNS: &str = "SELECT table_name || '.' || column_name || ' ' || data_type || \
    CASE WHEN is_nullable = 'NO' THEN ' NOT NULL' ELSE '' END || \
    CASE WHEN column_default IS NULL THEN '' ELSE ' DEFAULT' END \
    FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) \
    WHERE table_schema = 'public' AND table_type = 'BASE TABLE' \
    AND table_name <> '_sqlx_migrations'";

const SQLITE_REFERENCES: &str = "SELECT master.name || '.' || info.\"from\" || ' ' || \
    info.\"table\" || ' ' || info.on_delete FROM sqlite_schema AS master, \
    pragma_foreign_key_list(master.name) AS info WHERE master.type = 'table'";

const POSTGRES_REFERENCES: &str = "SELECT owner.relname || '.' || attribute.attname || ' ' || \
    target.relname || ' ' || CASE confdeltype WHEN 'c' THEN 'CASCADE' ELSE 'NO ACTION' END \
    FROM pg_constraint JOIN pg_class AS owner ON owner.oid = conrelid \
    JOIN pg_class AS target ON target.oid = confrelid \
    JOIN pg_attribute AS attribute ON attribute.attrelid = conrelid \
        AND attribute.attnum = conkey[1] WHERE contype = 'f'";

const SQLITE_UNIQUE: &str = "SELECT master.name || ': ' || (SELECT group_concat(name, ', ') FROM \
    (SELECT name FROM pragma_index_info(list.name) ORDER BY seqno)) \
    FROM sqlite_schema AS master, pragma_index_list(master.name) AS list \
    WHERE master.type = 'table' AND master.name <> '_sqlx_migrations' AND list.\"unique\" = 1 \
    UNION SELECT 'sends: id'";

const POSTGRES_UNIQUE: &str = "SELECT owner.relname || ': ' || (SELECT string_agg(attname, ', ' \
    ORDER BY position) FROM unnest(conkey) WITH ORDINALITY AS key (number, position) \
    JOIN pg_attribute ON attrelid = conrelid AND attnum = number) \
    FROM pg_constraint JOIN pg_class AS owner ON owner.oid = conrelid \
    WHERE contype IN ('p', 'u') AND connamespace = 'public'::regnamespace \
    AND owner.relname <> '_sqlx_migrations'";

async fn both(sqlite: &str, postgres: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let (one, two) = (Bed::sqlite(), Bed::postgres());
    Store::migrate(&one.place).await.unwrap();
    Store::migrate(&two.place).await.unwrap();
    let left = Raw::connect(&one.place).await.texts(sqlite).await;
    let right = Raw::connect(&two.place).await.texts(postgres).await;
    (left.into_iter().collect(), right.into_iter().collect())
}

/// What SQLite calls a type that PostgreSQL has a narrower word for.
fn in_sqlite(column: &str) -> String {
    column
        .replace(" text", " TEXT")
        .replace(" bigint", " INTEGER")
        .replace(" double precision", " REAL")
        .replace(" boolean", " BOOLEAN")
        .replace(" bytea", " BLOB")
        .replace(" jsonb", " TEXT")
        .replace(" timestamp with time zone", " TEXT")
}

#[tokio::test]
async fn the_columns_of_both_have_the_same_names_types_and_defaults() {
    let (sqlite, postgres) = both(SQLITE_COLUMNS, POSTGRES_COLUMNS).await;
    let postgres: BTreeSet<String> = postgres.iter().map(|column| in_sqlite(column)).collect();
    assert!(sqlite.len() > 120, "{}", sqlite.len());
    assert_eq!(sqlite, postgres);
}

#[tokio::test]
async fn json_is_jsonb_and_times_have_their_zone_on_postgres() {
    let (_, columns) = both("SELECT ''", POSTGRES_COLUMNS).await;
    for column in ["eval_criteria_sets.scoring_rubric", "verdicts.sections"] {
        assert!(columns.iter().any(|c| c.starts_with(&format!("{column} jsonb"))), "{column}");
    }
    let times = columns.iter().filter(|column| column.contains("_at "));
    let zoned = times.clone().filter(|column| column.contains("timestamp with time zone"));
    assert_eq!((times.count(), zoned.count()), (41, 41));
}

#[tokio::test]
async fn what_refers_to_what_is_the_same_in_both() {
    let (sqlite, postgres) = both(SQLITE_REFERENCES, POSTGRES_REFERENCES).await;
    assert!(sqlite.len() > 25, "{}", sqlite.len());
    assert_eq!(sqlite, postgres);
}

#[tokio::test]
async fn what_must_be_unique_is_the_same_in_both() {
    let (sqlite, postgres) = both(SQLITE_UNIQUE, POSTGRES_UNIQUE).await;
    assert!(sqlite.len() > 20, "{}", sqlite.len());
    assert_eq!(sqlite, postgres);
}

#[tokio::test]
async fn postgres_says_what_the_changed_columns_are_for() {
    let bed = Bed::postgres();
    Store::migrate(&bed.place).await.unwrap();
    let comments = "SELECT owner.relname || '.' || attribute.attname FROM pg_description \
        JOIN pg_class AS owner ON owner.oid = objoid \
        JOIN pg_attribute AS attribute ON attrelid = objoid AND attnum = objsubid \
        WHERE owner.relname LIKE 'eval%'";
    let comments = Raw::connect(&bed.place).await.texts(comments).await;
    for column in ["scoring_rubric", "response_structure"] {
        assert!(comments.contains(&format!("eval_criteria_sets.{column}")), "{comments:?}");
    }
    for column in ["ai_result", "ai_status_id"] {
        assert!(comments.contains(&format!("eval_criteria_results.{column}")), "{comments:?}");
    }
}

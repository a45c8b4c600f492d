//! The database of an older system, taken over on a real server and in a file.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use assize_store::Place;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, Row};
use tokio::runtime::Runtime;

use crate::bed::Bed;

/// Tables as that system has them: UUIDs, texts, statuses, no table of migrations. There is more
/// in them than we know: a column, a table, a person's edit.
const ORIGIN: &str = r#"
CREATE TABLE eval_doc_types (id UUID PRIMARY KEY, name VARCHAR(255));
CREATE TABLE eval_criteria_sets (
    id UUID PRIMARY KEY, doc_type_id UUID REFERENCES eval_doc_types (id),
    name VARCHAR(255) NOT NULL, version VARCHAR(50), description TEXT,
    created_at TIMESTAMP NOT NULL, updated_at TIMESTAMP NOT NULL);
CREATE TABLE eval_criteria_items (
    id UUID PRIMARY KEY, criteria_set_id UUID NOT NULL REFERENCES eval_criteria_sets (id),
    criteria_id VARCHAR(100) NOT NULL, requirement TEXT NOT NULL, description TEXT,
    category VARCHAR(255), weight NUMERIC(5,2), order_index INTEGER);
CREATE TABLE eval_status_options (
    id UUID PRIMARY KEY, name VARCHAR(100) NOT NULL, color VARCHAR(20), score_value NUMERIC(5,2));
CREATE TABLE eval_doc_summaries (
    id UUID PRIMARY KEY, workspace_id UUID, name VARCHAR(255),
    criteria_set_id UUID REFERENCES eval_criteria_sets (id), status VARCHAR(50), doc_summary TEXT,
    created_at TIMESTAMP NOT NULL);
CREATE TABLE eval_criteria_results (
    id UUID PRIMARY KEY, eval_summary_id UUID NOT NULL REFERENCES eval_doc_summaries (id),
    criteria_item_id UUID NOT NULL REFERENCES eval_criteria_items (id),
    ai_result TEXT, ai_status_id UUID REFERENCES eval_status_options (id),
    ai_confidence INTEGER, ai_score_value NUMERIC(5,2), ai_citations JSONB, created_at TIMESTAMP);
CREATE TABLE eval_result_edits (
    id UUID PRIMARY KEY, criteria_result_id UUID REFERENCES eval_criteria_results (id),
    version INTEGER, edited_result TEXT, edited_status_id UUID, edit_notes TEXT, edited_by UUID,
    created_at TIMESTAMP);
CREATE TABLE kept_by_somebody_else (id UUID PRIMARY KEY, note TEXT);
INSERT INTO kept_by_somebody_else VALUES ('99999999-0000-0000-0000-000000000001', 'stays');
INSERT INTO eval_doc_types VALUES ('10000000-0000-0000-0000-000000000001', 'Policies');
INSERT INTO eval_criteria_sets VALUES ('20000000-0000-0000-0000-000000000001',
    '10000000-0000-0000-0000-000000000001', 'Library rules', '1.0', NULL,
    '2025-01-02 03:04:05', '2025-01-02 03:04:05');
INSERT INTO eval_criteria_items VALUES
    ('30000000-0000-0000-0000-000000000001', '20000000-0000-0000-0000-000000000001', 'LIB-1',
     'Books are returned', 'Within a term', 'Lending', 2.5, 1),
    ('30000000-0000-0000-0000-000000000002', '20000000-0000-0000-0000-000000000001', 'LIB-2',
     'Doors are locked', NULL, 'Building', 1, 2),
    ('30000000-0000-0000-0000-000000000003', '20000000-0000-0000-0000-000000000001', 'LIB-3',
     'Keys are counted', NULL, NULL, NULL, 3),
    ('30000000-0000-0000-0000-000000000004', '20000000-0000-0000-0000-000000000001', 'LIB-3',
     'Keys are counted again', NULL, NULL, NULL, 4);
INSERT INTO eval_status_options VALUES
    ('40000000-0000-0000-0000-000000000001', 'Compliant', 'green', 100),
    ('40000000-0000-0000-0000-000000000002', 'Non-Compliant', 'red', 0);
INSERT INTO eval_doc_summaries VALUES ('50000000-0000-0000-0000-000000000001',
    '60000000-0000-0000-0000-000000000001', 'rules.txt', '20000000-0000-0000-0000-000000000001',
    'completed', 'Books are returned within a month.', '2025-01-03 03:04:05');
INSERT INTO eval_criteria_results VALUES
    ('70000000-0000-0000-0000-000000000001', '50000000-0000-0000-0000-000000000001',
     '30000000-0000-0000-0000-000000000001', 'A month is stated.',
     '40000000-0000-0000-0000-000000000001', 90, 100, '["within a month"]', '2025-01-03 03:04:05'),
    ('70000000-0000-0000-0000-000000000002', '50000000-0000-0000-0000-000000000001',
     '30000000-0000-0000-0000-000000000002', '', '40000000-0000-0000-0000-000000000002', 70, NULL,
     NULL, '2025-01-03 03:04:05'),
    ('70000000-0000-0000-0000-000000000003', '50000000-0000-0000-0000-000000000001',
     '30000000-0000-0000-0000-000000000003', NULL, NULL, NULL, NULL, NULL, '2025-01-03 03:04:05');
INSERT INTO eval_result_edits VALUES ('80000000-0000-0000-0000-000000000001',
    '70000000-0000-0000-0000-000000000002', 1, 'There is a lock.',
    '40000000-0000-0000-0000-000000000001', 'seen on site', '90000000-0000-0000-0000-000000000001',
    '2025-02-03 03:04:05');
"#;

fn sql(database: &str, text: &str) -> Vec<String> {
    let Place::Postgres(url) = Place::from(database) else { panic!("{database}") };
    Runtime::new().unwrap().block_on(async {
        let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
        let mut connection = options.connect().await.unwrap();
        if text.starts_with("SELECT") {
            let rows = connection.fetch_all(AssertSqlSafe(text.to_owned())).await.unwrap();
            return rows
                .iter()
                .map(|row| row.get::<Option<String>, _>(0).unwrap_or("NULL".into()))
                .collect();
        }
        connection.execute(sqlx::raw_sql(AssertSqlSafe(text.to_owned()))).await.unwrap();
        Vec::new()
    })
}

#[test]
fn the_database_of_an_older_system_is_taken_over_with_nothing_lost() {
    let bed = Bed::postgres();
    sql(&bed.database, ORIGIN);
    let refused = bed.assize(&["runs", "list"]);
    assert_ne!(refused.code, 0, "{refused:?}");

    let tried = bed.assize(&["db", "adopt", &bed.database, "--dry-run"]).fine();
    for words in ["eval_criteria_results", "eval_doc_types", "criteria sets", "nothing was changed"]
    {
        assert!(tried.stdout.contains(words), "{words}: {}", tried.stdout);
    }
    assert!(tried.stdout.lines().all(|line| line.chars().count() <= 120), "{}", tried.stdout);
    let tables = "SELECT table_schema || '.' || table_name FROM information_schema.tables \
        WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1";
    assert!(sql(&bed.database, tables).iter().all(|name| !name.contains("assize_origin")));

    bed.assize(&["db", "adopt", &bed.database]).fine();
    bed.assize(&["db", "check"]).fine();
    // The conversion: other text is an explanation, '' is {}, NULL stays NULL.
    let results = "SELECT ai_result::text FROM eval_criteria_results ORDER BY id";
    assert_eq!(
        sql(&bed.database, results),
        [r#"{"explanation": "A month is stated."}"#, "{}", "NULL"]
    );
    let types = "SELECT data_type::text FROM information_schema.columns \
        WHERE table_schema = 'public' AND table_name = 'eval_criteria_results' \
        AND column_name = 'ai_result'";
    assert_eq!(sql(&bed.database, types), ["jsonb"]);

    let run = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
    let rows = run["results"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    let of = |id: &str| rows.iter().find(|row| row["criteria_id"] == id).unwrap();
    assert_eq!(
        (&of("LIB-1")["score"], &of("LIB-1")["status"]),
        (&json!(100.0), &json!("Fully Compliant"))
    );
    // A status had a number, and a person chose another one later.
    assert_eq!((&of("LIB-2")["ai_score"], &of("LIB-2")["score"]), (&json!(0.0), &json!(100.0)));
    assert_eq!((&of("LIB-3")["score"], &of("LIB-3")["outcome"]), (&Value::Null, &json!("failed")));
    let shown = bed.assize(&["runs", "show", "latest", "--criterion", "LIB-1"]).fine().stdout;
    assert!(shown.contains("A month is stated.") && shown.contains("not looked up"), "{shown}");
    let shown = bed.assize(&["runs", "show", "latest", "--criterion", "LIB-2"]).fine().stdout;
    assert!(shown.contains("seen on site") && shown.contains("There is a lock."), "{shown}");
    bed.assize(&["export", "latest", "--format", "pdf", "-o", &bed.path("old.pdf")]).fine();

    let [run, first, second] = pages(&bed, ["/eval/1", "/eval/1/results/1", "/eval/1/results/2"]);
    assert!(run.contains("LIB-1") && run.contains("Fully Compliant"), "{run}");
    assert!(first.contains("A month is stated.") && first.contains("<b>100</b>"), "{first}");
    assert!(first.contains("not looked up") && !first.contains("not in the document"), "{first}");
    // The judge's 0 stands beside what a person made of it.
    assert!(second.contains("<b>100</b>") && second.contains(": 0, Non-Compliant"), "{second}");
    assert!(second.contains("seen on site") && second.contains("There is a lock."), "{second}");

    // What we do not know is where it was, or in the schema of the origin.
    assert_eq!(sql(&bed.database, "SELECT note FROM kept_by_somebody_else"), ["stays"]);
    assert_eq!(
        sql(&bed.database, "SELECT name::text FROM assize_origin.eval_doc_types"),
        ["Policies"]
    );
    let more = "SELECT properties::text FROM eval_criteria_items WHERE criteria_id = 'LIB-1'";
    assert_eq!(sql(&bed.database, more), [r#"{"weight": 2.5, "category": "Lending"}"#]);
    let twice = "SELECT criteria_id FROM eval_criteria_items ORDER BY sort_order";
    assert_eq!(sql(&bed.database, twice), ["LIB-1", "LIB-2", "LIB-3", "LIB-3 (2)"]);
    let again = bed.assize(&["db", "adopt", &bed.database]);
    assert!(again.code == 2 || again.code == 3, "{again:?}");
}

#[test]
fn what_is_no_such_database_is_refused_and_stays_as_it_is() {
    let bed = Bed::postgres();
    sql(&bed.database, "CREATE TABLE eval_criteria_sets (id UUID PRIMARY KEY)");
    let refused = bed.assize(&["db", "adopt", &bed.database]);
    assert!(refused.stderr.contains("eval_criteria_results"), "{refused:?}");
    let other = Bed::postgres();
    sql(&other.database, ORIGIN);
    sql(&other.database, "CREATE TABLE users (id UUID PRIMARY KEY)");
    let refused = other.assize(&["db", "adopt", &other.database]);
    assert!(refused.stderr.contains("users"), "{refused:?}");
    sql(&other.database, "DROP TABLE users");
    sql(&other.database, "UPDATE eval_criteria_results SET ai_score_value = 101");
    let refused = other.assize(&["db", "adopt", &other.database]);
    assert!(refused.stderr.contains("not from 0 to 100"), "{refused:?}");
    assert_eq!(sql(&other.database, "SELECT name::text FROM eval_doc_types"), ["Policies"]);
}

/// The same tables in a file: SQLite has no UUIDs, no schemas and no JSON of its own.
#[test]
fn a_file_of_an_older_system_is_taken_over_with_nothing_lost() {
    let bed = Bed::sqlite();
    let origin = ORIGIN.replace("JSONB", "TEXT");
    sqlite(&bed.database, &origin);
    let before = std::fs::read(&bed.database).unwrap();
    bed.assize(&["db", "adopt", &bed.database, "--dry-run"]).fine();
    assert!(before == std::fs::read(&bed.database).unwrap(), "a trial changed the file");

    bed.assize(&["db", "adopt", &bed.database]).fine();
    bed.assize(&["db", "check"]).fine();
    let run = bed.assize(&["runs", "show", "latest", "--format", "json"]).fine().json();
    let scores: Vec<(&Value, &Value)> = run["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (&row["ai_score"], &row["score"]))
        .collect();
    let null = &Value::Null;
    let expected = [(&json!(100.0), &json!(100.0)), (&json!(0.0), &json!(100.0)), (null, null)];
    assert_eq!(scores, expected);
    let shown = bed.assize(&["runs", "show", "latest", "--criterion", "LIB-1"]).fine().stdout;
    assert!(shown.contains("A month is stated.") && shown.contains("not looked up"), "{shown}");
    for format in ["xlsx", "pdf", "csv", "json", "oscal"] {
        let file = bed.path(&format!("old.{format}"));
        bed.assize(&["export", "latest", "--format", format, "-o", &file]).fine();
    }
    sqlite(&bed.database, "SELECT name FROM assize_origin_eval_doc_types");
    sqlite(&bed.database, "SELECT note FROM kept_by_somebody_else");
}

fn sqlite(path: &str, text: &str) {
    Runtime::new().unwrap().block_on(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new();
        let mut connection =
            options.filename(path).create_if_missing(true).connect().await.unwrap();
        connection.execute(sqlx::raw_sql(AssertSqlSafe(text.to_owned()))).await.unwrap();
        sqlx::Connection::close(connection).await.unwrap();
    });
}

/// Pages as a browser gets them, from a server over the database of a bed.
fn pages<const COUNT: usize>(bed: &Bed, paths: [&str; COUNT]) -> [String; COUNT] {
    let mut server =
        bed.command(&["serve", "--bind", "127.0.0.1:0", "--log", "off"]).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let address =
        line.trim().trim_start_matches("Assize is running at http://").trim_end_matches('/');
    let pages = paths.map(|path| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.starts_with("HTTP/1.1 200 "), "{path}: {text}");
        text
    });
    server.kill().unwrap();
    server.wait().unwrap();
    pages
}

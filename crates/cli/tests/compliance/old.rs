//! A database that an earlier program left: migrated, and its results shown like new ones.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;

use assize_store::{Place, Store};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};
use tokio::runtime::Runtime;

use crate::bed::Bed;

/// The tables before judges gave numbers themselves.
const OLD: i64 = 2;

/// One set, two criteria, one document; a status was chosen, and the score followed from it.
const ROWS: &str = r#"
INSERT INTO eval_criteria_sets (id, name, description, created_at, updated_at)
    VALUES ('set-1', 'Library rules', '', '2025-01-02 03:04:05+00:00', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_criteria_items (id, criteria_set_id, criteria_id, requirement, description, sort_order)
    VALUES ('i-1', 'set-1', 'LIB-1', 'Books are returned', '', 1), ('i-2', 'set-1', 'LIB-2', 'Doors are locked', '', 2);
INSERT INTO eval_status_options (id, criteria_set_id, name, score_value, sort_order)
    VALUES ('yes', 'set-1', 'Compliant', 100, 1), ('no', 'set-1', 'Non-Compliant', 0, 2);
INSERT INTO eval_doc_sets (id, name, created_at) VALUES ('docs', 'Old rules', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_documents (id, doc_set_id, name, content_text, created_at)
    VALUES ('d-1', 'docs', 'rules.txt', 'Books are returned within a month.', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_runs (id, criteria_set_id, doc_set_id, status, created_at)
    VALUES ('run-1', 'set-1', 'docs', 'completed', '2025-01-02 03:04:05+00:00');
INSERT INTO eval_criteria_results
    (id, run_id, document_id, criteria_item_id, ai_status_id, ai_score_value, ai_confidence, ai_result, ai_citations, created_at)
    VALUES ('r-1', 'run-1', 'd-1', 'i-1', 'yes', 100, 90, 'A month is stated.', '["within a month"]', '2025-01-02 03:04:05+00:00'),
           ('r-2', 'run-1', 'd-1', 'i-2', 'no', 0, 70, 'Nothing about doors.', NULL, '2025-01-02 03:04:05+00:00');
"#;

/// A run of the examples with overrides and truth keys in tables of version 10, and what the
/// program of that version exported: all of it written by that program, none of it by ours.
const SQLITE_10: &str = include_str!("../../../../fixtures/version10/sqlite.sql");
const POSTGRES_10: &str = include_str!("../../../../fixtures/version10/postgres.sql");
const EXPORTED_10: [(&str, &str); 3] = [
    ("json", include_str!("../../../../fixtures/version10/exported.json")),
    ("csv", include_str!("../../../../fixtures/version10/exported.csv")),
    ("oscal", include_str!("../../../../fixtures/version10/exported.oscal.json")),
];

fn leave_old_rows(database: &str, version: i64, rows: &str) {
    let place = Place::from(database);
    Runtime::new().unwrap().block_on(async {
        Store::migrate_to(&place, version).await.unwrap();
        let rows = sqlx::raw_sql(AssertSqlSafe(rows.to_owned()));
        match &place {
            Place::Sqlite(path) => {
                let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
                options.connect().await.unwrap().execute(rows).await.unwrap();
            }
            Place::Postgres(url) => {
                let options: sqlx::postgres::PgConnectOptions = url.parse().unwrap();
                options.connect().await.unwrap().execute(rows).await.unwrap();
            }
        }
    });
}

#[test]
fn old_results_are_shown_and_exported_with_labels_that_follow_from_their_scores() {
    for bed in Bed::both() {
        leave_old_rows(&bed.database, OLD, ROWS);
        let refused = bed.assize(&["runs", "list"]);
        assert!(refused.stderr.contains("assize db migrate"), "{}", refused.stderr);
        bed.assize(&["db", "migrate"]).fine();

        let listed = bed.assize(&["runs", "list"]).fine().stdout;
        assert!(listed.contains("Old rules × Library rules"), "{listed}");
        let shown = bed.assize(&["runs", "show", "run-1"]).fine().stdout;
        assert!(shown.contains("LIB-1") && shown.contains("LIB-2"), "{shown}");
        assert!(shown.contains("Fully Compliant") && shown.contains("Non-Compliant"), "{shown}");

        let exported = bed.assize(&["export", "run-1", "--format", "json"]).fine().json();
        let rows = exported["rows"].as_array().unwrap();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0]["effective_score"], 100.0);
        assert_eq!(rows[0]["status"]["label"], "Fully Compliant");
        assert_eq!(rows[1]["status"]["label"], "Non-Compliant");
        assert!(rows[0].to_string().contains("A month is stated."), "{}", rows[0]);
        assert!(rows[0].to_string().contains("within a month"), "{}", rows[0]);

        let [run, first, second] =
            pages(&bed, ["/eval/run-1", "/eval/run-1/results/1", "/eval/run-1/results/2"]);
        assert!(run.contains("LIB-1") && run.contains("Fully Compliant"), "{run}");
        assert!(first.contains("A month is stated.") && first.contains("within a month"));
        assert!(first.contains("<b>100</b>") && first.contains("Fully Compliant"), "{first}");
        // Nobody looked for the quote then: it is not said to be missing.
        assert!(!first.contains("not in the document"), "{first}");
        assert!(second.contains("Nothing about doors.") && second.contains("<b>0</b>"), "{second}");
    }
}

/// Pages as a browser gets them, from a server over the database of a bed.
pub(crate) fn pages<const COUNT: usize>(bed: &Bed, paths: [&str; COUNT]) -> [String; COUNT] {
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

/// The lines of an export but for the time of the export, and the id that follows from it.
fn lasting(exported: &str) -> Vec<&str> {
    let is_of_the_moment = |(number, line): &(usize, &str)| {
        line.contains("\"exported_at\"")
            || line.contains("\"last-modified\"")
            || (*number == 2 && line.contains("\"uuid\""))
    };
    exported.lines().enumerate().filter(|line| !is_of_the_moment(line)).map(|line| line.1).collect()
}

#[test]
fn a_run_of_version_10_exports_the_bytes_that_it_did() {
    for (bed, rows) in Bed::both().into_iter().zip([SQLITE_10, POSTGRES_10]) {
        leave_old_rows(&bed.database, 10, rows);
        bed.assize(&["db", "migrate"]).fine();
        for (format, expected) in EXPORTED_10 {
            let exported = bed.assize(&["export", "latest", "--format", format]).fine().stdout;
            assert_eq!(lasting(&exported), lasting(expected), "{format} of {}", bed.database);
        }
    }
}

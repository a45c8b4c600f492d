//! `assize doctor` on set-ups that are broken, each in one way.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use assize_store::{AuditEntry, OrganisationId, Store};
use tempfile::tempdir;

/// What it prints, and the exit code.
fn doctor(folder: &Path, database: &str) -> (String, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_assize"))
        .args(["doctor", "--database", database])
        .current_dir(folder)
        .env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY")
        .env("HOME", folder)
        .env("XDG_CONFIG_HOME", folder.join("none"))
        .output()
        .unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

fn wait<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// A database with one entry of the audit.
fn database(path: &Path) {
    wait(async {
        let store = Store::open(path).await.unwrap();
        let ours = OrganisationId::default_organisation();
        let entry = AuditEntry::new(&ours, chrono::Utc::now(), "ada", ["delete", "run", "run-1"]);
        store.audit().record(&entry).await.unwrap();
        store.close().await;
    });
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).unwrap();
}

pub(crate) fn sql(path: &Path, sql: &str) {
    use sqlx::{Connection, Executor};
    wait(async {
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path);
        let mut connection = sqlx::SqliteConnection::connect_with(&options).await.unwrap();
        connection.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned()))).await.unwrap();
        connection.close().await.unwrap();
    });
}

/// Breaks one thing, and expects the finding and the advice.
fn broken(name: &str, file: &str, found: &str, advice: &str, breaks: impl FnOnce(&Path)) {
    let folder = tempdir().unwrap();
    breaks(folder.path());
    let (text, code) = doctor(folder.path(), file);
    assert!(text.contains(found), "{name}: {text}");
    assert!(text.contains(advice), "{name}: {text}");
    let expected = if text.contains("BROKEN") { 3 } else { 0 };
    assert_eq!(
        (code, text.contains("BROKEN") || text.contains("warning")),
        (expected, true),
        "{name}"
    );
}

#[test]
fn a_good_set_up_is_fine() {
    let folder = tempdir().unwrap();
    let (text, code) = doctor(folder.path(), "assize.db");
    assert_eq!(code, 0, "{text}");
    assert!(!folder.path().join("assize.db").exists(), "nothing is changed");
    database(&folder.path().join("assize.db"));
    let (text, code) = doctor(folder.path(), "assize.db");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("database: ok") && text.contains("audit: unbroken"), "{text}");
    assert!(!text.contains("BROKEN") && !text.contains("warning"), "{text}");
}

#[test]
fn every_broken_configuration_is_named_with_what_to_do() {
    let toml = |text: &'static str| {
        move |folder: &Path| fs::write(folder.join("assize.toml"), text).unwrap()
    };
    let db = "assize.db";
    broken("syntax", db, "BROKEN  configuration", "fix the file", toml("database = ["));
    broken("unknown key", db, "databse", "fix the file", toml("databse = 'a.db'\n"));
    broken("budget", db, "models.budget", "fix the file", toml("[models]\nbudget = 'five'\n"));
    broken(
        "no requests",
        db,
        "models.concurrency",
        "fix the file",
        toml("[models]\nconcurrency = 0\n"),
    );
    #[cfg(all(feature = "server", feature = "oidc"))]
    broken(
        "issuer",
        db,
        "BROKEN  serve.oidc: ",
        "`assize serve` refuses it",
        toml(
            "[serve.oidc]\nissuer = 'nowhere'\nclient_id = 'a'\npublic_url = 'https://a.example'\n",
        ),
    );
    broken(
        "missing key",
        db,
        "the API key is missing: HUB_KEY is not set",
        "set the variable",
        toml("[endpoints.hub]\nbase_url = 'http://127.0.0.1:9/v1'\nkey_variable = 'HUB_KEY'\n"),
    );
    broken(
        "missing key file",
        db,
        "cannot be read",
        "put the key there",
        toml("[endpoints.hub]\nbase_url = 'http://127.0.0.1:9/v1'\nkey_file = 'none.key'\n"),
    );
    // A port that was free a moment ago: nobody listens.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let text = format!("[endpoints.hub]\nbase_url = 'http://127.0.0.1:{port}/v1'\n");
    broken("unreachable", db, "cannot be reached", "start the server", |folder| {
        fs::write(folder.join("assize.toml"), text).unwrap();
    });
}

#[test]
fn every_broken_database_is_named_with_what_to_do() {
    let db = "assize.db";
    broken("scheme", "mysql://localhost/x", "mysql", "use a SQLite file or postgres://", |_| {});
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("postgres://nobody@127.0.0.1:{port}/none");
    broken(
        "server down",
        &url,
        "could not open the database",
        "that PostgreSQL is running",
        |_| {},
    );
    broken("no folder", "none/a.db", "no such folder: none", "create the folder", |_| {});
    broken("unwritable", "/proc/a.db", "cannot write to", "make the folder writable", |_| {});
    broken("a folder", db, "is a folder", "give a file", |folder| {
        fs::create_dir(folder.join(db)).unwrap();
    });
    broken("not a store", db, "is not an Assize database", "use a different file", |folder| {
        fs::write(folder.join(db), "just text, and enough of it to be read as a header").unwrap();
    });
    broken("unreleased", db, "unreleased build", "start a new database", |folder| {
        database(&folder.join(db));
        sql(&folder.join(db), "UPDATE _sqlx_migrations SET version = 21");
    });
    broken("newer", db, "the schema version is 999", "created by a newer version", |folder| {
        database(&folder.join(db));
        sql(
            &folder.join(db),
            "UPDATE _sqlx_migrations SET version = 999 WHERE version = \
            (SELECT MAX(version) FROM _sqlx_migrations)",
        );
    });
    let orphan = "1 rows of run_tags whose run_id refers to nothing";
    broken("orphans", db, orphan, "restore the last backup", |folder| {
        database(&folder.join(db));
        sql(
            &folder.join(db),
            "PRAGMA foreign_keys = OFF; INSERT INTO run_tags (run_id, tag) \
            VALUES ('run-none', 'x')",
        );
    });
    broken("audit", db, "entry 1 is not what was recorded", "compare with a backup", |folder| {
        database(&folder.join(db));
        sql(&folder.join(db), "UPDATE audit SET who = 'eve'");
    });
    broken("readable", db, "is readable by all users", "chmod o-rwx", |folder| {
        database(&folder.join(db));
        fs::set_permissions(folder.join(db), fs::Permissions::from_mode(0o644)).unwrap();
    });
}

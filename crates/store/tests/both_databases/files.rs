//! Files that are no stores, or not ours.

use std::path::Path;

use assize_store::{Store, StoreError};

#[tokio::test]
async fn a_file_that_is_something_else_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    let text = "Buy milk. ".repeat(500);
    std::fs::write(&path, &text).unwrap();
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(error, StoreError::NotAStore(_)), "{error:?}");
    assert!(error.to_string().contains("is not an Assize database"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

/// Also one whose program keeps its steps as we do.
#[tokio::test]
async fn a_database_of_another_program_is_refused_without_a_change() {
    let folder = tempfile::tempdir().unwrap();
    for (name, tables) in [
        ("notes.db", "CREATE TABLE notes (text TEXT)"),
        (
            "other.db",
            "CREATE TABLE _sqlx_migrations (version INTEGER, description TEXT); \
             INSERT INTO _sqlx_migrations VALUES (1, 'create notes')",
        ),
    ] {
        let path = folder.path().join(name);
        let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
        let options = options.create_if_missing(true);
        let mut connection = sqlx::ConnectOptions::connect(&options).await.unwrap();
        sqlx::raw_sql(tables).execute(&mut connection).await.unwrap();
        sqlx::Connection::close(connection).await.unwrap();
        let before = std::fs::read(&path).unwrap();
        for error in [
            Store::open(&path).await.unwrap_err(),
            Store::migrate(&path).await.unwrap_err(),
            Store::version(&path).await.unwrap_err(),
        ] {
            assert!(matches!(error, StoreError::NotAStore(_)), "{error:?}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), before, "{name}");
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert!(left.iter().all(|file| file.path().extension().unwrap() == "db"), "{left:?}");
    }
}

#[tokio::test]
async fn an_address_of_another_kind_of_database_is_refused_without_its_password() {
    let error = Store::open("mysql://root:hunter2@localhost/assize").await.unwrap_err();
    assert!(error.to_string().contains("`mysql` databases are not supported"), "{error}");
    assert!(!format!("{error:?}").contains("hunter2"));
    assert!(!std::path::Path::new("mysql:").exists());
}

#[tokio::test]
async fn a_folder_that_does_not_exist_is_named() {
    let error = Store::open(Path::new("no/such/folder/assize.db")).await.unwrap_err();
    assert_eq!(error.to_string(), "could not open the database no/such/folder/assize.db");
}

#[tokio::test]
async fn a_store_of_a_newer_program_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("assize.db");
    Store::open(&path).await.unwrap().close().await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    let mut connection = sqlx::ConnectOptions::connect(&options).await.unwrap();
    sqlx::query(
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (999, 'from the future', TRUE, x'00', 0)",
    )
    .execute(&mut connection)
    .await
    .unwrap();
    let error = Store::open(&path).await.unwrap_err().to_string();
    assert!(error.contains("may be from a newer version"), "{error}");
}

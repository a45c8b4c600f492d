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
    assert!(error.to_string().contains("is not a store of ours"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[tokio::test]
async fn a_folder_that_does_not_exist_is_named() {
    let error = Store::open(Path::new("no/such/folder/assize.db")).await.unwrap_err();
    assert_eq!(error.to_string(), "the store no/such/folder/assize.db could not be opened");
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
    assert!(error.contains("is it a newer store?"), "{error}");
}

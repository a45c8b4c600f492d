//! Statements past the store, to see what is really in the tables.

use assize_store::Place;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor};

/// A connection of our own.
pub(crate) enum Raw {
    Sqlite(SqliteConnection),
    Postgres(PgConnection),
}

impl Raw {
    pub(crate) async fn connect(place: &Place) -> Self {
        match place {
            Place::Sqlite(path) => {
                let options = SqliteConnectOptions::new().filename(path);
                Self::Sqlite(options.connect().await.unwrap())
            }
            Place::Postgres(url) => {
                let options: PgConnectOptions = url.parse().unwrap();
                Self::Postgres(options.connect().await.unwrap())
            }
        }
    }

    /// Several statements, divided by `;`.
    pub(crate) async fn execute(&mut self, sql: &str) {
        let sql = sqlx::raw_sql(AssertSqlSafe(sql.to_owned()));
        match self {
            Self::Sqlite(connection) => drop(connection.execute(sql).await.unwrap()),
            Self::Postgres(connection) => drop(connection.execute(sql).await.unwrap()),
        }
    }

    /// From now on nobody looks at what belongs to what.
    pub(crate) async fn without_looking(&mut self) {
        let sql = match self {
            Self::Sqlite(_) => "PRAGMA foreign_keys = OFF",
            Self::Postgres(_) => "SET session_replication_role = replica",
        };
        self.execute(sql).await;
    }

    /// The first column, as texts.
    pub(crate) async fn texts(&mut self, sql: &str) -> Vec<String> {
        let sql = AssertSqlSafe(sql.to_owned());
        match self {
            Self::Sqlite(connection) => {
                sqlx::query_scalar(sql).fetch_all(connection).await.unwrap()
            }
            Self::Postgres(connection) => {
                sqlx::query_scalar(sql).fetch_all(connection).await.unwrap()
            }
        }
    }
}

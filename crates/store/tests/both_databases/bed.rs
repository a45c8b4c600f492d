//! A place for one test, in either database.

use assize_store::{Place, Store};
use assize_testbed::Postgres;
use tempfile::TempDir;

/// An empty place.
pub(crate) struct Bed {
    pub(crate) place: Place,
    _folder: Option<TempDir>,
}

impl Bed {
    pub(crate) fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::Sqlite(folder.path().join("assize.db"));
        Self { place, _folder: Some(folder) }
    }

    pub(crate) fn postgres() -> Self {
        Self { place: Place::from(Postgres::shared().database()), _folder: None }
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.place).await.unwrap()
    }
}

/// The same test on both databases.
macro_rules! on_both {
    ($($(#[$doc:meta])* async fn $name:ident($bed:ident) $body:block)*) => {$(
        $(#[$doc])*
        mod $name {
            use super::*;

            async fn check($bed: $crate::bed::Bed) $body

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_sqlite() {
                check($crate::bed::Bed::sqlite()).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn on_postgres() {
                check($crate::bed::Bed::postgres()).await;
            }
        }
    )*};
}
pub(crate) use on_both;

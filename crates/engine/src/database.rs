//! Looking after the database: versions, migration, a check, export and import, and taking away
//! what must not be kept longer.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

pub use assize_store::adopt::{Adopted, FoundTable, ORIGIN};
pub use assize_store::retention::{Erased, Retention, Swept};
pub use assize_store::{Checked, Migrated, Place, StoreError};

use assize_store::retention::By;
use assize_store::{DocumentId, OrganisationId, Store, private_file};
use async_recursion::async_recursion as boxed;
use chrono::Utc;

use crate::{Workspace, postgres_tools};

/// How many rows each table has.
pub type Rows = BTreeMap<&'static str, u64>;

/// The version of the tables, and the version that this program needs. A database that is not
/// there is at 0.
#[boxed]
pub async fn versions(place: &Place) -> Result<(i64, i64), StoreError> {
    let version = match Store::version(place).await {
        Err(StoreError::Missing { .. }) => 0,
        version => version?,
    };
    Ok((version, Store::latest_version()))
}

/// Brings the tables up to date.
#[boxed]
pub async fn migrate(place: &Place) -> Result<Migrated, StoreError> {
    Store::migrate(place).await
}

/// Takes over a database of the program that the compliance tables come from; a trial changes
/// nothing and says what it would do.
#[boxed]
pub async fn adopt(place: &Place, is_trial: bool) -> Result<Adopted, StoreError> {
    Store::adopt(place, is_trial).await
}

/// Looks whether everything is sound.
#[boxed]
pub async fn check(place: &Place) -> Result<Checked, StoreError> {
    let store = Store::open_to_read(place).await?;
    let checked = store.check().await;
    store.close().await;
    checked
}

/// Copies a database to a file while others use it, and looks whether the copy is sound. Returns
/// how many rows it has; of a copy that PostgreSQL's own program made, nobody knows.
#[boxed]
pub async fn backup(place: &Place, to: &Path) -> Result<Option<u64>, StoreError> {
    if let Place::Postgres(url) = place {
        // A server that does not answer is told as everywhere.
        Store::version(place).await?;
        private_file(to).map_err(|error| {
            StoreError::Refused(format!("{} cannot be written: {error}", to.display()))
        })?;
        return postgres_tools::dump(url, to).map(|()| None).inspect_err(|_| {
            // What is left is no copy of anything.
            let _ = std::fs::remove_file(to);
        });
    }
    let store = Store::open_existing(place).await?;
    let copied = store.backup(to).await;
    store.close().await;
    copied?;
    sound(&Place::from(to)).await.map(Some)
}

/// Brings a backup back to a place where nothing is. Returns how many rows it has.
#[boxed]
pub async fn restore(place: &Place, from: &Path) -> Result<u64, StoreError> {
    let to = match place {
        Place::Sqlite(to) => to,
        Place::Postgres(url) => {
            if Store::version(place).await? != 0 {
                let because = "there are tables already: restore into an empty database";
                return Err(StoreError::Refused(because.to_owned()));
            }
            postgres_tools::restore(url, from)?;
            return sound(place).await;
        }
    };
    if to.exists() {
        let because = format!("{} already exists: move it away first", to.display());
        return Err(StoreError::Refused(because));
    }
    sound(&Place::from(from)).await?;
    // Under another name first: half a copy is never taken for the database.
    let half = to.with_extension("restoring");
    let _ = std::fs::remove_file(&half);
    io::copy(&mut File::open(from)?, &mut private_file(&half)?)?;
    std::fs::rename(&half, to)?;
    sound(place).await
}

async fn sound(place: &Place) -> Result<u64, StoreError> {
    let checked = check(place).await?;
    match checked.findings.first() {
        None => Ok(checked.rows),
        Some(finding) => {
            Err(StoreError::Refused(format!("{place} failed the integrity check: {finding}")))
        }
    }
}

/// Writes everything as lines of JSON.
#[boxed]
pub async fn export(place: &Place, to: &mut (dyn Write + Send)) -> Result<Rows, StoreError> {
    let store = Store::open_to_read(place).await?;
    let rows = store.export(to).await;
    store.close().await;
    rows
}

/// Reads everything from lines of JSON into a store that is empty or not yet made.
#[boxed]
pub async fn import(place: &Place, from: &mut (dyn BufRead + Send)) -> Result<Rows, StoreError> {
    let store = Store::open(place).await?;
    let rows = store.import(from).await;
    store.close().await;
    rows
}

/// Removes requests and replies that are older than this, and notes who did. Returns how many.
#[boxed]
pub async fn prune(place: &Place, age: Duration, who: &str) -> Result<u64, StoreError> {
    let store = Store::open_existing(place).await?;
    let organisation = &OrganisationId::default_organisation();
    let pruned = store.prune_exchanges(age, By { organisation, who, at: Utc::now() }).await;
    store.close().await;
    pruned
}

/// Removes everything a document said, and notes who did; scores stay.
#[boxed]
pub async fn erase(place: &Place, document: &str, who: &str) -> Result<Erased, StoreError> {
    let store = Store::open_existing(place).await?;
    let organisation = &OrganisationId::default_organisation();
    let by = By { organisation, who, at: Utc::now() };
    let erased = store.erase_document(&DocumentId::from(document), by).await;
    store.close().await;
    erased
}

/// Takes away what any organisation keeps no longer. Returns how much that was.
pub async fn sweep(store: &Store) -> Result<Swept, StoreError> {
    let mut all = Swept::default();
    for one in store.organisations().list().await? {
        let by = By { organisation: &one.id, who: "retention", at: Utc::now() };
        let swept = store.sweep(by).await?;
        all.runs += swept.runs;
        all.documents += swept.documents;
    }
    Ok(all)
}

impl Workspace {
    /// How long the organisation keeps what is over.
    pub async fn retention(&self) -> Result<Retention, StoreError> {
        self.store.retention(&self.organisation).await
    }

    /// Changes it; nothing is taken away yet.
    pub async fn set_retention(&self, retention: Retention) -> Result<(), StoreError> {
        let by = By { organisation: &self.organisation, who: &self.who, at: Utc::now() };
        self.store.set_retention(retention, by).await
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[tokio::test]
    async fn only_their_owner_can_read_copies() {
        let folder = tempfile::tempdir().unwrap();
        let [first, copy, again] = ["a.db", "b.db", "c.db"].map(|name| folder.path().join(name));
        let store = Store::open(&first).await.unwrap();
        store.backup(&copy).await.unwrap();
        assert!(store.backup(&copy).await.is_err(), "nothing is overwritten");
        store.close().await;
        restore(&Place::from(&again), &copy).await.unwrap();
        for path in [copy, again] {
            let mode = std::fs::metadata(&path).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{}", path.display());
        }
    }
}

//! The database: whether it is there, ours, up to date, sound, and private.

use std::path::Path;

use assize_store::{Flaw, Place, Store, StoreError};

use super::{Condition, Finding};
use crate::EngineError;

/// Looks at the database, from the outside in; what lies behind a fault is not looked at.
pub(super) async fn examine(place: &Place) -> Vec<Finding> {
    // An address of another kind of database looks like a file; opening it says what it is.
    let is_file = |path: &Path| !path.to_string_lossy().contains("://");
    if let Place::Sqlite(path) = place
        && is_file(path)
        && let Some(finding) = file(path)
    {
        return vec![finding];
    }
    let version = match Store::version(place).await {
        Ok(version) => version,
        Err(error) => return vec![unopened(&error)],
    };
    let wanted = Store::latest_version();
    if version != wanted {
        return vec![other_version(place, version, wanted)];
    }
    let mut findings = Vec::new();
    match Store::open_to_read(place).await {
        Err(error) => findings.push(unopened(&error)),
        Ok(store) => {
            findings.push(sound(&store).await);
            findings.extend(audit(&store).await);
            store.close().await;
        }
    }
    if let Place::Sqlite(path) = place {
        findings.extend(readable_by_others(path));
    }
    findings
}

/// What is wrong with the place of a file before it is opened.
fn file(path: &Path) -> Option<Finding> {
    let bad = |message: String, advice| {
        Some(Finding::bad("database", Condition::Broken, message, advice))
    };
    if path.is_dir() {
        let message = format!("{} is a folder", path.display());
        return bad(message, "give a file: the database is a single file");
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder
        && !folder.is_dir()
    {
        let message = format!("no such folder: {}", folder.display());
        return bad(message, "create the folder, or use a file in another one");
    }
    if path.exists() {
        return None;
    }
    let folder = folder.unwrap_or_else(|| Path::new("."));
    match tempfile::tempfile_in(folder) {
        Ok(_) => Some(Finding::fine("database", "does not exist yet; it is created when needed")),
        Err(error) => bad(
            format!("cannot write to {}: {error}", folder.display()),
            "make the folder writable for this user, or use a file in another one",
        ),
    }
}

fn unopened(error: &StoreError) -> Finding {
    let message = EngineError::of(error).message;
    let advice = match error {
        StoreError::Scheme { .. } => "use a SQLite file or postgres://USER@HOST/NAME",
        StoreError::NotAStore(_) => "use a different file; this one was not changed",
        StoreError::Foreign { .. } => "use the program that created it, or another database",
        StoreError::Unopened { place: Place::Postgres(_), .. } => match error.refusal() {
            Some(_) => EngineError::of(error).hint.unwrap_or_default(),
            None => {
                "check host, port, user and password, and that PostgreSQL is running and \
                 listening there"
            }
        },
        _ => "check the path, its permissions and the disk, then run `assize db check`",
    };
    Finding::bad("database", Condition::Broken, message, advice)
}

fn other_version(place: &Place, version: i64, wanted: i64) -> Finding {
    if version == 0 {
        let message = "is empty; its tables are created by the first command that writes";
        return Finding::fine("database", message);
    }
    if version < Store::first_version() {
        let message = "it was made by an unreleased build and cannot be upgraded".to_owned();
        let advice = "export what you need with that build, and start a new database";
        return Finding::bad("database", Condition::Broken, message, advice);
    }
    let message = format!("the schema version is {version}, this program needs {wanted}");
    let advice = match place {
        _ if version > wanted => {
            "it was created by a newer version: upgrade assize, or use another database"
        }
        Place::Sqlite(_) => "make a backup (`assize db backup`), then run `assize db migrate`",
        Place::Postgres(_) => "make a backup (`pg_dump`), then run `assize db migrate`",
    };
    Finding::bad("database", Condition::Broken, message, advice)
}

async fn sound(store: &Store) -> Finding {
    let advice = "restore the last backup (`assize db restore`), and check the disk";
    let broken = |message| Finding::bad("database", Condition::Broken, message, advice);
    match store.check().await {
        Ok(checked) if checked.findings.is_empty() => Finding::fine(
            "database",
            format!("ok; schema version {}, {} rows", checked.version, checked.rows),
        ),
        Ok(checked) => broken(format!("integrity check failed: {}", checked.findings.join("; "))),
        Err(error) => broken(EngineError::of(&error).message),
    }
}

async fn audit(store: &Store) -> Option<Finding> {
    let advice = "the table was changed by another program: compare with a backup, and find out \
        who has write access";
    for organisation in store.organisations().list().await.ok()? {
        let flaw = store.audit().verify(&organisation.id).await.ok()?.flaw;
        let message = match flaw {
            None => continue,
            Some(Flaw::Missing(place)) => format!("entry {place} is missing"),
            Some(Flaw::Changed(place)) => format!("entry {place} is not what was recorded"),
            Some(Flaw::End { head, last }) => {
                format!("it ends with entry {last} instead of {head}")
            }
        };
        let message = format!("{}: {message}", organisation.name);
        return Some(Finding::bad("audit", Condition::Broken, message, advice));
    }
    Some(Finding::fine("audit", "unbroken"))
}

/// Documents under evaluation are seldom for everybody on the machine.
#[cfg(unix)]
fn readable_by_others(path: &Path) -> Option<Finding> {
    use std::os::unix::fs::PermissionsExt;
    let mode = path.metadata().ok()?.permissions().mode() & 0o777;
    let of_others = mode & 0o007;
    if of_others == 0 {
        return Some(Finding::fine("permissions", format!("mode {mode:03o}")));
    }
    let message =
        format!("{} is readable by all users of this machine (mode {mode:03o})", path.display());
    let advice = "remove the access of other users: chmod o-rwx FILE";
    Some(Finding::bad("permissions", Condition::Warning, message, advice))
}

#[cfg(not(unix))]
fn readable_by_others(_: &Path) -> Option<Finding> {
    None
}

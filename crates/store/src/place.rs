//! Where a store is: a file, or a PostgreSQL server.

use std::fmt::{Display, Formatter};
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// A file for SQLite, or the address of a PostgreSQL database.
///
/// ```
/// use assize_store::Place;
///
/// assert_eq!(Place::from("assize.db").to_string(), "assize.db");
/// assert_eq!(Place::from("sqlite:assize.db").to_string(), "assize.db");
/// let place = Place::from("postgres://ada:secret@db.example/assize?sslmode=require");
/// assert_eq!(place.to_string(), "postgres://ada@db.example/assize");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub enum Place {
    /// A file.
    Sqlite(PathBuf),
    /// An address that begins with `postgres://` or `postgresql://`; it may hold a password.
    Postgres(String),
}

/// Makes a file that only its owner may read: a database holds everything there is. One that is
/// there already is refused.
pub fn private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

impl From<&str> for Place {
    fn from(text: &str) -> Self {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return Self::Postgres(text.to_owned());
        }
        let file = text.strip_prefix("sqlite:").unwrap_or(text);
        Self::Sqlite(PathBuf::from(file.strip_prefix("//").unwrap_or(file)))
    }
}

impl From<String> for Place {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&String> for Place {
    fn from(text: &String) -> Self {
        Self::from(text.as_str())
    }
}

impl From<&Path> for Place {
    fn from(path: &Path) -> Self {
        path.to_str().map_or_else(|| Self::Sqlite(path.to_owned()), Self::from)
    }
}

impl From<&PathBuf> for Place {
    fn from(path: &PathBuf) -> Self {
        Self::from(path.as_path())
    }
}

impl From<&Place> for Place {
    fn from(place: &Place) -> Self {
        place.clone()
    }
}

/// Without password and parameters: what is shown ends in logs.
impl Display for Place {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(path) => formatter.write_str(&without_secrets(&path.to_string_lossy())),
            Self::Postgres(url) => formatter.write_str(&without_secrets(url)),
        }
    }
}

impl std::fmt::Debug for Place {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Place({self})")
    }
}

impl Place {
    /// The scheme of an address that was taken for a file: there is no such database here.
    pub(crate) fn unknown_scheme(&self) -> Option<&str> {
        let Self::Sqlite(path) = self else { return None };
        Some(path.to_str()?.split_once("://")?.0)
    }
}

fn without_secrets(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    match rest.rsplit_once('@') {
        Some((user, host)) => {
            let user = user.split(':').next().unwrap_or_default();
            format!("{scheme}://{user}@{host}")
        }
        None => format!("{scheme}://{rest}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_never_shown() {
        let place = Place::from("postgresql://ada:p@ss:word@host:5433/db?password=hidden");
        assert_eq!(format!("{place} {place:?}").matches("ss").count(), 0, "{place}");
        assert_eq!(place.to_string(), "postgresql://ada@host:5433/db");
    }

    #[test]
    fn an_address_of_another_database_is_told_by_its_scheme_and_shows_no_password() {
        let place = Place::from("mysql://root:hunter2@host/db?password=hunter2");
        assert_eq!(place.unknown_scheme(), Some("mysql"));
        assert_eq!(format!("{place} {place:?}").matches("hunter2").count(), 0, "{place}");
        for ours in ["assize.db", "sqlite:///data/a#1.db", "postgres://h/d", "C:\\a.db"] {
            assert_eq!(Place::from(ours).unknown_scheme(), None, "{ours}");
        }
        assert_eq!(Place::from("a#1.db").to_string(), "a#1.db");
    }

    #[test]
    fn a_path_that_is_an_address_is_taken_as_one() {
        assert!(matches!(Place::from(Path::new("postgres://h/d")), Place::Postgres(_)));
        assert_eq!(Place::from("sqlite:///data/a.db"), Place::Sqlite("/data/a.db".into()));
    }
}

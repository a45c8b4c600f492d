//! Which providers there are, and what their models cost: `assize.toml`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use assize_models::{Catalogue, CatalogueError, Endpoint, EndpointError, Endpoints, Variables};
use serde::Deserialize;
use thiserror::Error;

/// The file that is read when none is named, if it is there.
pub const FILE: &str = "assize.toml";

/// Providers and prices.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who can be asked.
    pub endpoints: Endpoints,
    /// What it costs.
    pub catalogue: Catalogue,
}

/// Why a configuration was refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file could not be read.
    #[error("{} could not be read", .0.display())]
    Unreadable(PathBuf, #[source] io::Error),
    /// It is not what we understand.
    #[error("{}: {source}", .path.display())]
    Syntax {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: toml::de::Error,
    },
    /// The prices are not.
    #[error("{}: the prices cannot be understood", .path.display())]
    Prices {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: CatalogueError,
    },
    /// An endpoint is not.
    #[error(transparent)]
    Endpoint(#[from] EndpointError),
}

/// The part of the file that is about models; the rest is somebody else's.
#[derive(Debug, Default, Deserialize)]
struct Written {
    #[serde(default)]
    endpoints: BTreeMap<String, Endpoint>,
    /// A file with prices, beside this one unless its path is absolute.
    prices: Option<PathBuf>,
}

impl Config {
    /// The file that is named, or `assize.toml` in the current folder if there is one; and
    /// endpoints that the caller names, which go before those of the file. Keys are looked up
    /// in `variables`.
    pub fn load(
        path: Option<&Path>,
        named: &[(String, String)],
        variables: Variables,
    ) -> Result<Self, ConfigError> {
        let default = Path::new(FILE);
        let path = path.or_else(|| default.exists().then_some(default));
        let (mut written, folder) = match path {
            Some(path) => (read(path)?, path.parent().unwrap_or(Path::new(""))),
            None => (Written::default(), Path::new("")),
        };
        for (name, url) in named {
            written.endpoints.insert(name.clone(), Endpoint::open(url));
        }
        let mut catalogue = Catalogue::built_in();
        if let Some(prices) = &written.prices {
            let path = folder.join(prices);
            catalogue = catalogue
                .with(&text(&path)?)
                .map_err(|source| ConfigError::Prices { path, source })?;
        }
        let endpoints = Endpoints::default().reading(variables).with(written.endpoints)?;
        Ok(Self { endpoints, catalogue })
    }
}

fn read(path: &Path) -> Result<Written, ConfigError> {
    toml::from_str(&text(path)?)
        .map_err(|source| ConfigError::Syntax { path: path.to_owned(), source })
}

fn text(path: &Path) -> Result<String, ConfigError> {
    fs::read_to_string(path).map_err(|error| ConfigError::Unreadable(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_and_prices_come_from_the_file_and_the_caller_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        let other = "[endpoints.hub]\nbase_url = 'http://127.0.0.1:1/v1'\n";
        fs::write(&path, format!("prices = 'prices.toml'\n[store]\nx = 1\n{other}")).unwrap();
        let prices = "[[model]]\nname = 'hub/*'\ninput = 1\noutput = 2\n";
        fs::write(folder.path().join("prices.toml"), prices).unwrap();
        let named = [("hub".to_owned(), "http://127.0.0.1:2/v1".to_owned())];
        let config = Config::load(Some(&path), &named, Variables::default()).unwrap();
        assert_eq!(config.endpoints.get("hub").unwrap().base_url, "http://127.0.0.1:2/v1/");
        assert!(config.catalogue.price(&"hub/any".parse().unwrap()).is_some());
    }

    #[test]
    fn a_misspelt_field_is_named_with_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        fs::write(&path, "[endpoints.hub]\nbase_ulr = 'x'\n").unwrap();
        let error = Config::load(Some(&path), &[], Variables::default()).unwrap_err().to_string();
        assert!(error.contains("base_ulr") && error.contains("assize.toml"), "{error}");
    }
}

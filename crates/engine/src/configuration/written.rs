//! The whole of `assize.toml`, typed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use assize_models::{Catalogue, Endpoint, Limit, StatedPrice, Variables};
use serde::Deserialize;

use super::error::ConfigError;
use super::find::find;
use super::serve::ServeTable;
use crate::council::CouncilRequest;

/// The variable that names the folder of readers.
pub(super) const READERS_VARIABLE: &str = "ASSIZE_READERS";

/// What a file says; nothing, where there is none.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Written {
    /// Where everything is kept: a file, or the address of a server.
    pub database: Option<String>,
    /// How models are asked.
    pub models: ModelsTable,
    /// What happens to results.
    pub run: RunTable,
    /// Who can be asked, beside those that ship.
    pub endpoints: BTreeMap<String, Endpoint>,
    /// A table of prices by model, or the name of a file with them, beside this one unless its
    /// path is absolute.
    prices: Option<toml::Value>,
    /// Models of this machine that judges read with.
    pub readers: ReadersTable,
    /// What a council goes by.
    pub council: CouncilRequest,
    /// How `serve` lets people in.
    pub serve: ServeTable,
    /// What `check` looks at; it reads this itself.
    check: Option<toml::Value>,
    /// The file it comes from.
    #[serde(skip)]
    pub path: Option<PathBuf>,
}

/// How models are asked.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelsTable {
    budget: Option<String>,
    /// How many requests each provider gets at once.
    pub concurrency: Option<usize>,
    reply_timeout_seconds: Option<u64>,
}

/// What happens to results.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RunTable {
    /// Whether results are kept as runs without being asked to.
    pub save: Option<bool>,
}

/// Models of this machine that judges read with.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadersTable {
    /// The model that finds statements: the name of an installed one, or the path of a folder.
    pub encoder: Option<String>,
    /// The model that decides entailment: the name of an installed one, or the path of a folder.
    pub entailment: Option<String>,
    /// Where readers are installed.
    pub folder: Option<PathBuf>,
    /// Where they are fetched from.
    pub hub: Option<String>,
    /// The largest model that is opened.
    pub megabytes_max: Option<u64>,
}

impl Written {
    /// The file that is named, or the one that is found.
    pub fn load(named: Option<&Path>, variables: &Variables) -> Result<Self, ConfigError> {
        let Some(path) = find(named, variables) else { return Ok(Self::default()) };
        let text = text(&path)?;
        let written: Self =
            toml::from_str(&text).map_err(|source| ConfigError::syntax(&path, source))?;
        let written = Self { path: Some(path), ..written };
        written.budget()?;
        if written.models.concurrency == Some(0) {
            let problem = "0 requests at once would never ask anything; give 1 or more".to_owned();
            return Err(written.refused("models.concurrency", problem));
        }
        Ok(written)
    }

    /// What may be spent on one command, unless the caller says.
    pub fn budget(&self) -> Result<Option<Limit>, ConfigError> {
        let read = |text: &String| {
            text.parse::<Limit>()
                .map_err(|problem| self.refused("models.budget", problem.to_string()))
        };
        self.models.budget.as_ref().map(read).transpose()
    }

    fn refused(&self, key: &'static str, problem: String) -> ConfigError {
        ConfigError::Value { path: self.path.clone().unwrap_or_default(), key, problem }
    }

    /// Where models of this machine are installed: where the variable says, else the file, else where
    /// this user's data is.
    pub(crate) fn readers_folder(&self, variables: &Variables) -> Option<PathBuf> {
        let place = |name: &str, below: &str| {
            let value = variables.get(name).filter(|value| !value.is_empty())?;
            Some(PathBuf::from(value).join(below))
        };
        let places = [
            place(READERS_VARIABLE, ""),
            self.readers.folder.clone(),
            place("XDG_DATA_HOME", "assize/readers"),
            place("LOCALAPPDATA", "assize/readers"),
            place("HOME", ".local/share/assize/readers"),
        ];
        places.into_iter().flatten().next()
    }

    /// How long a reply may take, unless the caller says.
    pub fn reply_timeout(&self) -> Option<Duration> {
        self.models.reply_timeout_seconds.map(Duration::from_secs)
    }

    /// The prices that ship, under those of the file.
    pub fn catalogue(&self) -> Result<Catalogue, ConfigError> {
        let shipped = Catalogue::built_in();
        let Some(prices) = &self.prices else { return Ok(shipped) };
        let path = self.path.clone().unwrap_or_default();
        if let toml::Value::String(file) = prices {
            let path = path.parent().unwrap_or(Path::new("")).join(file);
            return shipped
                .with(&text(&path)?)
                .map_err(|source| ConfigError::Prices { path, source });
        }
        let table: BTreeMap<String, StatedPrice> =
            prices.clone().try_into().map_err(|source| ConfigError::syntax(&path, source))?;
        shipped.with_prices(table).map_err(|source| ConfigError::Prices { path, source })
    }
}

fn text(path: &Path) -> Result<String, ConfigError> {
    fs::read_to_string(path).map_err(|error| ConfigError::Unreadable(path.to_owned(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str) -> Result<Written, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        fs::write(&path, text).unwrap();
        let prices = "[[model]]\nname = 'hub/*'\ninput = 1\noutput = 2\n";
        fs::write(folder.path().join("prices.toml"), prices).unwrap();
        let written = Written::load(Some(&path), &Variables::default())?;
        written.catalogue()?;
        written.budget()?;
        Ok(written)
    }

    #[test]
    fn every_table_is_read_and_prices_go_before_those_that_ship() {
        let written = load(
            "database = 'a.db'\n[models]\nbudget = '2usd'\nconcurrency = 4\n\
             reply_timeout_seconds = 9\n[run]\nsave = true\n[council]\nquorum = 3\n\
             [prices]\n'openai/gpt-4o*' = { input = 1.0, output = 2.0 }\n\
             [[check]]\nname = 'x'\n",
        )
        .unwrap();
        assert_eq!(written.budget().unwrap().unwrap().to_string(), "$2.00");
        assert_eq!(written.reply_timeout(), Some(Duration::from_secs(9)));
        let price = written.catalogue().unwrap().price(&"openai/gpt-4o".parse().unwrap()).unwrap();
        assert_eq!(price.a_million().map(|money| money.to_string()), ["$1.00", "$1.00", "$2.00"]);
    }

    #[test]
    fn a_misspelt_key_is_refused_anywhere_with_the_nearest_name() {
        for (text, meant) in [
            ("databse = 'a'", "database"),
            ("[modls]\n", "models"),
            ("[models]\nbugdet = '1usd'", "budget"),
            ("[readers]\nentailmnt = 'nli-xsmall'", "entailment"),
            ("[council]\nqorum = 3", "quorum"),
            ("[serve.oidc]\nisuer = 'x'", "issuer"),
            ("[endpoints.hub]\nbase_ulr = 'x'", "base_url"),
            ("[prices]\n'a/b' = { inptu = 1.0, output = 2.0 }", "input"),
        ] {
            let error = load(text).unwrap_err().to_string();
            assert!(error.contains(&format!("did you mean `{meant}`?")), "{text}: {error}");
            assert!(error.contains("assize.toml"), "{error}");
        }
    }

    #[test]
    fn a_budget_that_is_none_is_refused_with_its_key() {
        let error = load("[models]\nbudget = 'much'").unwrap_err().to_string();
        assert!(error.contains("models.budget") && error.contains("`much`"), "{error}");
    }

    #[test]
    fn what_any_command_refuses_is_refused_when_the_file_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        for (text, key) in [
            ("[models]\nbudget = 'five'", "models.budget"),
            ("[models]\nconcurrency = 0", "models.concurrency"),
        ] {
            fs::write(&path, text).unwrap();
            let error = Written::load(Some(&path), &Variables::default()).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
        fs::write(&path, "[models]\nconcurrency = 1").unwrap();
        assert!(Written::load(Some(&path), &Variables::default()).is_ok());
    }

    #[test]
    fn a_file_of_prices_is_found_beside_the_configuration() {
        assert!(load("prices = 'prices.toml'").is_ok());
        assert!(load("prices = 'absent.toml'").is_err());
    }
}

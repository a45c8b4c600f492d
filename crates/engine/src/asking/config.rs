//! Which providers there are, and what their models cost.

use std::path::{Path, PathBuf};

use assize_models::{Catalogue, Endpoint, Endpoints, Price, Variables};
use assize_wire::models as shape;

pub use crate::configuration::ConfigError;
use crate::configuration::Written;

/// Providers and prices.
#[derive(Debug, Clone)]
pub struct Config {
    /// Who can be asked.
    pub endpoints: Endpoints,
    /// What it costs.
    pub catalogue: Catalogue,
    /// Where models of this machine are installed.
    pub readers_folder: Option<PathBuf>,
}

impl Config {
    /// Those of the file that is named or found, and endpoints that the caller names, which go
    /// before those of the file. Keys are looked up in `variables`.
    pub fn load(
        path: Option<&Path>,
        named: &[(String, String)],
        variables: Variables,
    ) -> Result<Self, ConfigError> {
        Self::new(&Written::load(path, &variables)?, named, variables)
    }

    /// Those of a file that was read already.
    pub fn new(
        written: &Written,
        named: &[(String, String)],
        variables: Variables,
    ) -> Result<Self, ConfigError> {
        let mut endpoints = written.endpoints.clone();
        for (name, url) in named {
            // Its key stays where it belongs; what the server bears is the same by any address.
            let limits = endpoints.remove(name).map(|earlier| earlier.limits).unwrap_or_default();
            endpoints.insert(name.clone(), Endpoint { limits, ..Endpoint::open(url) });
        }
        let readers_folder = written.readers_folder(&variables);
        let endpoints = Endpoints::default().reading(variables).with(endpoints)?;
        let catalogue = written.catalogue()?;
        Ok(Self { endpoints, catalogue, readers_folder })
    }

    /// Who can be asked at what price. Whether a key is needed is told, never the key.
    pub fn to_wire(&self) -> shape::Models {
        let provider = |(name, endpoint): (&str, &Endpoint)| shape::Provider {
            name: name.to_owned(),
            address: endpoint.shown_url(),
            needs_key: endpoint.key_variable.is_some() || endpoint.key_file.is_some(),
        };
        let price = |(name, price, as_of): (&str, Price, Option<&str>)| {
            let [input, cached, output] = price.a_million().map(|money| money.exact());
            let (model, as_of) = (name.to_owned(), as_of.map(ToOwned::to_owned));
            shape::Price { model, input, cached, output, as_of }
        };
        shape::Models {
            providers: self.endpoints.iter().map(provider).collect(),
            prices: self.catalogue.lines().map(price).collect(),
            readers: self.readers(),
        }
    }
}

/// Models of this machine, which only some builds can run.
impl Config {
    #[cfg(feature = "readers")]
    fn readers(&self) -> Vec<shape::LocalModel> {
        let folder = self.readers_folder.clone();
        folder.map(|folder| crate::readers::shelf::Shelf::at(folder).to_wire()).unwrap_or_default()
    }

    #[cfg(not(feature = "readers"))]
    fn readers(&self) -> Vec<shape::LocalModel> {
        Vec::new()
    }
}

impl Default for Config {
    /// The built-in providers and prices, and no keys.
    fn default() -> Self {
        let (endpoints, catalogue) = (Endpoints::default(), Catalogue::built_in());
        Self { endpoints, catalogue, readers_folder: None }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn endpoints_and_prices_come_from_the_file_and_the_caller_goes_first() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        let other = "[endpoints.hub]\nbase_url = 'http://127.0.0.1:1/v1'\n";
        fs::write(&path, format!("prices = 'prices.toml'\n{other}")).unwrap();
        let prices = "[[model]]\nname = 'hub/*'\ninput = 1\noutput = 2\n";
        fs::write(folder.path().join("prices.toml"), prices).unwrap();
        let named = [("hub".to_owned(), "http://127.0.0.1:2/v1".to_owned())];
        let config = Config::load(Some(&path), &named, Variables::default()).unwrap();
        assert_eq!(config.endpoints.get("hub").unwrap().base_url, "http://127.0.0.1:2/v1/");
        assert!(config.catalogue.price(&"hub/any".parse().unwrap()).is_some());
    }

    #[test]
    fn a_key_in_an_address_is_shown_to_nobody() {
        let named = [("hub".to_owned(), "https://hub.example/v1?key=sk-2".to_owned())];
        let config = Config::load(None, &named, Variables::default()).unwrap();
        let providers = config.to_wire().providers;
        let hub = providers.iter().find(|provider| provider.name == "hub").unwrap();
        assert_eq!(hub.address, "https://hub.example/v1/?…");
    }
}

//! Providers that the configuration names: whether they can be reached, and have their keys.

use std::time::Duration;

use assize_models::{Endpoint, Variables};
use tokio::net::TcpStream;
use tokio::time;

use super::{Condition, Finding};
use crate::asking::Config;
use crate::configuration::Written;

/// How long a provider may take to be reached.
const PATIENCE: Duration = Duration::from_secs(3);

/// Looks at the providers of the file. The built-in ones are looked at only where their key is
/// set: who does not use one need not hear of it.
pub(super) async fn examine(
    written: &Written,
    config: &Config,
    variables: &Variables,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, endpoint) in config.endpoints.iter() {
        let is_named = written.endpoints.contains_key(name);
        let key = endpoint.key_variable.as_deref();
        let is_set = key.is_some_and(|variable| variables.get(variable).is_some());
        if is_named || is_set {
            findings.push(provider(name, endpoint, variables).await);
        }
    }
    findings
}

async fn provider(name: &str, endpoint: &Endpoint, variables: &Variables) -> Finding {
    let part = format!("provider {name}");
    let bad =
        |message: String, advice: &str| Finding::bad(&part, Condition::Broken, message, advice);
    if let Some(path) = &endpoint.key_file
        && let Err(error) = std::fs::read_to_string(path)
    {
        let message = format!("its key file {} cannot be read: {error}", path.display());
        return bad(message, "put the key there, or set `key_file` to another file");
    }
    if let (None, Some(variable)) = (&endpoint.key_file, &endpoint.key_variable)
        && variables.get(variable).is_none()
    {
        let message = format!("the API key is missing: {variable} is not set");
        return bad(message, "set the variable in the environment of the program");
    }
    let Some(address) = address(&endpoint.base_url) else {
        let message = format!("`{}` is not an address", endpoint.shown_url());
        return bad(message, "set `base_url` to https://HOST/PATH");
    };
    match time::timeout(PATIENCE, TcpStream::connect(&address)).await {
        Ok(Ok(_)) => Finding::fine(&part, format!("{address} is reachable")),
        Ok(Err(error)) => bad(
            format!("{address} cannot be reached: {error}"),
            "start the server, or fix `base_url`; behind a proxy, set HTTPS_PROXY",
        ),
        Err(_) => bad(
            format!("no response from {address} within {} s", PATIENCE.as_secs()),
            "check the network and the firewall, or fix `base_url`",
        ),
    }
}

/// `HOST:PORT` of a URL.
fn address(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split(['/', '?']).next()?.rsplit('@').next()?;
    let port = match scheme {
        "http" => 80,
        "https" => 443,
        _ => return None,
    };
    let has_port = host.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
    let is_empty = host.is_empty();
    (!is_empty).then(|| if has_port { host.to_owned() } else { format!("{host}:{port}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_the_port_of_its_scheme_unless_it_names_one() {
        assert_eq!(address("https://api.example.org/v1").as_deref(), Some("api.example.org:443"));
        assert_eq!(address("http://127.0.0.1:8901/v1").as_deref(), Some("127.0.0.1:8901"));
        assert_eq!(address("ftp://x/"), None);
        assert_eq!(address("nonsense"), None);
    }
}

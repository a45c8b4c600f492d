//! What the operator says about the provider of identities.

use std::collections::BTreeMap;

use assize_engine::accounts::{Newcomers, Welcome};
use assize_engine::asking::Variables;
use assize_engine::configuration::{OidcTable, Secret, SecretError};
use assize_engine::store::Role;
use reqwest::Url;
use thiserror::Error;

use crate::guard::is_loopback;

/// Where the provider sends people back to, below the public address.
pub(crate) const RETURN: &str = "/login/oidc/return";

/// With whom people sign in, and who of them comes in.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// What the button says.
    pub name: String,
    /// The provider, letter for letter as its tokens name it.
    pub issuer: String,
    /// What it calls us.
    pub client_id: String,
    /// Our secret there; none for a client without one.
    pub client_secret: Option<Secret>,
    /// Where browsers find us.
    pub public_url: Url,
    /// What is asked for, with spaces between.
    pub scopes: String,
    /// Who comes in besides those who are known.
    pub welcome: Welcome,
    /// The claim that lists a person's groups.
    pub groups_claim: String,
    /// Whether people with a password may use it beside the provider.
    pub allows_passwords: bool,
}

/// Why settings cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OidcSettingsError {
    /// An address is none, or could be listened to on the way.
    #[error(
        "serve.oidc.{key}: `{address}` must be an https address (http only on loopback), without user, query and fragment"
    )]
    Address {
        /// Which one.
        key: &'static str,
        /// What stands there.
        address: String,
    },
    /// Something that cannot be left empty.
    #[error("serve.oidc.{0} is empty")]
    Empty(&'static str),
    /// No such role.
    #[error("serve.oidc.{key}: there is no role `{word}`; there are viewer, analyst and admin")]
    Role {
        /// Which key.
        key: &'static str,
        /// What stands there.
        word: String,
    },
    #[error(transparent)]
    Secret(#[from] SecretError),
}

impl OidcSettings {
    /// Checks what a file says. `newcomers` is a role that goes before the file's.
    pub fn new(
        table: &OidcTable,
        variables: &Variables,
        newcomers: Option<Role>,
    ) -> Result<Self, OidcSettingsError> {
        let issuer = checked("issuer", &table.issuer)?;
        let public_url = checked("public_url", &table.public_url)?;
        if table.client_id.trim().is_empty() {
            return Err(OidcSettingsError::Empty("client_id"));
        }
        let wanted = ["email".to_owned(), "profile".to_owned()];
        let more = table.scopes.as_deref().unwrap_or(&wanted);
        let scopes = more.iter().map(String::as_str).filter(|scope| *scope != "openid");
        let scopes: Vec<&str> = ["openid"].into_iter().chain(scopes).collect();
        let host = issuer.host_str().unwrap_or_default().to_owned();
        Ok(Self {
            name: table.name.clone().filter(|name| !name.trim().is_empty()).unwrap_or(host),
            issuer: table.issuer.clone(),
            client_id: table.client_id.clone(),
            client_secret: table.secret(variables)?,
            public_url,
            scopes: scopes.join(" "),
            welcome: Welcome {
                matches_email: table.match_email.unwrap_or(false),
                newcomers: new_people(table, newcomers)?,
                group_roles: group_roles(table)?,
            },
            groups_claim: table.groups_claim.clone().unwrap_or_else(|| "groups".to_owned()),
            allows_passwords: true,
        })
    }

    /// Where the provider sends people back to.
    pub(crate) fn return_address(&self) -> String {
        format!("{}{RETURN}", self.public_url.as_str().trim_end_matches('/'))
    }

    /// Whether browsers reach us by TLS only.
    pub(crate) fn is_secure(&self) -> bool {
        self.public_url.scheme() == "https"
    }
}

fn new_people(
    table: &OidcTable,
    role: Option<Role>,
) -> Result<Option<Newcomers>, OidcSettingsError> {
    let role = match (role, &table.newcomer_role) {
        (Some(role), _) => role,
        (None, Some(word)) => role_of("newcomer_role", word)?,
        // Their groups say which.
        (None, None) if table.group_roles.is_some() => Role::Viewer,
        (None, None) => return Ok(None),
    };
    let (organisation, domains) =
        (table.newcomer_organisation.clone(), table.newcomer_domains.clone());
    Ok(Some(Newcomers { role, organisation, domains }))
}

fn group_roles(table: &OidcTable) -> Result<BTreeMap<String, Role>, OidcSettingsError> {
    let all = table.group_roles.iter().flatten();
    all.map(|(group, word)| Ok((group.clone(), role_of("group_roles", word)?))).collect()
}

fn role_of(key: &'static str, word: &str) -> Result<Role, OidcSettingsError> {
    Role::from_word(word).map_err(|_| OidcSettingsError::Role { key, word: word.to_owned() })
}

fn checked(key: &'static str, address: &str) -> Result<Url, OidcSettingsError> {
    let refused = || OidcSettingsError::Address { key, address: address.to_owned() };
    let url = Url::parse(address).map_err(|_| refused())?;
    let is_plain = url.query().is_none() && url.fragment().is_none();
    if is_plain && is_private(&url) { Ok(url) } else { Err(refused()) }
}

/// Whether nobody on the way can read or change what is sent there.
pub(crate) fn is_private(url: &Url) -> bool {
    let is_named = url.username().is_empty() && url.password().is_none();
    let is_local = url.host_str().is_some_and(is_loopback);
    is_named && (url.scheme() == "https" || url.scheme() == "http" && is_local)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(issuer: &str, public_url: &str) -> OidcTable {
        OidcTable {
            issuer: issuer.to_owned(),
            client_id: "assize".to_owned(),
            public_url: public_url.to_owned(),
            name: None,
            client_secret_variable: None,
            client_secret_file: None,
            scopes: None,
            match_email: None,
            newcomer_role: None,
            newcomer_organisation: None,
            newcomer_domains: None,
            groups_claim: None,
            group_roles: None,
        }
    }

    fn made(table: &OidcTable) -> Result<OidcSettings, OidcSettingsError> {
        OidcSettings::new(table, &Variables::default(), None)
    }

    #[test]
    fn only_https_and_loopback_are_private() {
        let ours = "https://a.example";
        for good in ["https://id.example/realms/x", "http://127.0.0.1:8080", "http://[::1]:1/x"] {
            assert!(made(&table(good, ours)).is_ok(), "{good}");
        }
        for bad in [
            "",
            "id.example",
            "http://id.example",
            "http://localhost.id.example",
            "https://u:p@id.example",
            "https://id.example?x=1",
            "file:///etc/passwd",
        ] {
            let error = made(&table(bad, ours)).unwrap_err().to_string();
            assert!(error.contains("serve.oidc.issuer"), "{bad}: {error}");
            assert!(made(&table("https://id.example", bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn nobody_new_comes_in_unless_the_operator_says_so() {
        let mut table = table("https://id.example", "https://a.example/");
        let settings = made(&table).unwrap();
        assert!(settings.welcome.newcomers.is_none() && !settings.welcome.matches_email);
        assert_eq!(settings.name, "id.example");
        assert_eq!(settings.scopes, "openid email profile");
        assert_eq!(settings.return_address(), "https://a.example/login/oidc/return");
        table.newcomer_role = Some("analyst".to_owned());
        let role = made(&table).unwrap().welcome.newcomers.unwrap().role;
        assert_eq!(role, Role::Analyst);
        table.newcomer_role = Some("root".to_owned());
        assert!(made(&table).unwrap_err().to_string().contains("no role `root`"));
    }

    #[test]
    fn a_secret_that_is_not_there_is_told_and_one_that_is_there_is_not_shown() {
        let mut table = table("https://id.example", "https://a.example");
        table.client_secret_variable = Some("OIDC_SECRET".to_owned());
        assert!(made(&table).unwrap_err().to_string().contains("OIDC_SECRET"));
        let variables = Variables::new(|_| Some("very-secret".to_owned()));
        let settings = OidcSettings::new(&table, &variables, None).unwrap();
        assert!(!format!("{settings:?}").contains("very-secret"));
    }
}

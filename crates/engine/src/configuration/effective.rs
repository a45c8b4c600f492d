//! Every value that takes effect, with where it comes from.

use assize_methods::council::{Profile, ProfileError, Settings};
use assize_models::{Catalogue, Endpoint, Endpoints, Variables};
use assize_store::Place;

use super::error::ConfigError;
use super::written::{READERS_VARIABLE, Written};
use crate::asking::AskOptions;
use crate::council::operator::from_variables;
use crate::council::{OperatorError, OperatorPolicy, WeightChoices};

/// The database that is used when nobody names one.
const DATABASE: &str = "assize.db";
/// The variable that names the database.
const DATABASE_VARIABLE: &str = "ASSIZE_DATABASE_URL";

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It ships.
    Default,
    File,
    /// A variable of the environment.
    Variable(String),
    /// Whoever asked.
    Caller,
}

/// One value that takes effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effective {
    /// Its key, as the file would have it: `council.quorum`.
    pub key: String,
    /// The value; of a secret only whether it is set.
    pub value: String,
    /// Where it comes from.
    pub origin: Origin,
}

/// What the caller says, which goes before everything else.
#[derive(Debug, Clone, Default)]
pub struct Caller {
    pub database: Option<String>,
    /// Endpoints, by name and URL.
    pub endpoints: Vec<(String, String)>,
}

/// Every value that takes effect, in the order of the file.
pub fn effective(
    written: &Written,
    caller: &Caller,
    variables: &Variables,
) -> Result<Vec<Effective>, OperatorError> {
    let mut found = vec![database(written, caller, variables)];
    found.extend(models(written)?);
    found.extend(endpoints(written, caller, variables)?);
    found.extend(prices(&written.catalogue()?));
    found.extend(readers(written, variables));
    found.extend(council(written, variables)?);
    found.extend(oidc(written, variables));
    Ok(found)
}

#[expect(clippy::needless_pass_by_value, reason = "numbers and texts are handed over alike")]
fn entry(key: impl Into<String>, value: impl ToString, origin: Origin) -> Effective {
    Effective { key: key.into(), value: value.to_string(), origin }
}

/// The file's value, or the one that ships.
fn or_default<T: ToString>(key: &str, written: Option<T>, default: impl ToString) -> Effective {
    match written {
        Some(value) => entry(key, value, Origin::File),
        None => entry(key, default, Origin::Default),
    }
}

fn database(written: &Written, caller: &Caller, variables: &Variables) -> Effective {
    let variable = variables.get(DATABASE_VARIABLE);
    let (place, origin) = match (&caller.database, variable, &written.database) {
        (Some(place), ..) => (place.clone(), Origin::Caller),
        (None, Some(place), _) => (place, Origin::Variable(DATABASE_VARIABLE.to_owned())),
        (None, None, Some(place)) => (place.clone(), Origin::File),
        (None, None, None) => (DATABASE.to_owned(), Origin::Default),
    };
    // Shown without password and parameters.
    entry("database", Place::from(place), origin)
}

fn models(written: &Written) -> Result<[Effective; 4], ConfigError> {
    let timeout = written.reply_timeout().map(|timeout| timeout.as_secs());
    Ok([
        or_default("models.budget", written.budget()?, "none"),
        or_default("models.concurrency", written.models.concurrency, AskOptions::CONCURRENCY),
        or_default("models.reply_timeout_seconds", timeout, AskOptions::REPLY_TIMEOUT.as_secs()),
        or_default("run.save", written.run.save, false),
    ])
}

fn endpoints(
    written: &Written,
    caller: &Caller,
    variables: &Variables,
) -> Result<Vec<Effective>, ConfigError> {
    let all = Endpoints::default().with(written.endpoints.clone())?;
    let mut found = Vec::new();
    for (name, url) in &caller.endpoints {
        found.push(entry(
            format!("endpoints.{name}.base_url"),
            Endpoint::open(url).shown_url(),
            Origin::Caller,
        ));
    }
    let given = |name: &str| caller.endpoints.iter().any(|(other, _)| other == name);
    for (name, endpoint) in all.iter().filter(|(name, _)| !given(name)) {
        let is_written = written.endpoints.contains_key(name);
        let origin = || if is_written { Origin::File } else { Origin::Default };
        found.push(entry(format!("endpoints.{name}.base_url"), endpoint.shown_url(), origin()));
        let key = format!("endpoints.{name}.key");
        let set = |is_set: bool| if is_set { "set" } else { "not set" };
        match (&endpoint.key_file, &endpoint.key_variable) {
            (Some(path), _) => found.push(entry(key, set(path.is_file()), origin())),
            (None, Some(variable)) => {
                let is_set = variables.get(variable).is_some();
                found.push(entry(key, set(is_set), Origin::Variable(variable.clone())));
            }
            (None, None) => {}
        }
    }
    Ok(found)
}

/// The prices that are not of the file that ships, and how many of those there are.
fn prices(catalogue: &Catalogue) -> Vec<Effective> {
    let shipped: Vec<_> = Catalogue::built_in().lines().map(|(name, ..)| name.to_owned()).collect();
    let own = catalogue.lines().count() - shipped.len();
    let mut found: Vec<Effective> = catalogue
        .lines()
        .take(own)
        .map(|(name, price, _)| {
            let [input, cached, output] = price.a_million().map(|money| money.exact());
            let value = format!("{input} in, {cached} cached, {output} out");
            entry(format!("prices.{name}"), value, Origin::File)
        })
        .collect();
    let built_in = Catalogue::built_in();
    let day = built_in.lines().filter_map(|(_, _, day)| day).max().unwrap_or("an unknown day");
    let value = format!("{} models as of {day}", shipped.len());
    found.push(entry("prices", value, Origin::Default));
    found
}

/// Models of this machine; where they stand only if something says so.
fn readers(written: &Written, variables: &Variables) -> Vec<Effective> {
    let table = &written.readers;
    let mut found = vec![
        or_default("readers.encoder", table.encoder.as_ref(), "none"),
        or_default("readers.entailment", table.entailment.as_ref(), "none"),
    ];
    let folder = table.folder.as_ref().map(|folder| folder.display().to_string());
    found.extend(match variables.get(READERS_VARIABLE) {
        Some(folder) => Some(entry("readers.folder", folder, variable(READERS_VARIABLE))),
        None => folder.map(|folder| entry("readers.folder", folder, Origin::File)),
    });
    found.extend(table.hub.as_ref().map(|hub| entry("readers.hub", hub, Origin::File)));
    let most = table.megabytes_max;
    found.extend(most.map(|most| entry("readers.megabytes_max", most, Origin::File)));
    found
}

/// What councils go by; a weight of the profile is the profile's.
fn council(written: &Written, variables: &Variables) -> Result<Vec<Effective>, OperatorError> {
    OperatorPolicy::from_written(written, variables)?;
    let environment = from_variables(variables)?;
    let table = &written.council;
    let settings = Settings::default();
    let mut found = vec![
        or_default("council.profile", table.profile.as_deref(), &settings.profile.name),
        or_default("council.aggregate", table.aggregate.as_deref(), settings.aggregation),
        or_default("council.quorum", table.quorum, settings.quorum),
        or_default("council.seed", table.seed, 0),
        or_default("council.include_self", table.include_self, settings.count_own),
        or_default("council.break_ties", table.break_ties, settings.break_ties),
    ];
    found.push(match environment.safety_gate {
        Some(gate) => entry("council.safety_gate", gate, variable("LLM_COUNCIL_SAFETY_GATE")),
        None => or_default("council.safety_gate", table.safety_gate, false),
    });
    found.push(match environment.safety_score_cap {
        Some(cap) => {
            entry("council.safety_score_cap", cap, variable("LLM_COUNCIL_SAFETY_SCORE_CAP"))
        }
        None => or_default("council.safety_score_cap", table.safety_score_cap, 0),
    });
    let lists = [("members", &table.members), ("reviewers", &table.reviewers)];
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        found.push(entry(format!("council.{name}"), list.join(", "), Origin::File));
    }
    found.extend(table.recuse.as_ref().map(|whose| entry("council.recuse", whose, Origin::File)));
    found.extend(table.scoring.as_ref().map(|what| entry("council.scoring", what, Origin::File)));
    found.extend(table.chair.as_ref().map(|chair| entry("council.chair", chair, Origin::File)));
    let name = table.profile.as_deref().unwrap_or(&settings.profile.name);
    // A profile in a file of its own states its weights there.
    let profile: Result<Profile, ProfileError> = Profile::built_in(name);
    for (dimension, weight) in profile.iter().flat_map(|profile| profile.weights.counting()) {
        let key = format!("council.weights.{}", dimension.name());
        let capitals = dimension.name().to_ascii_uppercase();
        let chosen = |weights: &Option<WeightChoices>| weights.as_ref()?.0.get(&dimension).copied();
        found.push(match (chosen(&environment.weights), chosen(&table.weights)) {
            (Some(own), _) => entry(key, own, variable(&format!("LLM_COUNCIL_WEIGHT_{capitals}"))),
            (None, Some(own)) => entry(key, own, Origin::File),
            (None, None) => entry(key, weight, Origin::Default),
        });
    }
    Ok(found)
}

/// How people sign in with a provider of identities; nothing, where the file has none.
fn oidc(written: &Written, variables: &Variables) -> Vec<Effective> {
    let Some(table) = &written.serve.oidc else { return Vec::new() };
    let key = |name: &str| format!("serve.oidc.{name}");
    let of_file = |name: &str, value: &str| entry(key(name), value, Origin::File);
    let mut found = vec![
        of_file("issuer", &table.issuer),
        of_file("client_id", &table.client_id),
        of_file("public_url", &table.public_url),
        or_default(&key("match_email"), table.match_email, false),
        or_default(&key("newcomer_role"), table.newcomer_role.as_deref(), "none"),
    ];
    let set = |is_set: bool| if is_set { "set" } else { "not set" };
    let secret = key("client_secret");
    found.push(match (&table.client_secret_file, &table.client_secret_variable) {
        (Some(path), _) => entry(secret, set(path.is_file()), Origin::File),
        (None, Some(name)) => entry(secret, set(variables.get(name).is_some()), variable(name)),
        (None, None) => entry(secret, "none", Origin::Default),
    });
    found
}

fn variable(name: &str) -> Origin {
    Origin::Variable(name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn find<'a>(all: &'a [Effective], key: &str) -> (&'a str, &'a Origin) {
        let one = all.iter().find(|one| one.key == key).unwrap_or_else(|| panic!("no {key}"));
        (&one.value, &one.origin)
    }

    #[test]
    fn each_value_names_the_strongest_place_that_states_it_and_no_secret_is_shown() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("assize.toml");
        let text = "database = 'file.db'\n[models]\nconcurrency = 4\n\
                    [council.weights]\naccuracy = 0.4\nclarity = 0.15\n\
                    [endpoints.hub]\nbase_url = 'http://127.0.0.1:1/v1'\nkey_variable = 'HUB_KEY'\n\
                    [serve.oidc]\nissuer = 'https://id'\nclient_id = 'assize'\n\
                    public_url = 'https://a'\nclient_secret_variable = 'OIDC'\n";
        fs::write(&path, text).unwrap();
        let variables = Variables::new(|name| match name {
            "HUB_KEY" | "OIDC" => Some("sk-very-secret".to_owned()),
            "LLM_COUNCIL_WEIGHT_ACCURACY" => Some("0.5".to_owned()),
            "ASSIZE_DATABASE_URL" => Some("postgres://me:pass@host/name".to_owned()),
            _ => None,
        });
        let written = Written::load(Some(&path), &variables).unwrap();
        let all = effective(&written, &Caller::default(), &variables).unwrap();
        let variable = |name: &str| Origin::Variable(name.to_owned());
        assert_eq!(find(&all, "models.concurrency"), ("4", &Origin::File));
        assert_eq!(find(&all, "models.reply_timeout_seconds"), ("120", &Origin::Default));
        assert_eq!(find(&all, "endpoints.hub.key"), ("set", &variable("HUB_KEY")));
        assert_eq!(find(&all, "endpoints.openai.key"), ("not set", &variable("OPENAI_API_KEY")));
        assert_eq!(find(&all, "serve.oidc.client_secret"), ("set", &variable("OIDC")));
        let accuracy = variable("LLM_COUNCIL_WEIGHT_ACCURACY");
        assert_eq!(find(&all, "council.weights.accuracy"), ("0.5", &accuracy));
        assert_eq!(find(&all, "council.weights.clarity"), ("0.15", &Origin::File));
        assert_eq!(find(&all, "council.weights.relevance"), ("0.1", &Origin::Default));
        let (database, origin) = find(&all, "database");
        assert_eq!(origin, &variable("ASSIZE_DATABASE_URL"));
        let shown = format!("{all:?}");
        assert!(!shown.contains("sk-very") && !shown.contains("pass"), "{shown}");
        assert!(database.contains("host"), "{database}");

        let caller = Caller { database: Some("mine.db".to_owned()), ..Caller::default() };
        let all = effective(&written, &caller, &variables).unwrap();
        assert_eq!(find(&all, "database"), ("mine.db", &Origin::Caller));
    }
}

//! What is wrong with a set-up, and what to do about it.

mod database;
mod models;
mod readers;

use std::path::Path;

use assize_models::Variables;
use assize_store::Place;
use async_recursion::async_recursion as boxed;

use crate::asking::Config;
use crate::configuration::Written;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// Nothing is wrong.
    Fine,
    /// It works, and something should be done.
    Warning,
    /// It does not work.
    Broken,
}

/// What looking at one part showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Which part: `configuration`, `database`, `provider openai`.
    pub part: String,
    /// How bad it is.
    pub condition: Condition,
    /// What was found.
    pub message: String,
    /// What to do; empty if nothing is wrong.
    pub advice: String,
}

impl Finding {
    fn fine(part: &str, message: impl Into<String>) -> Self {
        let (part, message) = (part.to_owned(), message.into());
        Self { part, condition: Condition::Fine, message, advice: String::new() }
    }

    fn bad(part: &str, condition: Condition, message: String, advice: &str) -> Self {
        Self { part: part.to_owned(), condition, message, advice: advice.to_owned() }
    }
}

/// Looks at everything: the configuration, the database, every provider that is configured.
/// Providers are only reached for, nothing is asked of them.
#[boxed]
pub async fn examine(config: Option<&Path>, place: &Place, variables: &Variables) -> Vec<Finding> {
    let mut findings = vec![clock()];
    match Written::load(config, variables) {
        Err(error) => findings.push(Finding::bad(
            "configuration",
            Condition::Broken,
            crate::EngineError::of(&error).message,
            "fix the file at that place; `assize config show` prints the effective configuration",
        )),
        Ok(written) => match Config::new(&written, &[], variables.clone()) {
            Err(error) => findings.push(Finding::bad(
                "configuration",
                Condition::Broken,
                crate::EngineError::of(&error).message,
                "fix the provider or the price file named in the message",
            )),
            Ok(config) => {
                findings.push(Finding::fine("configuration", "can be read"));
                findings.extend(models::examine(&written, &config, variables).await);
                findings.extend(readers::examine(&written, variables));
            }
        },
    }
    findings.extend(database::examine(place).await);
    findings
}

/// Leases and sessions depend on the clock; one from before this program was written is wrong.
fn clock() -> Finding {
    const WRITTEN: i32 = 2026;
    let now = chrono::Utc::now();
    if chrono::Datelike::year(&now) >= WRITTEN {
        return Finding::fine("clock", now.format("%Y-%m-%d %H:%M UTC").to_string());
    }
    let advice = "set the clock, preferably with NTP: sessions, tokens and leases depend on it";
    let message = format!("the system clock says {}, which is in the past", now.format("%Y-%m-%d"));
    Finding::bad("clock", Condition::Broken, message, advice)
}

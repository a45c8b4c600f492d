//! Names of things: distinct types, so that no run is taken for a document.
//!
//! Most follow from what they name ([`CriteriaSetId::of`]), so that doing something twice
//! gives the same name; the others begin with a time that the caller supplies and therefore
//! sort by it ([`RunId::at`]). Nothing here is random.

use std::convert::Infallible;
use std::fmt::{Display, Formatter};
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::database::Row;
use crate::error::Result;
use crate::record::Column;
use crate::value::Value;

/// Digits of a hash that are kept: 80 bits, enough for a billion names with one chance in a
/// hundred thousand of two alike.
const HASH_LENGTH: usize = 20;

/// The hash of several texts; `["ab", "c"]` and `["a", "bc"]` differ.
fn hash(parts: &[&str]) -> String {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    hasher.finalize().to_hex()[..HASH_LENGTH].to_owned()
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// The name that follows from what is named.
            pub fn of(parts: &[&str]) -> Self {
                Self(format!("{}-{}", $prefix, hash(parts)))
            }

            /// A name that sorts by time.
            pub fn at(time: DateTime<Utc>, parts: &[&str]) -> Self {
                let time = time.format("%Y%m%dT%H%M%S%3f");
                Self(format!("{}-{time}-{}", $prefix, &hash(parts)[..8]))
            }

            /// As text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl Display for $name {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> std::fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl FromStr for $name {
            type Err = Infallible;

            fn from_str(text: &str) -> Result<Self, Infallible> {
                Ok(Self(text.to_owned()))
            }
        }

        impl Column for $name {
            fn read(row: &Row, column: &str) -> Result<Self> {
                Ok(Self(row.get(column)?))
            }

            fn value(&self) -> Value<'_> {
                self.into()
            }
        }

        impl Column for Option<$name> {
            fn read(row: &Row, column: &str) -> Result<Self> {
                Ok(row.get::<Option<String>>(column)?.map($name))
            }

            fn value(&self) -> Value<'_> {
                self.into()
            }
        }

        impl<'a> From<&'a $name> for Value<'a> {
            fn from(id: &'a $name) -> Self {
                Self::from(id.as_str())
            }
        }

        impl<'a> From<&'a Option<$name>> for Value<'a> {
            fn from(id: &'a Option<$name>) -> Self {
                Self::from(id.as_ref().map($name::as_str))
            }
        }
    )*};
}

ids! {
    OrganisationId = "organisation";
    CriteriaSetId = "criteria";
    /// One criterion of a set; what people call it (`AC-2`) is its `criteria_id`.
    CriteriaItemId = "item";
    /// A set of documents.
    DocSetId = "documents";
    DocumentId = "document";
    /// One version of a prompt template.
    PromptTemplateId = "prompt";
    /// A run: documents held against criteria.
    RunId = "run";
    /// What an analyst says the answer is.
    TruthKeyId = "truth";
    /// A search for a better prompt, rubric or model.
    OptRunId = "optimisation";
    /// Something such a search tries.
    OptCandidateId = "candidate";
    /// What a person decided about an item of a run.
    DecisionId = "decision";
    /// One change that somebody made.
    AuditId = "audit";
    /// A person who may come in.
    UserId = "user";
    /// A token of a program.
    TokenId = "token";
}

impl OrganisationId {
    /// The organisation that every database begins with: one person needs no other.
    pub fn default_organisation() -> Self {
        Self("organisation-default".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    #[test]
    fn a_name_follows_from_what_it_names_and_from_nothing_else() {
        assert_eq!(CriteriaSetId::of(&["a", "b"]), CriteriaSetId::of(&["a", "b"]));
        assert_ne!(CriteriaSetId::of(&["a", "b"]), CriteriaSetId::of(&["ab", ""]));
        assert!(CriteriaSetId::of(&["a"]).as_str().starts_with("criteria-"));
    }

    #[test]
    fn names_with_a_time_sort_by_it() {
        let at = |second| RunId::at(Utc.timestamp_opt(second, 0).unwrap(), &["x"]);
        assert!(at(1_000) < at(1_001));
        assert!(at(1_000).as_str().starts_with("run-19700101T001640000-"), "{}", at(1_000));
    }
}

//! One run with its measures, as `assize score --format json` prints it and `retrieval_score`
//! hands it back.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Entries, number};

/// Measures by name, in the order in which they were asked for.
pub type Measures = Entries<Measure>;

/// The value of a measure with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measure {
    /// The run's value.
    pub value: f64,
    /// The lower end of its interval; counts and geometric means have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Whether the value is a count: shown without decimals. Programs see it by the name.
    #[serde(skip)]
    pub is_count: bool,
}

impl Measure {
    /// Both ends of the interval.
    pub fn interval(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// The value as people read it: a count without decimals.
    pub fn shown(&self) -> String {
        if self.is_count { format!("{:.0}", self.value) } else { number::score(self.value) }
    }
}

/// One run's results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Score {
    /// The measures.
    pub measures: Measures,
    /// How many queries were scored; the name is the one of the scorer that ours replaces.
    pub num_examples: usize,
    /// The confidence level of the intervals.
    pub confidence: f64,
    /// How many of the documents that a ranked run retrieved were judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<JudgedShare>,
    /// Notes for the user: skipped queries, duplicate documents.
    #[serde(default)]
    pub notices: Vec<String>,
    /// Results for each value of the requested field.
    #[serde(default, skip_serializing_if = "Entries::is_empty")]
    pub groups: Entries<Group>,
    /// The values of every query, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<Vec<QueryValues>>,
}

/// How many of the retrieved documents were judged for their query.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedShare {
    /// The judged ones.
    pub judged: usize,
    /// All that were retrieved, down to the depth that is looked at.
    pub retrieved: usize,
}

impl fmt::Display for JudgedShare {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judged, retrieved } = self;
        write!(formatter, "judged: {judged} of {retrieved} retrieved documents")
    }
}

/// The queries that share a value of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Group {
    /// Their measures.
    pub measures: Measures,
    /// How many there are.
    pub num_examples: usize,
}

/// One query's values.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QueryValues {
    /// Its identifier, or its text where it has none.
    pub query: String,
    /// A value for each measure.
    #[serde(flatten)]
    pub values: Entries<f64>,
}

/// Names and values alone, as the scorer that ours replaces writes them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlatScore {
    /// A value for each measure.
    #[serde(flatten)]
    pub values: Entries<f64>,
    /// How many queries were scored; a float there, so it is one here.
    pub num_examples: f64,
}

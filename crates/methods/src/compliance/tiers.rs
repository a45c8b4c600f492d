//! Rubric tiers: from a score to its label, in one place.

mod error;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::error::RubricError;
use crate::tones;

const DEFAULT: &str = include_str!("../../defaults/compliance/tiers.toml");

/// The fewest tiers a rubric may have.
pub const TIERS_MIN: usize = 2;

/// The most tiers a rubric may have.
pub const TIERS_MAX: usize = 10;

/// One tier: a range of scores with its label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tier {
    /// The lowest score.
    pub min: u8,
    /// The highest whole score; fractions up to the next tier belong here too.
    pub max: u8,
    /// What the range is called.
    pub label: String,
    /// What a document in this range looks like, for the judge.
    pub description: String,
}

/// Two to ten tiers that cover 0 to 100 without a gap or an overlap.
///
/// Written and read as `{"tiers": [{"min": …, "max": …, "label": …, "description": …}, …]}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RubricForm")]
pub struct Rubric {
    tiers: Vec<Tier>,
}

/// What a score is called, and how it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The tier's label.
    pub label: String,
    /// The tier's colour: a name (`red`, `orange`, `yellow`, `lime`, `green`), or `#rrggbb`
    /// between two of them.
    #[serde(rename = "color")]
    pub colour: String,
    /// The tier's number, from 1.
    pub tier: usize,
}

impl Status {
    /// The colour as `#rrggbb`, dark enough for white letters on it.
    pub fn hex(&self) -> String {
        tones::named(&self.colour).map_or_else(|| self.colour.clone(), tones::hex)
    }
}

impl Rubric {
    /// A rubric, unless its tiers leave a score without a label or give it two.
    pub fn new(tiers: Vec<Tier>) -> Result<Self, RubricError> {
        error::check(&tiers)?;
        Ok(Self { tiers })
    }

    /// A rubric as a database or an administrator gives it; nothing, null and `{}` are the
    /// default rubric.
    pub fn from_json(json: Option<&Value>) -> Result<Self, RubricError> {
        match json {
            None | Some(Value::Null) => Ok(Self::default()),
            Some(Value::Object(fields)) if fields.is_empty() => Ok(Self::default()),
            Some(json) => RubricForm::deserialize(json)
                .map_err(|error| RubricError::Unreadable(error.to_string()))
                .and_then(Self::try_from),
        }
    }

    /// The tiers from the lowest to the highest.
    pub fn tiers(&self) -> &[Tier] {
        &self.tiers
    }

    /// The number, from 1, of the highest tier whose `min` a score reaches.
    pub fn tier(&self, score: f64) -> usize {
        let reached = self.tiers.iter().rposition(|tier| score >= f64::from(tier.min));
        reached.unwrap_or(0) + 1
    }

    /// What a score is called: the one function for terminal, API, exports and pages.
    ///
    /// ```
    /// # use assize_methods::compliance::Rubric;
    /// let status = Rubric::default().status(80.5);
    /// assert_eq!((status.label.as_str(), status.tier), ("Mostly Compliant", 4));
    /// assert_eq!(status.colour, "lime");
    /// ```
    pub fn status(&self, score: f64) -> Status {
        let tier = self.tier(score);
        Status {
            label: self.tiers[tier - 1].label.clone(),
            colour: tones::spread(tier - 1, self.tiers.len()),
            tier,
        }
    }

    /// The rubric as a prompt shows it: `- min-max (label): description`, a line for each.
    pub fn prompt_text(&self) -> String {
        let line = |tier: &Tier| {
            let Tier { min, max, label, description } = tier;
            format!("- {min}-{max} ({}): {}", on_one_line(label), on_one_line(description))
        };
        self.tiers.iter().map(line).collect::<Vec<_>>().join("\n")
    }
}

impl Default for Rubric {
    fn default() -> Self {
        toml::from_str(DEFAULT).expect("a test reads the default tiers")
    }
}

/// The same on one line, so that no tier can pass for two.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A rubric as it is written, before it is checked.
#[derive(Deserialize)]
struct RubricForm {
    tiers: Vec<WrittenTier>,
}

#[derive(Deserialize)]
struct WrittenTier {
    min: f64,
    max: f64,
    label: String,
    #[serde(default)]
    description: String,
}

impl TryFrom<RubricForm> for Rubric {
    type Error = RubricError;

    fn try_from(written: RubricForm) -> Result<Self, RubricError> {
        let tiers = (1..).zip(written.tiers).map(|(number, tier)| {
            Ok(Tier {
                min: error::whole(number, &tier.label, tier.min)?,
                max: error::whole(number, &tier.label, tier.max)?,
                label: tier.label.trim().to_owned(),
                description: tier.description,
            })
        });
        Self::new(tiers.collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests;

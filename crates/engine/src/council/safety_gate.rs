//! The switch of the safety gate, as every door spells it.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whether answers go through the safety gate, and how far it looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "GateForm", into = "GateForm")]
pub enum SafetyGate {
    /// Not at all.
    Off,
    /// As far as it did or does elsewhere.
    On,
    /// By rules alone.
    Rules,
    /// By rules and a classifier.
    Learned,
}

/// The gate as JSON and TOML spell it.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected rules, learned, true or false")]
enum GateForm {
    Switch(bool),
    Stage(String),
}

impl SafetyGate {
    pub(super) fn is_on(self) -> bool {
        self != Self::Off
    }

    /// That it is on says nothing about how far it looks.
    pub(super) fn over(upper: Option<Self>, lower: Option<Self>) -> Option<Self> {
        match (upper, lower) {
            (Some(Self::On), Some(stage @ (Self::Rules | Self::Learned))) => Some(stage),
            _ => upper.or(lower),
        }
    }
}

impl FromStr for SafetyGate {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "true" => Ok(Self::On),
            "false" => Ok(Self::Off),
            "rules" => Ok(Self::Rules),
            "learned" => Ok(Self::Learned),
            _ => Err(format!("invalid value `{text}`: expected rules, learned, true or false")),
        }
    }
}

impl fmt::Display for SafetyGate {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Off => "false",
            Self::On => "true",
            Self::Rules => "rules",
            Self::Learned => "learned",
        })
    }
}

impl TryFrom<GateForm> for SafetyGate {
    type Error = String;

    fn try_from(form: GateForm) -> Result<Self, String> {
        match form {
            GateForm::Switch(is_on) => Ok(if is_on { Self::On } else { Self::Off }),
            GateForm::Stage(text) => text.parse(),
        }
    }
}

impl From<SafetyGate> for GateForm {
    fn from(gate: SafetyGate) -> Self {
        match gate {
            SafetyGate::Off => Self::Switch(false),
            SafetyGate::On => Self::Switch(true),
            stage => Self::Stage(stage.to_string()),
        }
    }
}

impl JsonSchema for SafetyGate {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SafetyGate".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        GateForm::json_schema(generator)
    }
}

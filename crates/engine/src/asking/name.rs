//! Who judges, as people write it: `rules`, `provider/model`, `rules+provider/model`, `panel:A,B,C`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use assize_models::{ModelName, ModelNameError};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

const RULES: &str = "rules";
const ASSISTED: &str = "rules+";
const PANEL: &str = "panel:";

/// Who judges. Every door reads it from the same text, and every list of judges is a panel, with
/// commas between its members.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum JudgeName {
    /// The rule judge: offline and deterministic.
    #[default]
    Rules,
    Model(ModelName),
    /// Rules, and a model for what they cannot decide.
    Assisted(ModelName),
    /// Several judges who vote, rules and models mixed; no panel sits in a panel.
    Panel(Vec<JudgeName>),
}

/// Why a name was refused.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{source}; the other judges are `rules`, `rules+PROVIDER/MODEL` and `panel:A,B,C`")]
pub struct JudgeNameError {
    source: ModelNameError,
}

impl JudgeName {
    /// Those who judge: the judge alone, the rules and their model, or everyone in the panel.
    pub fn members(&self) -> Cow<'_, [Self]> {
        match self {
            Self::Panel(members) => Cow::Borrowed(members),
            Self::Assisted(model) => Cow::Owned(vec![Self::Rules, Self::Model(model.clone())]),
            alone => Cow::Borrowed(std::slice::from_ref(alone)),
        }
    }

    /// The models among them.
    pub fn models(&self) -> Vec<ModelName> {
        let model = |member: &Self| match member {
            Self::Model(name) => Some(name.clone()),
            _ => None,
        };
        self.members().iter().filter_map(model).collect()
    }

    /// Whether a model is among them.
    pub fn asks_models(&self) -> bool {
        !self.models().is_empty()
    }

    fn member(text: &str) -> Result<Self, JudgeNameError> {
        match text.trim() {
            RULES => Ok(Self::Rules),
            name => model(name).map(Self::Model),
        }
    }
}

fn model(text: &str) -> Result<ModelName, JudgeNameError> {
    text.trim().parse().map_err(|source| JudgeNameError { source })
}

impl FromStr for JudgeName {
    type Err = JudgeNameError;

    fn from_str(text: &str) -> Result<Self, JudgeNameError> {
        if let Some(names) = text.strip_prefix(PANEL) {
            return names.split(',').map(Self::member).collect::<Result<_, _>>().map(Self::Panel);
        }
        match text.strip_prefix(ASSISTED) {
            Some(name) => model(name).map(Self::Assisted),
            None => Self::member(text),
        }
    }
}

impl fmt::Display for JudgeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => formatter.write_str(RULES),
            Self::Model(name) => name.fmt(formatter),
            Self::Assisted(name) => write!(formatter, "{ASSISTED}{name}"),
            Self::Panel(members) => {
                let names: Vec<String> = members.iter().map(ToString::to_string).collect();
                write!(formatter, "{PANEL}{}", names.join(","))
            }
        }
    }
}

impl Serialize for JudgeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for JudgeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl JsonSchema for JudgeName {
    fn schema_name() -> Cow<'static, str> {
        "JudgeName".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_is_written_as_it_is_read() {
        for text in ["rules", "local/qwen", "rules+local/a", "panel:local/a,rules,hub/meta/b"] {
            assert_eq!(text.parse::<JudgeName>().unwrap().to_string(), text);
        }
        let panel: JudgeName = "panel: local/a , rules".parse().unwrap();
        assert_eq!(panel.members().len(), 2);
        assert!(panel.asks_models() && !JudgeName::Rules.asks_models());
        let assisted: JudgeName = "rules+local/a".parse().unwrap();
        assert_eq!((assisted.members().len(), assisted.models().len()), (2, 1));
    }

    #[test]
    fn what_is_no_judge_is_answered_with_those_there_are() {
        for text in ["qwen", "panel:", "panel:local/a,,rules", "rules+rules", "panel:rules+local/a"]
        {
            let error = text.parse::<JudgeName>().unwrap_err().to_string();
            assert!(error.contains("`panel:A,B,C`"), "{text}: {error}");
        }
    }
}

//! Who judges, as people write it: `rules`, `provider/model`, `panel:A,B,C`.

use std::fmt;
use std::str::FromStr;

use assize_models::{ModelName, ModelNameError};
use thiserror::Error;

const RULES: &str = "rules";
const PANEL: &str = "panel:";

/// Who judges, as it is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JudgeName {
    /// The rule judge: offline and deterministic.
    Rules,
    /// One model.
    Model(ModelName),
    /// Several judges who vote, rules and models mixed; no panel sits in a panel.
    Panel(Vec<JudgeName>),
}

/// Why a name was refused.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{source}; the other judges are `rules` and `panel:A,B,C`")]
pub struct JudgeNameError {
    source: ModelNameError,
}

impl JudgeName {
    /// Those who judge: the judge alone, or everyone in the panel.
    pub fn members(&self) -> &[Self] {
        match self {
            Self::Panel(members) => members,
            alone => std::slice::from_ref(alone),
        }
    }

    /// Whether a model is among them.
    pub fn asks_models(&self) -> bool {
        self.members().iter().any(|member| matches!(member, Self::Model(_)))
    }

    fn one(text: &str) -> Result<Self, JudgeNameError> {
        match text.trim() {
            RULES => Ok(Self::Rules),
            name => Ok(Self::Model(name.parse().map_err(|source| JudgeNameError { source })?)),
        }
    }
}

impl FromStr for JudgeName {
    type Err = JudgeNameError;

    fn from_str(text: &str) -> Result<Self, JudgeNameError> {
        match text.strip_prefix(PANEL) {
            Some(names) => {
                names.split(',').map(Self::one).collect::<Result<_, _>>().map(Self::Panel)
            }
            None => Self::one(text),
        }
    }
}

impl fmt::Display for JudgeName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rules => formatter.write_str(RULES),
            Self::Model(name) => name.fmt(formatter),
            Self::Panel(members) => {
                let names: Vec<String> = members.iter().map(ToString::to_string).collect();
                write!(formatter, "{PANEL}{}", names.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_is_written_as_it_is_read() {
        for text in ["rules", "local/qwen", "panel:local/a,rules,hub/meta/b"] {
            assert_eq!(text.parse::<JudgeName>().unwrap().to_string(), text);
        }
        let panel: JudgeName = "panel: local/a , rules".parse().unwrap();
        assert_eq!(panel.members().len(), 2);
        assert!(panel.asks_models() && !JudgeName::Rules.asks_models());
    }

    #[test]
    fn what_is_no_judge_is_answered_with_those_there_are() {
        for text in ["qwen", "panel:", "panel:local/a,,rules", "panel:panel:local/a"] {
            let error = text.parse::<JudgeName>().unwrap_err().to_string();
            assert!(error.contains("`rules` and `panel:A,B,C`"), "{text}: {error}");
        }
    }
}

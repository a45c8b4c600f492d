//! Who wrote what: by model, whatever name a model goes by.
//!
//! A reviewer that marks its own model's answer under another name is still its author, so
//! names are compared without case, white space, provider and sample number.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// Beginnings of model names and the vendor's family they belong to.
const FAMILIES: &str = include_str!("../../defaults/council/families.toml");

static KNOWN: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    #[derive(Deserialize)]
    struct File {
        family: std::collections::BTreeMap<String, Vec<String>>,
    }
    let file: File = toml::from_str(FAMILIES).expect("the file is part of the program and tested");
    file.family.into_iter().collect()
});

/// Whose answers a reviewer may not count for, unless own reviews count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recusal {
    /// Those of its own model.
    #[default]
    Model,
    /// Those of every model of its vendor's family.
    Family,
}

impl Recusal {
    /// Whether only the own model's answers are left out, as usual.
    pub fn is_by_model(&self) -> bool {
        *self == Self::Model
    }
}

impl std::str::FromStr for Recusal {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "model" => Ok(Self::Model),
            "family" => Ok(Self::Family),
            _ => Err(format!("unknown recusal `{name}`; expected model or family")),
        }
    }
}

/// Somebody by name, and by model where that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Author<'a> {
    /// The name it goes by.
    pub name: &'a str,
    /// The model behind it.
    pub model: Option<&'a str>,
}

impl Author<'_> {
    /// Whether both are the same model. A name counts only where no model is known: two
    /// different models may be given one name.
    pub fn is_same_model(self, other: Author<'_>) -> bool {
        plain(self.model.unwrap_or(self.name)) == plain(other.model.unwrap_or(other.name))
    }

    /// The vendor's family, as far as the model's name tells: the known family that its name or
    /// its vendor's begins with, else the first word of the name.
    pub fn family(self) -> Option<String> {
        let whole = folded(self.model.unwrap_or(self.name));
        let parts = whole.rsplit('/').filter(|part| !part.is_empty());
        for part in parts.clone() {
            let begins = |(_, starts): &&(String, Vec<String>)| {
                starts.iter().any(|start| part.starts_with(start.as_str()))
            };
            if let Some((family, _)) = KNOWN.iter().find(begins) {
                return Some(family.clone());
            }
        }
        let name = parts.clone().next()?;
        let word: String = name.chars().take_while(|letter| letter.is_alphabetic()).collect();
        (!word.is_empty()).then_some(word)
    }
}

/// The model's own name: without case, white space around it, provider and sample number.
fn plain(name: &str) -> String {
    let folded = folded(name);
    let last = folded.rsplit('/').find(|part| !part.is_empty()).unwrap_or_default();
    last.to_owned()
}

fn folded(name: &str) -> String {
    let name = name.trim();
    let name = match name.rsplit_once('#') {
        Some((model, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => model,
        _ => name,
    };
    name.trim().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(name: &str) -> Author<'_> {
        Author { name, model: None }
    }

    #[test]
    fn a_model_is_itself_under_every_name() {
        let model = Author { name: "judge", model: Some("openai/gpt-4o") };
        for same in ["OpenAI/GPT-4o ", "gpt-4o", "hub/openai/gpt-4o", "openai/gpt-4o#2"] {
            assert!(model.is_same_model(by(same)), "{same}");
        }
        for other in ["openai/gpt-4o-mini", "judge", "gpt-4"] {
            assert!(!model.is_same_model(by(other)), "{other}");
        }
    }

    #[test]
    fn a_family_is_the_vendors() {
        for (name, family) in [
            ("openai/gpt-4o", "openai"),
            ("hub/o3-mini", "openai"),
            ("Anthropic/Claude-sonnet-4-5", "anthropic"),
            ("together/meta-llama/Llama-3-70b", "meta"),
            ("local/qwen2.5", "alibaba"),
            ("local/wizard-7b", "wizard"),
        ] {
            assert_eq!(by(name).family().as_deref(), Some(family), "{name}");
        }
        assert_eq!(by("local/123").family(), None);
    }
}

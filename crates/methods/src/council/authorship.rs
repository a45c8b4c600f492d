//! Who wrote what: by model, whatever name a model goes by.
//!
//! A reviewer that marks its own model's answer under another name is still its author. Names are
//! compared in their one form (`model_name`); where that leaves a doubt, the reviewer is recused.

use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::model_name::ModelName;
use crate::gate::plain;

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
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    pub(crate) fn is_by_model(&self) -> bool {
        *self == Self::Model
    }
}

impl fmt::Display for Recusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(if self.is_by_model() { "model" } else { "family" })
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

/// Whether two names stand for one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Sameness {
    /// They do.
    Same,
    /// They may, and why.
    Doubtful(String),
    /// They do not.
    Different,
}

impl Author<'_> {
    /// Whether both are one model. Where both models are known, they decide: two models may be
    /// given one name. Otherwise a name is compared with the name and the model of the other.
    pub(crate) fn sameness(self, other: Author<'_>) -> Sameness {
        match (self.model, other.model) {
            (Some(one), Some(two)) => compare(one, two),
            (None, None) => compare(self.name, other.name),
            (Some(model), None) => one_known(model, self.name, other.name),
            (None, Some(model)) => one_known(model, other.name, self.name),
        }
    }

    /// Whether both are one model, or may be.
    pub fn is_same_model(self, other: Author<'_>) -> bool {
        self.sameness(other) != Sameness::Different
    }

    /// The vendor's family, as far as the model's name tells: the known family that its name or
    /// its vendor's begins with, else the first word of the name.
    pub fn family(self) -> Option<String> {
        let whole = plain(self.model.unwrap_or(self.name)).replace(' ', "-");
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

/// A name against a participant whose model is known beside its own name.
fn one_known(model: &str, seat: &str, name: &str) -> Sameness {
    let by_model = compare(model, name);
    if by_model == Sameness::Same {
        return by_model;
    }
    match compare(seat, name) {
        Sameness::Same => Sameness::Doubtful(format!("both are called `{name}`")),
        _ => by_model,
    }
}

fn compare(one: &str, other: &str) -> Sameness {
    let (left, right) = (ModelName::new(one), ModelName::new(other));
    if left.is(&right) {
        return Sameness::Same;
    }
    match left.doubt(&right) {
        Some(doubt) => {
            Sameness::Doubtful(format!("`{one}` and `{other}` may be one model ({doubt})"))
        }
        None => Sameness::Different,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(name: &str) -> Author<'_> {
        Author { name, model: None }
    }

    /// Every spelling of one model: none of them may review its own answer.
    const SPELLINGS: [(&str, &str); 38] = [
        ("openai/gpt-4o", "gpt-4o"),
        ("openai/gpt-4o", "OpenAI/GPT-4o "),
        ("openai/gpt-4o", "openai:gpt-4o"),
        ("openai/gpt-4o", "GPT 4o"),
        ("openai/gpt-4o", "gpt4o"),
        ("openai/gpt-4o", "gpt_4o"),
        ("openai/gpt-4o", "OpenAI GPT-4o"),
        ("openai/gpt-4o", "hub/openai/gpt-4o"),
        ("openai/gpt-4o", "openai/gpt-4o#2"),
        ("openai/gpt-4o", "gpt-4o-2024-05-13"),
        ("openai/gpt-4o", "gpt-4o-20240513"),
        ("openai/gpt-4o", "gpt-4o:latest"),
        ("openai/gpt-4o", "gpt-4o-latest"),
        ("openai/gpt-4o", "gpt-4\u{43e}"),
        ("openai/gpt-4o", "gpt\u{200b}-4o"),
        ("openai/gpt-4o", "gpt-4o\u{feff}"),
        ("openai/gpt-4o", "ｇｐｔ－４ｏ"),
        ("openai/gpt-4o", "gpt\u{2011}4o"),
        ("openai/gpt-4o", "gpt-4o (temp 0.7)"),
        ("openai/gpt-4o", "gpt-4o temperature 0.7"),
        ("openai/gpt-4o", "gpt-4o run 2"),
        ("openai/gpt-4o", "gpt-40"),
        ("openai/gpt-4o", "𝗴𝗽𝘁-𝟰𝗼"),
        ("openai/gpt-4o", "gpt-4o via OpenRouter"),
        ("openai/gpt-4", "gpt-4-0613"),
        ("openai/gpt-3.5-turbo", "gpt-3.5-turbo-0125"),
        ("local/llama3", "llama3:latest"),
        ("local/llama3:8b", "ollama/llama3:8b-q4_K_M"),
        ("local/llama3:8b", "Llama3-8B-GGUF"),
        ("meta-llama/Llama-3-8B", "TheBloke/llama-3-8b-AWQ"),
        ("openrouter/meta-llama/llama-3-8b", "llama-3-8b:free"),
        ("meta/llama-3.1-8b", "Meta Llama 3.1 8B"),
        ("anthropic/claude-sonnet-4-5", "claude-sonnet-4-5-20250929"),
        ("anthropic/claude-sonnet-4-5", "Claude 4.5 Sonnet"),
        ("anthropic/claude-3-5-sonnet", "us.anthropic.claude-3-5-sonnet-20240620-v1:0"),
        ("anthropic/claude-3-5-sonnet-20240620", "claude-3-5-sonnet@20240620"),
        ("google/gemini-2.5-pro", "gemini-2.5-pro-preview-05-06"),
        ("cohere/command-r-plus", "command-r+ 08-2024"),
    ];

    /// Honest neighbours: two models, both of which may review the other.
    const NEIGHBOURS: [(&str, &str); 30] = [
        ("gpt-4o", "gpt-4o-mini"),
        ("gpt-4o", "gpt-4"),
        ("gpt-4", "gpt-4-turbo"),
        ("gpt-4.1", "gpt-4"),
        ("gpt-4.1", "gpt-4.1-mini"),
        ("gpt-3.5-turbo", "gpt-3.5-turbo-16k"),
        ("o1", "o1-mini"),
        ("o1", "o3"),
        ("o1", "o1-preview"),
        ("claude-3-opus", "claude-3-sonnet"),
        ("claude-3-5-sonnet", "claude-3-7-sonnet"),
        ("claude-sonnet-4-5", "claude-opus-4-5"),
        ("claude-sonnet-4", "claude-sonnet-4-5"),
        ("gemini-1.5-pro", "gemini-1.5-flash"),
        ("gemini-2.5-flash", "gemini-2.5-flash-lite"),
        ("llama-3-8b", "llama-3-70b"),
        ("llama-3-8b", "llama-3.1-8b"),
        ("llama-3-8b", "llama-3-8b-instruct"),
        ("llama3:8b", "llama3:70b"),
        ("llama3", "llama3.1"),
        ("llama-3-8b", "llama-38b"),
        ("qwen2.5-7b", "qwen2.5-14b"),
        ("qwen2.5-7b", "qwen2.5-coder-7b"),
        ("mixtral-8x7b", "mixtral-8x22b"),
        ("mistral-small", "mistral-large"),
        ("command-r", "command-r-plus"),
        ("deepseek-v3", "deepseek-r1"),
        ("smollm2-135m", "smollm2-360m"),
        ("phi-3-mini", "phi-3-medium"),
        ("grok-2", "grok-3"),
    ];

    #[test]
    fn a_model_is_itself_under_every_spelling() {
        for (model, spelling) in SPELLINGS {
            let reviewer = Author { name: "judge", model: Some(model) };
            assert!(reviewer.is_same_model(by(spelling)), "{model} and {spelling}");
            assert!(by(spelling).is_same_model(reviewer), "{spelling} and {model}");
        }
    }

    #[test]
    fn honest_near_names_are_two_models() {
        for (one, other) in NEIGHBOURS {
            assert_eq!(by(one).sameness(by(other)), Sameness::Different, "{one} and {other}");
        }
    }

    #[test]
    fn a_spelling_is_certain_and_a_snapshot_is_a_doubt() {
        assert_eq!(by("openai:GPT-4o").sameness(by("gpt-4o:latest")), Sameness::Same);
        let doubt = by("gpt-4o").sameness(by("gpt-4o-2024-05-13"));
        let Sameness::Doubtful(why) = doubt else { panic!("{doubt:?}") };
        assert!(why.contains("a dated snapshot"), "{why}");
    }

    /// A seat may be called like an answer; where both models are known, they decide.
    #[test]
    fn who_bears_the_name_of_an_answer_is_in_doubt_unless_both_models_are_known() {
        let seat = Author { name: "x", model: Some("local/m1") };
        assert!(matches!(seat.sameness(by("x")), Sameness::Doubtful(_)));
        assert_eq!(seat.sameness(by("y")), Sameness::Different);
        let member = Author { name: "x", model: Some("local/m2") };
        assert_eq!(seat.sameness(member), Sameness::Different);
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

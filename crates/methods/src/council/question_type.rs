//! Which rubric suits a question: a rule of words that anyone can follow, and no model.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::profile::Profile;
use crate::gate::Gate;

/// The rule: types of questions, the first that fits.
const RULE: &str = include_str!("../../defaults/council/questions.toml");

/// The rubric of questions that are better declined.
const REFUSAL: &str = "refusal-expected";

static TYPES: LazyLock<TypesFile> =
    LazyLock::new(|| toml::from_str(RULE).expect("a test reads the types of questions"));

/// Why a rubric was taken that nobody named.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileChoice {
    /// By which rule, with its version.
    pub rule: String,
    /// What in the question decided, in words.
    pub because: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypesFile {
    version: u32,
    #[serde(rename = "type")]
    types: Vec<QuestionType>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct QuestionType {
    profile: String,
    /// Anywhere, letter by letter.
    signs: Vec<String>,
    /// Anywhere, as whole words.
    words: Vec<String>,
    /// At the beginning, as whole words.
    begins: Vec<String>,
    /// None of these anywhere, as whole words.
    unless: Vec<String>,
}

/// The name of the rubric that suits a question, and why.
///
/// ```
/// use assize_methods::council::profile_for;
/// let (profile, choice) = profile_for("Write a haiku about rain.");
/// assert_eq!(profile, "creative");
/// assert_eq!(choice.because, "the question holds “haiku”");
/// ```
pub fn profile_for(question: &str) -> (String, ProfileChoice) {
    let rule = format!("auto {}", TYPES.version);
    let chosen = |name: &str, because: String| (name.to_owned(), ProfileChoice { rule, because });
    let gate = Gate::built_in().check(question);
    if let Some(finding) = gate.findings.iter().find(|finding| !finding.context.excused) {
        let category = finding.category.name().replace('_', " ");
        return chosen(REFUSAL, format!("the safety gate fails the question ({category})"));
    }
    let words = words(question);
    let fits = |one: &QuestionType| Some((one.profile.clone(), one.reason(question, &words)?));
    match TYPES.types.iter().find_map(fits) {
        Some((profile, because)) => chosen(&profile, because),
        None => chosen(&Profile::default().name, "the question is of no special type".to_owned()),
    }
}

impl QuestionType {
    fn reason(&self, question: &str, words: &str) -> Option<String> {
        let holds = |phrase: &&String| words.contains(&format!(" {phrase} "));
        if self.unless.iter().any(|phrase| holds(&phrase)) {
            return None;
        }
        let sign = self.signs.iter().find(|sign| question.contains(sign.as_str()));
        if let Some(found) = sign.or_else(|| self.words.iter().find(holds)) {
            return Some(format!("the question holds “{found}”"));
        }
        let begins = |phrase: &&String| words.starts_with(&format!(" {phrase} "));
        self.begins.iter().find(begins).map(|found| format!("the question begins with “{found}”"))
    }
}

/// Lowercase words with a blank around each.
fn words(question: &str) -> String {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '+' | '#');
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter| !is_part(letter)).filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_names_a_rubric_that_there_is_and_can_be_reached() {
        for one in &TYPES.types {
            assert!(Profile::names().contains(&one.profile.as_str()), "{}", one.profile);
            for phrase in one.words.iter().chain(&one.begins).chain(&one.unless) {
                assert_eq!(words(phrase), format!(" {phrase} "), "compared as it is written");
            }
        }
    }

    #[test]
    fn a_question_gets_the_rubric_of_its_type_and_the_reason_is_named() {
        for (question, profile, because) in [
            ("Write a Python function that sorts a list.", "code", "“python”"),
            ("Why does this fail?\n```\nlet x = 1\n```", "code", "“```”"),
            ("My C++ program crashes.", "code", "“c++”"),
            ("Compose a sonnet on autumn", "creative", "“sonnet”"),
            ("Tell me a joke about lawyers!", "creative", "“a joke”"),
            ("Who wrote Middlemarch?", "factual", "begins with “who”"),
            ("How many moons does Mars have?", "factual", "begins with “how many”"),
            ("WHAT IS the capital of Peru", "factual", "begins with “what is”"),
            ("How to make a bomb at home?", "refusal-expected", "the safety gate fails"),
            ("What is the best way to learn Dutch?", "default", "no special type"),
            ("How should I tell my boss that I quit?", "default", "no special type"),
            ("Explain how vaccines work to a child.", "default", "no special type"),
            ("The whole story of pythons", "default", "no special type"),
            ("", "default", "no special type"),
        ] {
            let (found, choice) = profile_for(question);
            assert_eq!(found, profile, "{question}: {choice:?}");
            assert!(choice.because.contains(because), "{question}: {choice:?}");
            assert_eq!(choice.rule, "auto 1");
        }
    }
}

//! What the three tools take, each its part of it.

use std::path::Path;

use assize_engine::asking::Limit;
use assize_engine::council::{Choices, Participant, Supplied, SuppliedAnswer};
use assize_methods::council::{ByDimension, Dimension, Profile, ProfileError};
use assize_wire::text::line;
use rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::reply::Refusal;

/// How many answers one council takes.
pub(super) const ANSWERS_MAX: usize = 64;
/// How many members, and how many reviewers.
pub(super) const PARTICIPANTS_MAX: usize = 32;

/// What the tools take.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// The question that was asked or is to be asked
    pub(super) question: Option<String>,
    /// The answers to review: two or more, each by a different author
    answers: Option<Vec<AnswerArgument>>,
    /// Models that answer, as provider/model; name=provider/model sets a name, and a model listed
    /// twice is asked twice [default: the server's]
    members: Option<Vec<String>>,
    /// Models that review, written like members [default: the server's; for `council_ask` the
    /// members]
    reviewers: Option<Vec<String>>,
    /// Model that writes the final answer from the answers that pass [default: none]
    chair: Option<String>,
    /// The rubric: default, classic, factual, code, creative or refusal-expected
    profile: Option<String>,
    /// Weights that override the profile's, each from 0 to 1; together with the remaining ones they
    /// must sum to 1
    weights: Option<WeightArguments>,
    /// How to aggregate reviews into a ranking: additive, mean, trimmed, z-score, borda, copeland,
    /// schulze, kemeny, bradley-terry or plackett-luce
    aggregate: Option<String>,
    /// Rank answers that give harmful instructions or expose personal data below all others
    safety_gate: Option<bool>,
    /// How far the safety gate looks: `rules`, or `learned` for rules and a classifier; turns the
    /// gate on
    gate_stage: Option<String>,
    /// False-positive rate that the learned stage of the gate aims at, 0.002 to 0.05 [default: 0.01]
    gate_rate: Option<f64>,
    /// Maximum score of an answer that fails the safety gate, 0 to 10 [default: 0]
    safety_score_cap: Option<f64>,
    /// Also count reviews of the reviewer's own answer
    include_self: Option<bool>,
    /// Which reviews to exclude as self-reviews: of the reviewer's own model (`model`, the default)
    /// or of its vendor's model family (`family`)
    recuse: Option<String>,
    /// Break ties by the score before caps, then by accuracy
    break_ties: Option<bool>,
    /// Minimum number of answers required [default: 2]
    quorum: Option<usize>,
    /// Random seed for resampling and for the order in which reviewers see answers [default: 0]
    seed: Option<u64>,
    /// Budget of this call: tokens such as 200k, or dollars such as $1
    budget: Option<String>,
    /// Only estimate calls, tokens and price; nothing is sent
    pub(super) dry_run: Option<bool>,
    /// Also return the whole evidence as `record`, to pass to `council_rescore`
    pub(super) include_record: Option<bool>,
    /// The `id` of an earlier council stored by this server
    pub(super) run: Option<String>,
    /// The `id`s of earlier councils stored by this server
    pub(super) runs: Option<Vec<String>>,
    /// Pairs of answers with human preferences and reviewers' ratings
    pub(super) comparisons: Option<Vec<serde_json::Map<String, Value>>>,
    /// The `record` of an earlier council, or the content of a saved council file
    pub(super) record: Option<serde_json::Map<String, Value>>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct AnswerArgument {
    /// Who wrote it; reviewers do not see this
    model: String,
    /// The text of the answer
    text: String,
}

#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct WeightArguments {
    accuracy: Option<f64>,
    relevance: Option<f64>,
    completeness: Option<f64>,
    conciseness: Option<f64>,
    clarity: Option<f64>,
}

impl WeightArguments {
    fn by_dimension(self) -> ByDimension<f64> {
        let all = [
            (Dimension::Accuracy, self.accuracy),
            (Dimension::Relevance, self.relevance),
            (Dimension::Completeness, self.completeness),
            (Dimension::Conciseness, self.conciseness),
            (Dimension::Clarity, self.clarity),
        ];
        all.into_iter().filter_map(|(dimension, weight)| Some((dimension, weight?))).collect()
    }
}

impl Arguments {
    /// What was chosen here; file and environment stand below it.
    pub(super) fn choices(&self) -> Result<Choices, Refusal> {
        // A profile may be a file on the command line. Here it is a name and nothing else, or
        // a caller could read files.
        if let Some(name) = &self.profile
            && !Profile::names().contains(&name.as_str())
        {
            return Err(ProfileError::Unknown(name.clone()).into());
        }
        let chair = self.chair.as_ref().map(|chair| participant("chair", chair)).transpose()?;
        Ok(Choices {
            profile: self.profile.clone(),
            weights: self.weights.map(WeightArguments::by_dimension).unwrap_or_default(),
            safety_gate: self.safety_gate.or(self.gate_stage.as_ref().map(|_| true)),
            safety_score_cap: self.safety_score_cap,
            gate_stage: self.gate_stage.clone(),
            gate_rate: self.gate_rate,
            // Files are not for a caller to name.
            gate_patterns: Vec::new(),
            trust: None,
            signing_key: None,
            aggregate: self.aggregate.clone(),
            seed: self.seed,
            quorum: self.quorum,
            include_self: self.include_self,
            break_ties: self.break_ties,
            recuse: self.recuse.clone(),
            scoring: None,
            members: participants("members", self.members.as_deref())?,
            reviewers: participants("reviewers", self.reviewers.as_deref())?,
            chair,
        })
    }

    /// The answers, each by another author and none empty.
    pub(super) fn answers(&self) -> Result<Vec<SuppliedAnswer>, Refusal> {
        let answers = self.answers.as_deref().unwrap_or_default();
        at_most(ANSWERS_MAX, "answers", answers.len())?;
        // The same door as for a file of answers.
        let text = line(&answers);
        Ok(Supplied::from_text(Path::new("answers"), &text)?.answers)
    }

    /// The most that may be spent.
    pub(super) fn budget(&self) -> Result<Option<Limit>, Refusal> {
        Ok(self.budget.as_ref().map(|text| text.parse()).transpose()?)
    }
}

fn participants(field: &str, typed: Option<&[String]>) -> Result<Vec<Participant>, Refusal> {
    let typed = typed.unwrap_or_default();
    at_most(PARTICIPANTS_MAX, field, typed.len())?;
    typed.iter().map(|text| participant(field, text)).collect()
}

fn participant(field: &str, typed: &str) -> Result<Participant, Refusal> {
    typed.parse::<Participant>().map_err(|error| Refusal::because(format!("{field}: {error}")))
}

pub(super) fn at_most(most: usize, field: &str, found: usize) -> Result<(), Refusal> {
    if found <= most {
        return Ok(());
    }
    Err(Refusal::because(format!(
        "{field}: {found} were given; this server accepts at most {most}"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(text: &str) -> Arguments {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_profile_is_a_name_and_never_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret.toml");
        std::fs::write(&path, "password = 'swordfish'").unwrap();
        for name in [path.to_str().unwrap(), "../secret.toml", "secret.toml", "poetry"] {
            let refusal = Arguments { profile: Some(name.to_owned()), ..Arguments::default() };
            let refusal = refusal.choices().unwrap_err().0.message;
            assert!(refusal.contains("the profiles are default, classic"), "{refusal}");
            assert!(!refusal.contains("swordfish"), "{refusal}");
        }
        let choices = arguments(r#"{"profile": "classic"}"#).choices().unwrap();
        assert_eq!(choices.profile.as_deref(), Some("classic"));
    }

    #[test]
    fn answers_and_seats_are_counted_and_told_apart() {
        let answer = |n: usize| format!(r#"{{"model": "{n}", "text": "x"}}"#);
        let many: Vec<String> = (0..=ANSWERS_MAX).map(answer).collect();
        let many = arguments(&format!(r#"{{"answers": [{}]}}"#, many.join(", ")));
        let refusal = many.answers().unwrap_err().0.message;
        assert!(refusal.contains("65 were given") && refusal.contains("at most 64"), "{refusal}");
        let twice = r#"{"answers": [{"model": "a", "text": "x"}, {"model": "a", "text": "y"}]}"#;
        assert!(
            arguments(twice).answers().unwrap_err().0.message.contains("two answers are by `a`")
        );
        let refusal = arguments(r#"{"reviewers": ["qwen"]}"#).choices().unwrap_err().0.message;
        assert!(refusal.starts_with("reviewers: "), "{refusal}");
    }
}

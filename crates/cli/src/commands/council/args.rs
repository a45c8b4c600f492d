//! Arguments that the council's commands share: how it counts, and how it is shown.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use assize_engine::council::{Choices, ChoicesError, Participant};
use assize_methods::council::Dimension;
use clap::Args;

use crate::model_args::variables;
use crate::output::shown::OutputArguments;

#[derive(Debug, Args)]
#[command(next_help_heading = "Ranking")]
pub(crate) struct CountingArguments {
    /// Rubric: default, classic, factual, code, creative, refusal-expected, or a file
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) profile: Option<String>,
    /// Weights that override the profile's, each from 0 to 1; they must sum to 1
    #[arg(long, value_name = "DIMENSION=WEIGHT,…", value_delimiter = ',')]
    pub(crate) weights: Vec<Weight>,
    /// How to aggregate reviews into a ranking: additive (default), mean, trimmed, z-score, borda,
    /// copeland, schulze, kemeny, bradley-terry, plackett-luce
    #[arg(long, value_name = "METHOD")]
    pub(crate) aggregate: Option<String>,
    /// Rank answers that give harmful instructions or expose personal data below all others: true
    /// or rules (by rules alone), learned (rules and a classifier), or false
    #[arg(long, value_name = "rules|learned|BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) safety_gate: Option<GateArgument>,
    /// False-positive rate that the learned stage of the gate aims at, 0.002 to 0.05 [default: 0.01]
    #[arg(long, value_name = "RATE")]
    pub(crate) gate_rate: Option<f64>,
    /// Maximum score of an answer that fails the safety gate [default: 0]
    #[arg(long, value_name = "SCORE")]
    pub(crate) safety_score_cap: Option<f64>,
    /// File with additional safety gate rules (repeatable)
    #[arg(long, value_name = "FILE")]
    pub(crate) gate_patterns: Vec<PathBuf>,
    /// File of reviewer weights made by `assize council bench --save-trust`
    #[arg(long, value_name = "FILE")]
    pub(crate) trust: Option<PathBuf>,
    /// Also count reviews of answers by the reviewer's own model
    #[arg(long = "count-own", alias = "include-self", value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) include_self: Option<bool>,
    /// What reviewers are asked for: rubric (default), holistic (one overall score), or both (marks
    /// and an overall score, to compare)
    #[arg(long, value_name = "rubric|holistic|both")]
    pub(crate) scoring: Option<String>,
    /// Which reviews to exclude as self-reviews: of the reviewer's own model, or of its vendor's
    /// model family
    #[arg(long, value_name = "model|family")]
    pub(crate) recuse: Option<String>,
    /// Break ties by the score before caps, then by accuracy
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) break_ties: Option<bool>,
}

impl CountingArguments {
    /// What was chosen here.
    pub(crate) fn to_choices(&self) -> Choices {
        Choices {
            profile: self.profile.clone(),
            weights: self.weights.iter().map(|weight| (weight.dimension, weight.value)).collect(),
            safety_gate: self.safety_gate.as_ref().map(|gate| *gate != GateArgument::Off),
            safety_score_cap: self.safety_score_cap,
            gate_patterns: self.gate_patterns.clone(),
            gate_stage: self.safety_gate.as_ref().and_then(GateArgument::stage),
            gate_rate: self.gate_rate,
            trust: self.trust.clone(),
            aggregate: self.aggregate.clone(),
            include_self: self.include_self,
            break_ties: self.break_ties,
            recuse: self.recuse.clone(),
            scoring: self.scoring.clone(),
            ..Choices::default()
        }
    }
}

/// The safety gate as it is typed: on, off, or how far it looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GateArgument {
    /// Not at all.
    Off,
    /// As far as it did or does elsewhere.
    On,
    /// This far.
    Stage(String),
}

impl GateArgument {
    fn stage(&self) -> Option<String> {
        match self {
            Self::Stage(stage) => Some(stage.clone()),
            Self::Off | Self::On => None,
        }
    }
}

impl FromStr for GateArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "true" => Ok(Self::On),
            "false" => Ok(Self::Off),
            "rules" | "learned" => Ok(Self::Stage(text.to_owned())),
            _ => Err(format!("invalid value `{text}`: expected rules, learned, true or false")),
        }
    }
}

/// One weight as it is typed: `accuracy=0.4`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weight {
    dimension: Dimension,
    value: f64,
}

impl FromStr for Weight {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let example =
            || format!("invalid weight `{text}`: expected something like accuracy=0.4,clarity=0.2");
        let (name, value) = text.split_once('=').ok_or_else(example)?;
        let names = Dimension::ALL.map(Dimension::name).join(", ");
        let dimension = Dimension::named(name)
            .ok_or_else(|| format!("unknown dimension `{name}`; the dimensions are {names}"))?;
        Ok(Self { dimension, value: value.trim().parse().map_err(|_| example())? })
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Council")]
pub(crate) struct CouncilArguments {
    /// Models that review the answers; a model listed twice reviews twice
    #[arg(long, value_name = "MODEL,…", value_delimiter = ',')]
    pub(crate) reviewers: Vec<Participant>,
    /// Model that writes the final answer from the answers that pass
    #[arg(long, value_name = "MODEL")]
    pub(crate) chair: Option<Participant>,
    /// Minimum number of answers required [default: 2]
    #[arg(long, value_name = "N")]
    pub(crate) quorum: Option<usize>,
    /// Random seed for resampling and for the order in which reviewers see answers [default: 0]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seed: Option<u64>,
    /// File to save the council run to, for report and rescore [default: assize-councils/ID.json;
    /// none with --replay]
    #[arg(long, value_name = "FILE")]
    pub(crate) run: Option<PathBuf>,
}

impl CouncilArguments {
    /// These choices and those of the counting, over environment and file.
    pub(crate) fn to_choices(
        &self,
        members: &[Participant],
        counting: &CountingArguments,
        config: Option<&Path>,
    ) -> Result<Choices, ChoicesError> {
        let flags = Choices {
            seed: self.seed,
            quorum: self.quorum,
            members: members.to_vec(),
            reviewers: self.reviewers.clone(),
            chair: self.chair.clone(),
            ..counting.to_choices()
        };
        Ok(flags.under(Choices::of_operator(&variables(), config)?))
    }
}

/// How a verdict is shown.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct VerdictArguments {
    #[command(flatten)]
    pub(crate) to: OutputArguments,
    /// Show how every score was computed
    #[arg(long)]
    pub(crate) explain: bool,
    /// Exit with 1 if there is no winner
    #[arg(long)]
    pub(crate) require_winner: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_is_a_known_dimension_and_a_number() {
        let weight: Weight = "Clarity=0.25".parse().unwrap();
        assert_eq!((weight.dimension, weight.value), (Dimension::Clarity, 0.25));
        assert!("beauty=1".parse::<Weight>().unwrap_err().contains("accuracy"));
        assert!("clarity".parse::<Weight>().is_err());
        // Not a number is a number as typed; the rubric refuses it and names the sum.
        assert!("clarity=NaN".parse::<Weight>().unwrap().value.is_nan());
    }
}

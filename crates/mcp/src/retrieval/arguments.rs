//! What the tool takes.

use std::num::NonZeroUsize;

use assize_engine::retrieval::request::{self, ScoreRequest};
use assize_engine::retrieval::uncertainty::Uncertainty;
use assize_methods::retrieval::passages::PassageOptions;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

use crate::form::Form;
use crate::reply::Refusal;

/// How often queries may be drawn anew.
const RESAMPLES_MAX: usize = 10_000;

/// The tool.
pub(crate) const FORM: Form = Form {
    name: "retrieval_score",
    title: "Score a retrieval run",
    description: "\
Scores a retrieval run against its gold standard, with bootstrap intervals; no model is called. \
Two kinds, detected from the input. Passages: predictions [{query, retrieved_passages: [text, …]}] \
against gold {tests: [{query, snippets: [{answer: \
text}]}]}: exact_match, span_f1, recall@k and ndcg@k; where both sides give {file_path, span: \
[start, end]}, character measures \
too. Ranked: predictions {query_id: {document_id: score}} against gold {query_id: {document_id: \
level}}: ndcg@10, map, mrr, \
recall@100 and the other measures of trec_eval.",
    takes: &[
        "predictions",
        "gold",
        "k",
        "measures",
        "mode",
        "per_query",
        "require_all",
        "confidence",
        "resamples",
        "seed",
    ],
    needs: &["predictions", "gold"],
    asks_models: false,
};

/// What it takes.
#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct Arguments {
    /// The retrieved results: a list with query and `retrieved_passages`, or scores by query and
    /// document
    pub(super) predictions: Value,
    /// The gold standard: an object with tests, or relevance levels by query and document
    pub(super) gold: Value,
    /// Number of top passages to score [default: 10]
    pub(super) k: Option<NonZeroUsize>,
    /// Measures to compute [default: the four of the passage scorer; for ranked runs ndcg@k, map, recall@k, mrr]
    pub(super) measures: Option<Vec<String>>,
    /// Kind of scoring [default: auto]
    pub(super) mode: Option<Mode>,
    /// Also return the values of every query
    pub(super) per_query: Option<bool>,
    /// Score gold queries without a prediction as 0 instead of skipping them
    pub(super) require_all: Option<bool>,
    /// Confidence level of intervals, between 0 and 1 [default: 0.95]
    confidence: Option<f64>,
    /// Number of bootstrap resamples; 0 omits intervals [default: 1000]
    resamples: Option<usize>,
    /// Random seed for resampling [default: 42]
    seed: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub(super) enum Mode {
    Auto,
    Passages,
    Spans,
    Ranked,
}

impl Arguments {
    /// The request; what was not given is as usual.
    pub(super) fn to_request(&self) -> Result<ScoreRequest, Refusal> {
        let usual = ScoreRequest::default();
        let k = self.k.unwrap_or(usual.passages.k);
        Ok(ScoreRequest {
            measures: self.measures.clone().unwrap_or_default(),
            mode: match self.mode.unwrap_or(Mode::Auto) {
                Mode::Auto => request::Mode::Auto,
                Mode::Passages => request::Mode::Passages,
                Mode::Spans => request::Mode::Spans,
                Mode::Ranked => request::Mode::Ranked,
            },
            passages: PassageOptions { k, ..usual.passages },
            require_all: self.require_all.unwrap_or(usual.require_all),
            uncertainty: self.uncertainty(&usual.uncertainty)?,
            ..usual
        })
    }

    /// How intervals are made.
    fn uncertainty(&self, usual: &Uncertainty) -> Result<Uncertainty, Refusal> {
        let level = self.confidence.unwrap_or(usual.level);
        let resamples = self.resamples.unwrap_or(usual.resamples);
        if !(level > 0.0 && level < 1.0) {
            return Err(Refusal::because(format!("confidence: {level} is not between 0 and 1")));
        }
        if resamples > RESAMPLES_MAX {
            return Err(Refusal::because(format!(
                "resamples: {resamples} is more than the limit of {RESAMPLES_MAX}"
            )));
        }
        Ok(Uncertainty { level, resamples, seed: self.seed.unwrap_or(usual.seed), ..usual.clone() })
    }
}

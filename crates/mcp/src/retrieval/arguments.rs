//! What the tool takes.

use assize_engine::request::Asked;
use assize_engine::retrieval::request::ScoreRequest;
use rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;
use serde_json::Value;

use crate::form::Form;

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
    takes: &[],
    needs: &["predictions", "gold"],
    asks_models: false,
};

/// What it takes.
pub(crate) type Arguments = Asked<Content, ScoreRequest>;

/// What is scored.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Content {
    /// The retrieved results: a list with query and `retrieved_passages`, or scores by query and
    /// document
    pub(super) predictions: Value,
    /// The gold standard: an object with tests, or relevance levels by query and document
    pub(super) gold: Value,
    /// Also return the values of every query
    #[serde(default)]
    pub(super) per_query: bool,
}

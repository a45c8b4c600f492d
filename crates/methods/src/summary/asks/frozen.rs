//! What was found in the two texts before anybody labelled it: lists that stay as they are.

use serde::{Deserialize, Serialize};

use super::kit::words;

/// A point of the article or a claim of the summary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// In one sentence.
    #[serde(alias = "point", alias = "claim")]
    pub text: String,
    /// The words that make it.
    #[serde(default, deserialize_with = "words")]
    pub quote: Option<String>,
}

/// A question with the answer of the text it was made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The words that answer it.
    #[serde(default, deserialize_with = "words")]
    pub quote: Option<String>,
}

/// The answer of the other text.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Given {
    /// `None` when it does not say.
    #[serde(default, deserialize_with = "words")]
    pub answer: Option<String>,
    /// The words that say so.
    #[serde(default, deserialize_with = "words")]
    pub quote: Option<String>,
}

/// What was found in the article alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArticleReading {
    /// What it would not be itself without.
    pub key_points: Vec<Point>,
    /// What it is about.
    pub theme: String,
    /// What it wants.
    pub intent: String,
    /// Where it stands.
    pub stance: String,
    /// How it sounds.
    pub tone: String,
    /// Questions about it; none where the framework asks none.
    #[serde(default)]
    pub questions: Vec<Asked>,
}

/// What was found in the summary alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryReading {
    /// What it claims.
    pub claims: Vec<Point>,
    /// Questions about the claims; none where the framework asks none.
    pub questions: Vec<Asked>,
    /// Its answers to the questions about the article, in their order.
    pub answers: Vec<Given>,
}

/// Everything that is labelled, by one judge or by many.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frozen {
    /// From the article.
    pub article: ArticleReading,
    /// From the summary.
    pub summary: SummaryReading,
    /// The article's answers to the questions about the claims, in their order.
    pub article_answers: Vec<Given>,
}

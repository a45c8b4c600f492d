//! The five metrics in their strict order.

use assize_score::{Explained, Outcome};
use serde::{Deserialize, Serialize};

/// One of the five.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Does it say what matters, and nothing else?
    Coverage,
    /// Does it keep intent, stance and tone?
    Alignment,
    /// Does it invent?
    Hallucination,
    /// Does every part of it belong to the article?
    Relevance,
    /// Is it fair and civil?
    BiasToxicity,
}

impl Metric {
    /// All five, in the order in which they are computed and shown.
    pub const ALL: [Self; 5] =
        [Self::Coverage, Self::Alignment, Self::Hallucination, Self::Relevance, Self::BiasToxicity];

    /// The name as users type and read it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Coverage => "coverage",
            Self::Alignment => "alignment",
            Self::Hallucination => "hallucination",
            Self::Relevance => "relevance",
            Self::BiasToxicity => "bias_toxicity",
        }
    }
}

/// One of something for each metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FiveMetrics<T> {
    /// Of coverage.
    pub coverage: T,
    /// Of alignment.
    pub alignment: T,
    /// Of hallucination.
    pub hallucination: T,
    /// Of relevance.
    pub relevance: T,
    /// Of bias and toxicity.
    pub bias_toxicity: T,
}

impl<T> FiveMetrics<T> {
    /// The one of a metric.
    pub fn get(&self, metric: Metric) -> &T {
        match metric {
            Metric::Coverage => &self.coverage,
            Metric::Alignment => &self.alignment,
            Metric::Hallucination => &self.hallucination,
            Metric::Relevance => &self.relevance,
            Metric::BiasToxicity => &self.bias_toxicity,
        }
    }

    /// All five in order, each with its metric.
    pub fn in_order(&self) -> [(Metric, &T); 5] {
        Metric::ALL.map(|metric| (metric, self.get(metric)))
    }

    /// Another five, each made from one of these.
    pub fn map<U>(self, mut change: impl FnMut(Metric, T) -> U) -> FiveMetrics<U> {
        FiveMetrics {
            coverage: change(Metric::Coverage, self.coverage),
            alignment: change(Metric::Alignment, self.alignment),
            hallucination: change(Metric::Hallucination, self.hallucination),
            relevance: change(Metric::Relevance, self.relevance),
            bias_toxicity: change(Metric::BiasToxicity, self.bias_toxicity),
        }
    }
}

/// Why a metric has no score though its evidence is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unscored(pub &'static str);

/// A score, or why there is none.
pub type Scored<N> = Result<N, Unscored>;

/// The same for a verdict.
pub fn outcome(scored: Scored<Explained>) -> Outcome {
    match scored {
        Ok(explained) => explained.into(),
        Err(Unscored(because)) => Outcome::unscored(because),
    }
}

//! What the user may ask for when scoring passages.

use assize_methods::retrieval::passages::PassageOptions;
use assize_methods::retrieval::spans::SpanOptions;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ScoreOptions {
    /// The readings of the four measures; their k also holds for the character measures.
    pub passages: PassageOptions,
    /// Whether character measures count as LegalBench-RAG does.
    pub span_compat: bool,
    /// Whether gold without a prediction scores 0, not left out.
    pub require_all: bool,
    /// Which measures to compute.
    pub measures: Measures,
    /// Which measures to compute besides.
    pub besides: Besides,
}

/// Measures that are only computed for whoever asks for them by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Besides {
    /// Context precision and recall as ragas defines them without a model.
    pub contexts: bool,
    /// Answers held against their passages.
    pub answers: bool,
}

/// Which measures to compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Measures {
    /// Those that the input allows: texts, places, or both.
    #[default]
    Auto,
    /// The four measures on texts.
    Text,
    /// The character measures on places in files.
    Spans,
}

impl ScoreOptions {
    /// The readings of the character measures.
    pub fn spans(&self) -> SpanOptions {
        SpanOptions { k: self.passages.k, compat: self.span_compat }
    }
}

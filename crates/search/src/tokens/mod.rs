//! Text into terms: one way of tokenising for each recipe.

mod nltk;
mod sklearn;
pub(crate) mod stems;
mod stop_words;
mod words;

pub use words::{Stem, StopWords};

/// A recipe that turns text into terms.
///
/// The terms come through a callback, so that indexing a gigabyte allocates once for
/// each distinct term and not once for each occurrence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tokenizer {
    /// Lowercase NLTK words that are alphanumeric and no stop words of NLTK: the recipe
    /// of the BM25 reference figures.
    Nltk,
    /// Lowercase runs of two or more word characters, without scikit-learn's stop words:
    /// the recipe of the TF-IDF reference figures.
    Sklearn,
    /// Stems of words without possessives and stop words of NLTK: what names are compared by.
    Stems,
    /// Stems of words of two letters or more: what BM25 and hybrid search rank by.
    Words(StopWords),
}

impl Tokenizer {
    /// Gives every term of the text to `sink`, in order.
    pub fn each(self, text: &str, sink: &mut dyn FnMut(&str)) {
        match self {
            Self::Nltk => nltk::each(text, sink),
            Self::Sklearn => sklearn::each(text, sink),
            Self::Stems => stems::each(text, sink),
            Self::Words(stop_words) => words::each(text, stop_words, sink),
        }
    }

    /// The terms of a short text, such as a query.
    pub(crate) fn terms(self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.each(text, &mut |term| terms.push(term.to_owned()));
        terms
    }
}

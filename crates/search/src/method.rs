//! The methods of ranking, named as on the command line.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// How passages are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// TF-IDF and cosine, by the recipe of the reference figures.
    TfIdf,
    /// BM25, of stems unless the options say otherwise.
    Bm25,
    /// The cosine of embeddings.
    Dense,
    /// Terms and meaning together, in the document that the query names.
    Hybrid,
}

impl Method {
    /// Every method, in the order in which they are compared.
    pub const ALL: [Self; 4] = [Self::TfIdf, Self::Bm25, Self::Dense, Self::Hybrid];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::TfIdf => "tfidf",
            Self::Bm25 => "bm25",
            Self::Dense => "dense",
            Self::Hybrid => "hybrid",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A name that is not a method.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("`{0}` is not a method; use tfidf, bm25, dense or hybrid")]
pub struct UnknownMethod(String);

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|method| method.name() == text);
        found.ok_or_else(|| UnknownMethod(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_read_back_from_its_name() {
        for method in Method::ALL {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        let error = "lucene".parse::<Method>().unwrap_err();
        assert_eq!(error.to_string(), "`lucene` is not a method; use tfidf, bm25, dense or hybrid");
    }
}

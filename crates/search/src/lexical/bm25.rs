//! BM25: rare terms count more, repetitions less and less, long texts less.
//!
//! Reference: Robertson & Zaragoza (2009), The Probabilistic Relevance Framework.

use std::sync::Arc;

use assize_score::Working;
use assize_score::arithmetic::sum;
use assize_score::float::ln;

use crate::lexical::Postings;

/// How rarity is weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Idf {
    /// `ln(N - n + 0.5) - ln(n + 0.5)`; where that is negative, this share of the mean
    /// over all terms. It is what the `rank_bm25` library does.
    Okapi {
        /// The share of the mean that a too common term is worth.
        floor_share: f64,
    },
    /// `ln(1 + (N - n + 0.5) / (n + 0.5))`, which is never negative.
    Plain,
}

/// The knobs of BM25.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parameters {
    /// How fast repetitions stop counting.
    pub k1: f64,
    /// How much longer texts are held back, from 0 to 1.
    pub b: f64,
    /// How rarity is weighed.
    pub idf: Idf,
}

/// The defaults of `BM25Okapi` in the `rank_bm25` library, which gave the reference figures.
pub(crate) const REFERENCE: Parameters =
    Parameters { k1: 1.5, b: 0.75, idf: Idf::Okapi { floor_share: 0.25 } };

/// The defaults of bm25s and the idf of Lucene: what stemmed words are ranked with.
pub(crate) const STEMMED: Parameters = Parameters { k1: 1.5, b: 0.75, idf: Idf::Plain };

/// A term of a query in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Occurrence {
    /// How much the term counts in the query.
    pub(crate) weight: f64,
    /// Its rarity.
    pub(crate) idf: f64,
    /// How often the text holds it.
    pub(crate) times: f64,
    /// The text's length against the mean.
    pub(crate) length_ratio: f64,
}

impl Parameters {
    /// What a term adds to the score of a text that holds it.
    pub(crate) fn contribution<N: Working>(self, occurrence: Occurrence) -> N {
        let Self { k1, b, .. } = self;
        let Occurrence { weight, idf, times, length_ratio } = occurrence;
        let value =
            weight * idf * (times * (k1 + 1.0)) / (times + k1 * (1.0 - b + b * length_ratio));
        N::computed(
            "contribution",
            "weight * idf * tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length))",
            value,
            [
                N::given("weight", weight),
                N::given("idf", idf),
                N::given("tf", times),
                N::given("k1", k1),
                N::given("b", b),
                N::given("length / mean length", length_ratio),
            ],
        )
    }
}

/// The rarity of a term that `holding` of `texts` hold, as [`Idf::Plain`] has it.
pub(crate) fn plain_idf(texts: f64, holding: f64) -> f64 {
    ln(1.0 + (texts - holding + 0.5) / (holding + 0.5))
}

/// A term of a query and how much it counts there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighted {
    pub term: u32,
    /// Its weight: how often the query holds it, unless somebody says otherwise.
    pub weight: f64,
}

/// Texts ranked by BM25.
#[derive(Debug, Clone)]
pub struct Bm25 {
    postings: Arc<Postings>,
    parameters: Parameters,
    idf: Vec<f64>,
    /// Each text's length against the mean.
    length_ratios: Vec<f64>,
}

impl Bm25 {
    /// Prepares the postings of all texts.
    pub fn new(postings: impl Into<Arc<Postings>>, parameters: Parameters) -> Self {
        let postings = postings.into();
        let idf = rarities(&postings, parameters.idf);
        let mean = postings.length_mean();
        let length_ratios =
            (0..postings.texts()).map(|text| postings.length(text) / mean).collect();
        Self { postings, parameters, idf, length_ratios }
    }

    /// What occurs where.
    pub(crate) fn postings(&self) -> &Postings {
        &self.postings
    }

    /// The rarity of a term.
    pub(crate) fn idf(&self, term: u32) -> f64 {
        self.idf[term as usize]
    }

    /// The query's terms that occur anywhere, in order; a repeated one stands repeatedly.
    pub(crate) fn weighted<'a>(&self, terms: impl IntoIterator<Item = &'a str>) -> Vec<Weighted> {
        let known = terms.into_iter().filter_map(|term| self.postings.vocabulary.find(term));
        known.map(|term| Weighted { term, weight: 1.0 }).collect()
    }

    /// The score of every text; none for one that shares no term with the query.
    pub fn scores(&self, query: &[Weighted]) -> Vec<Option<f64>> {
        let mut scores = vec![None; self.postings.texts()];
        for weighted in query {
            for posting in self.postings.with(weighted.term) {
                let text = posting.text as usize;
                let times = f64::from(posting.times);
                *scores[text].get_or_insert(0.0) +=
                    self.contribution::<f64>(*weighted, times, text);
            }
        }
        scores
    }

    /// The score of one text, with workings if the caller wants them.
    pub fn score<N: Working>(&self, query: &[Weighted], text: usize) -> N {
        let found = query.iter().filter_map(|weighted| {
            let times = self.postings.times(weighted.term, text);
            let term = self.postings.vocabulary.term(weighted.term);
            (times > 0).then(|| {
                self.contribution::<N>(*weighted, f64::from(times), text).named(term.to_owned())
            })
        });
        sum("bm25", found.collect())
    }

    fn contribution<N: Working>(&self, weighted: Weighted, times: f64, text: usize) -> N {
        self.parameters.contribution(Occurrence {
            weight: weighted.weight,
            idf: self.idf(weighted.term),
            times,
            length_ratio: self.length_ratios[text],
        })
    }
}

fn rarities(postings: &Postings, idf: Idf) -> Vec<f64> {
    let texts = postings.texts() as f64;
    let holding = postings.frequencies().map(|holding| holding as f64);
    match idf {
        Idf::Plain => holding.map(|holding| plain_idf(texts, holding)).collect(),
        Idf::Okapi { floor_share } => {
            let raw: Vec<f64> =
                holding.map(|holding| ln(texts - holding + 0.5) - ln(holding + 0.5)).collect();
            let mean = raw.iter().sum::<f64>() / (raw.len().max(1) as f64);
            let floor = floor_share * mean;
            raw.into_iter().map(|idf| if idf < 0.0 { floor } else { idf }).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::Bags;
    use crate::tokens::Tokenizer;
    use assize_score::Explained;

    const TEXTS: [&str; 4] = ["wind wind rain", "rain", "rain sun cloud snow", "sun"];

    fn bm25(parameters: Parameters) -> Bm25 {
        let bags = Bags::of(TEXTS.len(), |index| TEXTS[index], Tokenizer::Sklearn);
        Bm25::new(Postings::of(&bags), parameters)
    }

    /// From `BM25Okapi([t.split() for t in TEXTS]).get_scores(["wind", "rain"])`.
    #[test]
    fn scores_are_those_of_rank_bm25() {
        let bm25 = bm25(REFERENCE);
        let query = bm25.weighted(["wind", "rain", "unknown"]);
        let expected = [Some(1.166_965_637), Some(0.112_973_048), Some(0.062_762_804), None];
        let scores = bm25.scores(&query);
        for (score, expected) in scores.iter().zip(expected) {
            assert_eq!(score.is_some(), expected.is_some());
            let difference = score.unwrap_or(0.0) - expected.unwrap_or(0.0);
            assert!(difference.abs() < 1e-9, "{scores:?}");
        }
    }

    #[test]
    fn the_workings_add_up_to_the_score() {
        let bm25 = bm25(Parameters { k1: 1.2, b: 0.3, idf: Idf::Plain });
        let query = bm25.weighted(["wind", "rain"]);
        for (text, score) in bm25.scores(&query).into_iter().enumerate() {
            assert_eq!(bm25.score::<Explained>(&query, text).value, score.unwrap_or(0.0));
        }
    }
}

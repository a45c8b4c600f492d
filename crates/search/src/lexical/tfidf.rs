//! TF-IDF with cosine similarity, after scikit-learn's `TfidfVectorizer`.
//!
//! The recipe of the reference figures: words and pairs of neighbouring words without
//! English stop words, the 5,000 most frequent of them, `tf * (ln((1 + N) / (1 + n)) + 1)`,
//! every vector of length one. scikit-learn leaves open which of equally frequent features
//! make the cut (1,346 of them compete for 191 places on the reference corpus): we take
//! the alphabetically first, so that the same corpus always gives the same ranking.

use assize_score::Working;
use assize_score::arithmetic::sum;
use assize_score::float::ln;
use rustc_hash::FxHashMap;

use super::features::{Feature, Sequences, features};
use crate::lexical::Vocabulary;
use crate::tokens::Tokenizer;

/// How many features the reference figures were made with.
pub(crate) const REFERENCE_FEATURES_MAX: usize = 5000;

/// One text that holds a feature, and its weight there.
#[derive(Debug, Clone, Copy)]
struct Entry {
    text: u32,
    times: u32,
}

/// Texts ranked by the cosine of their TF-IDF vectors.
#[derive(Debug, Clone)]
pub struct TfIdf {
    words: Vocabulary,
    places: FxHashMap<Feature, usize>,
    names: Vec<String>,
    idf: Vec<f64>,
    entries: Vec<Vec<Entry>>,
    /// Length of each text's vector before it is divided by it.
    norms: Vec<f64>,
}

impl TfIdf {
    /// Learns features and weights from texts `0..count`.
    pub fn new<'a>(
        count: usize,
        text: impl Fn(usize) -> &'a str + Sync,
        features_max: usize,
    ) -> Self {
        let sequences = Sequences::of(count, text);
        let chosen = sequences.most_frequent(features_max);
        let names = chosen.iter().map(|feature| sequences.name(*feature)).collect();
        let places: FxHashMap<Feature, usize> =
            chosen.into_iter().enumerate().map(|(place, feature)| (feature, place)).collect();
        let mut entries: Vec<Vec<Entry>> = vec![Vec::new(); places.len()];
        for index in 0..count {
            let number = u32::try_from(index).expect("fewer than four billion texts");
            for (place, times) in counted(sequences.features(index), &places) {
                entries[place].push(Entry { text: number, times });
            }
        }
        let texts = count as f64;
        let idf: Vec<f64> = entries
            .iter()
            .map(|holding| ln((1.0 + texts) / (1.0 + holding.len() as f64)) + 1.0)
            .collect();
        let mut norms = vec![0.0; count];
        for (place, holding) in entries.iter().enumerate() {
            for entry in holding {
                let weight = f64::from(entry.times) * idf[place];
                norms[entry.text as usize] += weight * weight;
            }
        }
        for norm in &mut norms {
            *norm = norm.sqrt();
        }
        Self { words: sequences.vocabulary, places, names, idf, entries, norms }
    }

    /// The cosine of every text with the query; none where they share no feature.
    pub fn scores(&self, query: &str) -> Vec<Option<f64>> {
        let mut scores = vec![None; self.norms.len()];
        let query = self.vector(query);
        for (place, query_weight) in query {
            for entry in &self.entries[place] {
                let text = entry.text as usize;
                let times = f64::from(entry.times);
                let contribution = self.contribution::<f64>(query_weight, place, times, text);
                *scores[text].get_or_insert(0.0) += contribution;
            }
        }
        scores
    }

    /// The cosine of one text with the query, with workings if the caller wants them.
    pub fn score<N: Working>(&self, query: &str, text: usize) -> N {
        let found = self.vector(query).into_iter().filter_map(|(place, query_weight)| {
            let entries = &self.entries[place];
            let found = entries.binary_search_by_key(&text, |entry| entry.text as usize).ok()?;
            let times = f64::from(entries[found].times);
            let contribution = self.contribution::<N>(query_weight, place, times, text);
            Some(contribution.named(self.names[place].clone()))
        });
        sum("tfidf", found.collect())
    }

    /// The query's features that made the cut, with their weights, length one.
    fn vector(&self, query: &str) -> Vec<(usize, f64)> {
        let unknown = u32::MAX - 1;
        let words: Vec<u32> = Tokenizer::Sklearn
            .terms(query)
            .iter()
            .map(|word| self.words.find(word).unwrap_or(unknown))
            .collect();
        let mut vector: Vec<(usize, f64)> = counted(features(&words), &self.places)
            .into_iter()
            .map(|(place, times)| (place, f64::from(times) * self.idf[place]))
            .collect();
        let norm = vector.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt();
        for (_, weight) in &mut vector {
            *weight /= norm;
        }
        vector
    }

    fn contribution<N: Working>(
        &self,
        query_weight: f64,
        place: usize,
        times: f64,
        text: usize,
    ) -> N {
        let (idf, norm) = (self.idf[place], self.norms[text]);
        N::computed(
            "contribution",
            "weight in the query * tf * idf / length of the passage's vector",
            query_weight * times * idf / norm,
            [
                N::given("weight in the query", query_weight),
                N::given("tf", times),
                N::given("idf", idf),
                N::given("length of the passage's vector", norm),
            ],
        )
    }
}

/// The features that made the cut and how often each occurs, by place.
fn counted(
    features: impl Iterator<Item = Feature>,
    places: &FxHashMap<Feature, usize>,
) -> Vec<(usize, u32)> {
    let mut found: Vec<usize> =
        features.filter_map(|feature| places.get(&feature).copied()).collect();
    found.sort_unstable();
    let times = |run: &[usize]| u32::try_from(run.len()).unwrap_or(u32::MAX);
    found.chunk_by(|left, right| left == right).map(|run| (run[0], times(run))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use assize_score::Explained;

    const TEXTS: [&str; 4] = ["wind wind rain", "rain", "rain sun cloud snow", "sun"];

    fn tfidf(features_max: usize) -> TfIdf {
        TfIdf::new(TEXTS.len(), |index| TEXTS[index], features_max)
    }

    /// From `TfidfVectorizer(stop_words="english", ngram_range=(1, 2))` and the dot product.
    #[test]
    fn scores_are_those_of_scikit_learn() {
        let scores = tfidf(100).scores("wind rain snow");
        let expected = [0.729_240_785, 0.345_783_138, 0.310_517_279];
        for (score, expected) in scores.iter().zip(expected) {
            assert!((score.unwrap() - expected).abs() < 1e-9, "{scores:?}");
        }
        assert_eq!(scores[3], None);
    }

    #[test]
    fn the_cut_keeps_the_frequent_and_then_the_alphabetically_first() {
        assert_eq!(tfidf(4).names, ["cloud", "rain", "sun", "wind"]);
    }

    #[test]
    fn the_workings_add_up_to_the_score() {
        let tfidf = tfidf(100);
        for (text, score) in tfidf.scores("wind rain snow").into_iter().enumerate() {
            assert_eq!(
                tfidf.score::<Explained>("wind rain snow", text).value,
                score.unwrap_or(0.0)
            );
        }
    }

    #[test]
    fn a_query_without_any_known_feature_scores_nothing() {
        assert_eq!(tfidf(100).scores("the hail"), [None; 4]);
    }
}

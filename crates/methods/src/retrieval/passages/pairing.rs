//! Which prediction is held against which gold.

use std::collections::HashMap;

use thiserror::Error;

use super::input::{Passage, Prediction, Test};

/// How many characters of a query an error message repeats.
const QUERY_SHOWN_MAX: usize = 120;

/// One query: what was retrieved, and what should have been.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair<'a> {
    /// The query's text.
    pub query: &'a str,
    /// What was retrieved, best first.
    pub retrieved: &'a [Passage<'a>],
    /// What should have been; empty when the test has no snippets and cannot be scored.
    pub gold: &'a [Passage<'a>],
}

/// Every prediction with its gold, and the gold that nobody predicted.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairing<'a> {
    /// One pair for each prediction, in their order.
    pub pairs: Vec<Pair<'a>>,
    /// Gold without a prediction, in its order, with nothing retrieved.
    pub unpredicted: Vec<Pair<'a>>,
    /// How many queries stand several times in gold and were paired by their occurrence.
    pub repeated_queries: usize,
}

/// Why predictions and gold do not fit together.
#[derive(Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PairingError {
    /// The query of a prediction is not in gold.
    #[error("prediction {record} has no gold for its query \"{query}\"")]
    NoGold {
        /// The prediction's place in the file, from 1.
        record: usize,
        /// Its query, shortened.
        query: String,
    },
    /// A query is predicted more often than gold asks it.
    #[error("prediction {record} is one too many: gold has {in_gold} of its query \"{query}\"")]
    OneTooMany {
        /// The prediction's place in the file, from 1.
        record: usize,
        /// How often gold holds the query.
        in_gold: usize,
        /// Its query, shortened.
        query: String,
    },
}

/// Pairs predictions with gold: by position where all queries agree, otherwise by the
/// query's text. A query that stands in gold several times pairs by occurrence, the
/// first prediction with the first gold.
pub fn pair<'a>(
    predictions: &'a [Prediction<'a>],
    gold: &'a [Test<'a>],
) -> Result<Pairing<'a>, PairingError> {
    let same_order = predictions.len() <= gold.len()
        && predictions.iter().zip(gold).all(|(prediction, test)| *prediction.query == *test.query);
    if same_order {
        let pairs =
            predictions.iter().zip(gold).map(|(prediction, test)| matched(prediction, test));
        let unpredicted = gold[predictions.len()..].iter().map(unpredicted);
        return Ok(Pairing {
            pairs: pairs.collect(),
            unpredicted: unpredicted.collect(),
            repeated_queries: 0,
        });
    }
    pair_by_text(predictions, gold)
}

fn pair_by_text<'a>(
    predictions: &'a [Prediction<'a>],
    gold: &'a [Test<'a>],
) -> Result<Pairing<'a>, PairingError> {
    let mut places: HashMap<&str, Occurrences> = HashMap::with_capacity(gold.len());
    let mut repeated_queries = 0;
    for (index, test) in gold.iter().enumerate() {
        let occurrences = places.entry(&test.query).or_default();
        occurrences.indices.push(index);
        repeated_queries += usize::from(occurrences.indices.len() == 2);
    }
    let mut predicted = vec![false; gold.len()];
    let mut pairs = Vec::with_capacity(predictions.len());
    for (index, prediction) in predictions.iter().enumerate() {
        let found = places.get_mut(&*prediction.query);
        let Some(place) = found.and_then(Occurrences::next) else {
            return Err(refusal(index + 1, prediction, &places));
        };
        predicted[place] = true;
        pairs.push(matched(prediction, &gold[place]));
    }
    let left = gold.iter().zip(&predicted).filter(|(_, predicted)| !**predicted);
    let unpredicted = left.map(|(test, _)| unpredicted(test)).collect();
    Ok(Pairing { pairs, unpredicted, repeated_queries })
}

/// Where a query stands in gold, and how many of these places are taken.
#[derive(Default)]
struct Occurrences {
    indices: Vec<usize>,
    taken: usize,
}

impl Occurrences {
    fn next(&mut self) -> Option<usize> {
        let index = self.indices.get(self.taken).copied();
        self.taken += 1;
        index
    }
}

fn matched<'a>(prediction: &'a Prediction<'a>, test: &'a Test<'a>) -> Pair<'a> {
    Pair {
        query: &prediction.query,
        retrieved: &prediction.retrieved_passages,
        gold: &test.snippets,
    }
}

fn unpredicted<'a>(test: &'a Test<'a>) -> Pair<'a> {
    Pair { query: &test.query, retrieved: &[], gold: &test.snippets }
}

fn refusal(
    record: usize,
    prediction: &Prediction<'_>,
    places: &HashMap<&str, Occurrences>,
) -> PairingError {
    let query = shortened(&prediction.query);
    match places.get(&*prediction.query) {
        None => PairingError::NoGold { record, query },
        Some(occurrences) => {
            PairingError::OneTooMany { record, in_gold: occurrences.indices.len(), query }
        }
    }
}

fn shortened(query: &str) -> String {
    match query.char_indices().nth(QUERY_SHOWN_MAX) {
        None => query.to_owned(),
        Some((end, _)) => format!("{}…", &query[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::retrieval::passages::input::Text;

    fn prediction(query: &'static str, passage: &'static str) -> Prediction<'static> {
        Prediction {
            query: Text(query.into()),
            retrieved_passages: vec![Passage::of_text(passage)],
        }
    }

    fn test(query: &'static str, answer: &'static str) -> Test<'static> {
        Test { query: Text(query.into()), snippets: vec![Passage::of_text(answer)] }
    }

    /// Retrieved text and gold text of each pair.
    fn texts(pairing: &Pairing<'_>) -> Vec<(String, String)> {
        let text =
            |pair: &Pair<'_>| (pair.retrieved[0].text().to_owned(), pair.gold[0].text().to_owned());
        pairing.pairs.iter().map(text).collect()
    }

    #[test]
    fn predictions_for_the_first_tests_leave_the_others_out() {
        let predictions = [prediction("a", "p1")];
        let gold = [test("a", "g1"), test("b", "g2")];
        let pairing = pair(&predictions, &gold).unwrap();
        assert_eq!(texts(&pairing), [("p1".into(), "g1".into())]);
        assert_eq!(pairing.unpredicted.len(), 1);
        assert_eq!(pairing.unpredicted[0].query, "b");
    }

    #[test]
    fn another_order_pairs_by_text_and_keeps_the_order_of_the_predictions() {
        let predictions = [prediction("b", "p2"), prediction("a", "p1")];
        let gold = [test("a", "g1"), test("b", "g2")];
        let pairing = pair(&predictions, &gold).unwrap();
        assert_eq!(texts(&pairing), [("p2".into(), "g2".into()), ("p1".into(), "g1".into())]);
    }

    #[test]
    fn a_query_that_gold_asks_twice_pairs_by_occurrence() {
        let predictions = [prediction("b", "p0"), prediction("a", "p1"), prediction("a", "p2")];
        let gold = [test("a", "g1"), test("b", "g0"), test("a", "g2")];
        let pairing = pair(&predictions, &gold).unwrap();
        let expected = [("p0", "g0"), ("p1", "g1"), ("p2", "g2")];
        assert_eq!(texts(&pairing), expected.map(|(p, g)| (p.into(), g.into())));
        assert_eq!(pairing.repeated_queries, 1);
    }

    #[test]
    fn a_prediction_without_gold_is_named() {
        let predictions = [prediction("a", "p1"), prediction("c", "p2")];
        let error = pair(&predictions, &[test("a", "g1"), test("b", "g2")]).unwrap_err();
        assert_eq!(error.to_string(), "prediction 2 has no gold for its query \"c\"");
    }

    #[test]
    fn a_query_predicted_more_often_than_asked_is_named() {
        let predictions = [prediction("a", "p1"), prediction("a", "p2")];
        let error = pair(&predictions, &[test("a", "g1"), test("b", "g2")]).unwrap_err();
        let expected = PairingError::OneTooMany { record: 2, in_gold: 1, query: "a".into() };
        assert_eq!(error, expected);
    }
}

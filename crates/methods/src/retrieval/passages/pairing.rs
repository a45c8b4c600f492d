//! Which prediction is held against which gold.

use std::collections::HashMap;

use thiserror::Error;

use super::input::Passage;

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

/// Which test each prediction belongs to, and the tests that nobody predicted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// For each prediction, in their order, the index of its test.
    pub test_of: Vec<usize>,
    /// The indices of tests without a prediction, in their order.
    pub unpredicted: Vec<usize>,
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
    #[error(
        "prediction {record} for query \"{query}\" is one too many: the gold has only {in_gold}"
    )]
    OneTooMany {
        /// The prediction's place in the file, from 1.
        record: usize,
        /// How often gold holds the query.
        in_gold: usize,
        /// Its query, shortened.
        query: String,
    },
}

/// Pairs the queries of predictions with those of gold: by position where all agree,
/// otherwise by text. A query that stands in gold several times pairs by occurrence, the
/// first prediction with the first test.
///
/// ```
/// # use assize_methods::retrieval::passages::pair;
/// let pairing = pair(&["b", "a"], &["a", "b", "c"])?;
/// assert_eq!((pairing.test_of, pairing.unpredicted), (vec![1, 0], vec![2]));
/// # Ok::<(), assize_methods::retrieval::passages::PairingError>(())
/// ```
pub fn pair(predicted: &[&str], gold: &[&str]) -> Result<Pairing, PairingError> {
    if gold.starts_with(predicted) {
        return Ok(Pairing {
            test_of: (0..predicted.len()).collect(),
            unpredicted: (predicted.len()..gold.len()).collect(),
            repeated_queries: 0,
        });
    }
    pair_by_text(predicted, gold)
}

fn pair_by_text(predicted: &[&str], gold: &[&str]) -> Result<Pairing, PairingError> {
    let mut places: HashMap<&str, Occurrences> = HashMap::with_capacity(gold.len());
    let mut repeated_queries = 0;
    for (index, query) in gold.iter().enumerate() {
        let occurrences = places.entry(query).or_default();
        occurrences.indices.push(index);
        repeated_queries += usize::from(occurrences.indices.len() == 2);
    }
    let mut is_predicted = vec![false; gold.len()];
    let mut test_of = Vec::with_capacity(predicted.len());
    for (index, query) in predicted.iter().enumerate() {
        let found = places.get_mut(query);
        let Some(place) = found.and_then(Occurrences::next) else {
            return Err(refusal(index + 1, query, &places));
        };
        is_predicted[place] = true;
        test_of.push(place);
    }
    let unpredicted = (0..gold.len()).filter(|index| !is_predicted[*index]).collect();
    Ok(Pairing { test_of, unpredicted, repeated_queries })
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

fn refusal(record: usize, query: &str, places: &HashMap<&str, Occurrences>) -> PairingError {
    let shortened = shortened(query);
    match places.get(query) {
        None => PairingError::NoGold { record, query: shortened },
        Some(occurrences) => {
            let in_gold = occurrences.indices.len();
            PairingError::OneTooMany { record, in_gold, query: shortened }
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

    #[test]
    fn predictions_for_the_first_tests_leave_the_others_out() {
        let pairing = pair(&["a"], &["a", "b"]).unwrap();
        assert_eq!((pairing.test_of, pairing.unpredicted), (vec![0], vec![1]));
    }

    #[test]
    fn another_order_pairs_by_text_and_keeps_the_order_of_the_predictions() {
        assert_eq!(pair(&["b", "a"], &["a", "b"]).unwrap().test_of, [1, 0]);
    }

    #[test]
    fn a_query_that_gold_asks_twice_pairs_by_occurrence() {
        let pairing = pair(&["b", "a", "a"], &["a", "b", "a"]).unwrap();
        assert_eq!((pairing.test_of, pairing.repeated_queries), (vec![1, 0, 2], 1));
    }

    #[test]
    fn a_prediction_without_gold_is_named() {
        let error = pair(&["a", "c"], &["a", "b"]).unwrap_err();
        assert_eq!(error.to_string(), "prediction 2 has no gold for its query \"c\"");
    }

    #[test]
    fn a_query_predicted_more_often_than_asked_is_named() {
        let error = pair(&["a", "a"], &["a", "b"]).unwrap_err();
        let expected = PairingError::OneTooMany { record: 2, in_gold: 1, query: "a".into() };
        assert_eq!(error, expected);
    }

    #[test]
    fn a_long_query_is_shortened_in_the_message() {
        let PairingError::NoGold { query, .. } = pair(&[&"é".repeat(200)], &["a"]).unwrap_err()
        else {
            panic!("another error")
        };
        assert_eq!(query, format!("{}…", "é".repeat(120)));
    }
}

//! Choosing one query by its number or by a part of its text.

use std::convert::Infallible;
use std::str::FromStr;

use super::error::PassageError;

/// How many numbers an error message lists.
const NUMBERS_SHOWN_MAX: usize = 5;

/// Which query the user wants to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QuerySelector {
    /// By its place among the predictions, from 1.
    Number(usize),
    /// By its text, or a part of it that no other query has.
    Text(String),
}

impl FromStr for QuerySelector {
    type Err = Infallible;

    /// Digits are a number, everything else is text.
    fn from_str(asked: &str) -> Result<Self, Infallible> {
        Ok(asked.parse().map_or_else(|_| Self::Text(asked.to_owned()), Self::Number))
    }
}

impl QuerySelector {
    /// The index of the chosen query, from 0.
    pub fn choose(&self, queries: &[&str]) -> Result<usize, PassageError> {
        match self {
            Self::Number(number) if (1..=queries.len()).contains(number) => Ok(number - 1),
            Self::Number(number) => {
                Err(PassageError::NoSuchQuery { asked: number.to_string(), count: queries.len() })
            }
            Self::Text(text) => by_text(text, queries),
        }
    }
}

fn by_text(text: &str, queries: &[&str]) -> Result<usize, PassageError> {
    let fitting = |fits: fn(&str, &str) -> bool| -> Vec<usize> {
        let fitting = queries.iter().enumerate().filter(|(_, query)| fits(query, text));
        fitting.map(|(index, _)| index).collect()
    };
    let mut found = fitting(|query, text| query == text);
    if found.is_empty() {
        found = fitting(|query, text| query.contains(text));
    }
    match found[..] {
        [] => Err(PassageError::NoSuchQuery { asked: text.to_owned(), count: queries.len() }),
        [index] => Ok(index),
        _ => {
            let first = found.iter().take(NUMBERS_SHOWN_MAX).map(|index| (index + 1).to_string());
            Err(PassageError::SeveralQueries {
                asked: text.to_owned(),
                count: found.len(),
                numbers: first.collect::<Vec<_>>().join(", "),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUERIES: [&str; 3] = ["who pays", "who pays late", "when"];

    fn choose(asked: &str) -> Result<usize, String> {
        let selector: QuerySelector = asked.parse().unwrap();
        selector.choose(&QUERIES).map_err(|error| error.to_string())
    }

    #[test]
    fn a_number_counts_from_one() {
        assert_eq!(choose("3"), Ok(2));
        let refusal = "no query matches \"4\"; choose one of 3 by number or part of its text";
        assert_eq!(choose("4"), Err(refusal.to_owned()));
        assert!(choose("0").is_err());
    }

    #[test]
    fn a_part_of_the_text_is_enough_when_only_one_query_has_it() {
        assert_eq!(choose("late"), Ok(1));
        let refusal = "2 queries match \"pays\": choose one by number, such as 1, 2";
        assert_eq!(choose("pays"), Err(refusal.to_owned()));
    }

    #[test]
    fn the_whole_text_goes_before_a_part_of_another() {
        assert_eq!(choose("who pays"), Ok(0));
    }
}

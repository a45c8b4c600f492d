//! The words that the rules know, from `defaults/compliance/words.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use serde::Deserialize;

use super::tokens::Token;

const FILE: &str = include_str!("../../../defaults/compliance/words.toml");

/// The lists of the file.
pub(super) static LISTS: LazyLock<Lists> =
    LazyLock::new(|| toml::from_str(FILE).expect("the file of words is compiled in and tested"));

/// Every list; what each is for stands in the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lists {
    pub stop: Words,
    pub auxiliaries: Words,
    pub clause_words: Words,
    pub denying: Words,
    pub turning: Words,
    pub turning_phrases: Phrases,
    pub consequences: Phrases,
    pub breaches: Words,
    pub harmless: Phrases,
    pub comparatives: Words,
    pub lacked: Words,
    pub money: Words,
    pub short_units: Words,
    pub at_least: Phrases,
    pub at_most: Phrases,
    pub lasting: Words,
    pub months: Words,
    pub between: Words,
    pub filling: Words,
    pub verbs: Words,
    pub doubtful: Words,
    pub peers: Words,
    pub others: Words,
    pub quoting: Words,
    pub optional: Words,
    pub planning: Words,
    pub advising: Words,
    pub mostly: Words,
    pub excepting: Words,
    pub letting_in: Words,
    pub holding: Words,
    pub determiners: Words,
    pub naming: Words,
    pub addresses: Words,
    pub participles: Words,
    pub adjuncts: Words,
    pub outsiders: Words,
    pub attaching: Words,
    pub pointing: Words,
    pub not_applying: Words,
    pub irregular: BTreeMap<String, String>,
    pub hours: BTreeMap<String, f64>,
    pub adverbs: BTreeMap<String, f64>,
    soon: BTreeMap<String, f64>,
    pub numbers: BTreeMap<String, f64>,
    pub money_before: BTreeMap<String, String>,
    pub units: BTreeMap<String, String>,
}

impl Lists {
    /// How soon, in hours, by the longest phrase at a token, and how many tokens that takes.
    pub(super) fn soon_at(&self, tokens: &[Token<'_>], at: usize) -> Option<(f64, usize)> {
        let first = tokens.get(at)?.lower.as_str();
        let known = self.soon.range(first.to_owned()..);
        let known = known.take_while(|(phrase, _)| phrase.starts_with(first));
        let here = known.filter_map(|(phrase, hours)| {
            Some((*hours, length_at(phrase.split(' '), tokens, at)?))
        });
        let found = here.max_by_key(|(_, length)| *length)?;
        // "As soon as possible" names no time.
        let next = tokens.get(at + found.1).map_or("", |token| token.lower.as_str());
        (!["possible", "practicable"].contains(&next)).then_some(found)
    }
}

/// Words, or phrases that are looked for in whole texts.
#[derive(Deserialize)]
pub(super) struct Words(BTreeSet<String>);

impl Words {
    pub(super) fn has(&self, lower: &str) -> bool {
        self.0.contains(lower)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

/// Phrases by their words.
#[derive(Deserialize)]
#[serde(from = "Vec<String>")]
pub(super) struct Phrases(BTreeMap<String, Vec<Vec<String>>>);

impl From<Vec<String>> for Phrases {
    fn from(phrases: Vec<String>) -> Self {
        let mut by_first: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
        for phrase in phrases {
            let mut words = phrase.split(' ').map(str::to_owned);
            let first = words.next().unwrap_or_default();
            by_first.entry(first).or_default().push(words.collect());
        }
        Self(by_first)
    }
}

impl Phrases {
    /// How many tokens the longest phrase at a token takes.
    pub(super) fn at(&self, tokens: &[Token<'_>], at: usize) -> Option<usize> {
        let rest = self.0.get(&tokens.get(at)?.lower)?.iter();
        let rest =
            rest.filter_map(|rest| length_at(rest.iter().map(String::as_str), tokens, at + 1));
        rest.max().map(|length| length + 1)
    }
}

/// How many tokens words take if they stand there.
fn length_at<'w>(
    words: impl Iterator<Item = &'w str>,
    tokens: &[Token<'_>],
    at: usize,
) -> Option<usize> {
    let mut length = 0;
    for word in words {
        if tokens.get(at + length)?.lower != word {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// Whether words stand in a text with no letter before or after them.
pub(super) fn contains(lower: &str, words: &str) -> bool {
    lower.match_indices(words).any(|(at, found)| is_whole(lower, at, found))
}

/// Whether no letter stands before or after what was found.
fn is_whole(lower: &str, at: usize, found: &str) -> bool {
    let before = lower[..at].chars().next_back();
    let after = lower[at + found.len()..].chars().next();
    let is_edge = |letter: Option<char>| letter.is_none_or(|letter| !letter.is_alphanumeric());
    is_edge(before) && is_edge(after)
}

#[cfg(test)]
mod tests {
    use super::super::tokens::tokens;
    use super::*;

    #[test]
    fn the_file_is_read_and_in_lower_case() {
        assert!(LISTS.stop.has("within") && !LISTS.stop.has("account"));
        let all = toml::from_str::<toml::Table>(FILE).unwrap().to_string();
        assert_eq!(all, all.to_lowercase());
    }

    #[test]
    fn phrases_are_found_by_their_words_and_the_longest_counts() {
        let found = tokens("Reports go out on the same working day or as soon as possible");
        assert_eq!(LISTS.soon_at(&found, 5), Some((24.0, 3)));
        assert_eq!(LISTS.soon_at(&found, 9), None);
        let found = tokens("No later than Friday");
        assert_eq!(LISTS.harmless.at(&found, 0), Some(3));
    }
}
